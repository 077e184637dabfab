import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { AccountCard } from '#app/components/form/account-card.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { issueAt, refusalIn } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { inviteOf } from '#app/server/invite.server.ts'
import { act } from '#app/server/load.server.ts'
import { takeRemembered } from '#app/server/remembered.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** Where a letter's link leads. The token is used by a button, not by the visit: mail programs visit links too. */
export function loader(args: LoaderFunctionArgs) {
  const user = guard(args, 'unverified')
  return {
    token: new URL(args.request.url).searchParams.get('token'),
    email: user?.email ?? '',
    hasOutbox: args.context.ctx.settings.environment !== 'production',
  }
}

export function action(args: ActionFunctionArgs) {
  const then = ({ session }: { session: Parameters<typeof inviteOf>[0] }) =>
    session ? (inviteOf(session) ?? takeRemembered(args)) : '/login?confirmed'
  return act(args, {
    confirm: { endpoint: v1.core.auth.confirm, then },
    resend: { endpoint: v1.core.auth.resend },
  })
}

export const meta = placeTitle('Confirm your address')

export default function Confirmation() {
  const { token, email, hasOutbox } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const refused = refusalIn(outcome)
  const isSpent = issueAt(refused, 'token') !== undefined
  if (token && !isSpent && !outcome?.ok) {
    return (
      <AccountCard title="Confirm your address" intro={<p>One click, and your account is ready.</p>}>
        <Form method="post" className="form">
          <FormError refused={refused} names={['token']} />
          <input type="hidden" name="token" value={token} />
          <SubmitButton intent="confirm" doing="Confirming…">
            Confirm this address
          </SubmitButton>
        </Form>
      </AccountCard>
    )
  }
  return (
    <AccountCard
      title={isSpent ? 'This link no longer works' : 'Look at your mail'}
      intro={
        <p>
          {isSpent
            ? 'A link to confirm an address works for 24 hours. Ask for a new one below.'
            : 'We sent you a letter with a link that confirms your address. Open it to go on.'}
        </p>
      }
      foot={<Link to="/login">Back to sign in</Link>}
    >
      {outcome?.ok ? (
        <p className="notice is-success">
          If this address waits to be confirmed, a new letter is on its way.
        </p>
      ) : null}
      {hasOutbox ? (
        <p className="notice">
          This demo sends no mail. <a href="/outbox">Read its letters here.</a>
        </p>
      ) : null}
      <Form method="post" className="form">
        <FormError refused={isSpent ? undefined : refused} names={['email']} />
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          required
          refused={refused}
        />
        <SubmitButton intent="resend" doing="Sending…" className="button">
          Send the letter again
        </SubmitButton>
      </Form>
    </AccountCard>
  )
}

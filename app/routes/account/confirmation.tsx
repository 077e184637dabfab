import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { AccountCard } from './account-card.tsx'
import { EmailField, PasswordField } from './credential-fields.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { issueAt, readFormErrors } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { hasSignedUp } from './account.server.ts'
import { chooseFirstScreen } from './invite.server.ts'
import { handleForm } from '#app/server/load.server.ts'
import { forgetEmail, rememberedEmail, consumeRedirect } from './remembered.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** The target of the email's link. The token is used by a button, not by the visit, as mail programs visit links too. */
export function loader(args: LoaderFunctionArgs) {
  const user = guard(args, 'unverified')
  return {
    token: new URL(args.request.url).searchParams.get('token'),
    email: user?.email ?? rememberedEmail(args),
    // It may be another sign-up: then the password is requested after the click.
    hasSignedUp: hasSignedUp(args),
    hasOutbox: args.context.ctx.settings.environment !== 'production',
  }
}

export async function action(args: ActionFunctionArgs) {
  const isTyped = (await args.request.clone().formData()).has('password')
  const then = ({ session }: { session: Parameters<typeof chooseFirstScreen>[0] | null }) => {
    forgetEmail(args)
    return session ? chooseFirstScreen(session, consumeRedirect(args)) : '/login?confirmed'
  }
  const outcome = await handleForm(args, {
    confirm: { endpoint: v1.core.auth.confirm, then },
    resend: { endpoint: v1.core.auth.resend },
  })
  return { ...outcome, isTyped }
}

export const meta = placeTitle('Confirm your address')

export default function Confirmation() {
  const { token } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const isSpent = issueAt(readFormErrors(outcome), 'token') !== undefined
  return token && !isSpent && !outcome?.ok ? <Confirm token={token} /> : <AskAgain isSpent={isSpent} />
}

/** One click in the browser that signed up; elsewhere the password proves whose sign-up it is. */
function Confirm({ token }: { token: string }) {
  const { hasSignedUp } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const errors = readFormErrors(outcome)
  const asksPassword = !hasSignedUp || issueAt(errors, 'password') !== undefined
  // A first request for the password is no error of the person.
  const mistake = asksPassword && !outcome?.isTyped ? undefined : errors
  return (
    <AccountCard
      title="Confirm your address"
      intro={
        asksPassword ? (
          <>
            <p>Type the password you chose when you signed up. It shows that this sign-up is yours.</p>
            <p className="muted">If you did not sign up, close this page and ignore the email.</p>
          </>
        ) : (
          <p>One click, and your account is ready.</p>
        )
      }
      foot={
        asksPassword ? (
          <>
            Forgotten it, or did someone else sign up with your address?{' '}
            <Link to="/forgot_password">Choose a new password</Link>: that confirms your address too.
          </>
        ) : null
      }
    >
      <Form method="post" className="form">
        <FormError errors={mistake} names={['token', 'password']} />
        <input type="hidden" name="token" value={token} />
        {asksPassword ? <PasswordField autoFocus errors={mistake} /> : null}
        <SubmitButton intent="confirm" doing="Confirming…">
          Confirm this address
        </SubmitButton>
      </Form>
    </AccountCard>
  )
}

function AskAgain({ isSpent }: { isSpent: boolean }) {
  const { email, hasOutbox } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const errors = readFormErrors(outcome)
  return (
    <AccountCard
      title={isSpent ? 'This link no longer works' : 'Look at your mail'}
      intro={
        <p>
          {isSpent
            ? 'A link to confirm an address works once, for 24 hours, and a newer one replaces it. Follow the newest one, ask for another below, or sign in if your address is confirmed.'
            : `We sent an email to ${email || 'you'} with a link that confirms your address. Open it in this browser to go on.`}
        </p>
      }
      foot={<Link to="/login">Back to sign in</Link>}
    >
      {outcome?.ok ? (
        <p className="notice is-success">If this address waits to be confirmed, a new email is on its way.</p>
      ) : null}
      {hasOutbox ? (
        <p className="notice">
          This demo sends no mail. <a href="/outbox">Read its emails here.</a>
        </p>
      ) : null}
      <Form method="post" className="form">
        <FormError errors={isSpent ? undefined : errors} names={['email']} />
        <EmailField defaultValue={email} errors={errors} />
        <SubmitButton intent="resend" doing="Sending…" className="button">
          Send the email again
        </SubmitButton>
      </Form>
    </AccountCard>
  )
}

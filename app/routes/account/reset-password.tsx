import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { AccountCard } from '#app/components/form/account-card.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { issueAt, refusalIn } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { sendToInvite } from '#app/server/invite.server.ts'
import { act } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  await sendToInvite(args)
  guard(args, 'signedOut')
  return { token: new URL(args.request.url).searchParams.get('token') ?? '' }
}

export function action(args: ActionFunctionArgs) {
  return act(args, { reset: { endpoint: v1.core.auth.reset, then: () => '/login?reset' } })
}

export const meta = placeTitle('Reset password')

export default function ResetPassword() {
  const { token } = useLoaderData<typeof loader>()
  const refused = refusalIn(useActionData<typeof action>())
  const isSpent = !token || issueAt(refused, 'token') !== undefined
  if (isSpent) {
    return (
      <AccountCard
        title="This link no longer works"
        intro={<p>A link to choose a new password works once, for one hour.</p>}
        foot={<Link to="/login">Back to sign in</Link>}
      >
        <Link className="button is-primary" to="/forgot_password">
          Ask for a new link
        </Link>
      </AccountCard>
    )
  }
  return (
    <AccountCard title="Choose a new password" intro={<p>Every device will be signed out.</p>}>
      <Form method="post" className="form">
        <FormError refused={refused} names={['password']} />
        <input type="hidden" name="token" value={token} />
        <TextField
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint="At least 10 characters."
          minLength={10}
          required
          autoFocus
          refused={refused}
        />
        <SubmitButton intent="reset" doing="Changing…">
          Change the password
        </SubmitButton>
      </Form>
    </AccountCard>
  )
}

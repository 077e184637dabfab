import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLocation } from '@remix-run/react'
import { AccountCard } from './account-card.tsx'
import { EmailField } from './credential-fields.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { readFormErrors } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { sendToInvite } from './invite.server.ts'
import { handleForm } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  await sendToInvite(args)
  return guard(args, 'signedOut')
}

export function action(args: ActionFunctionArgs) {
  return handleForm(args, { forgot: { endpoint: v1.core.auth.forgot } })
}

export const meta = placeTitle('Forgot password')

export default function ForgotPassword() {
  const outcome = useActionData<typeof action>()
  const errors = readFormErrors(outcome)
  const { search } = useLocation()
  const foot = <Link to={`/login${search}`}>Back to sign in</Link>
  if (outcome?.ok) {
    return (
      <AccountCard
        title="Look at your mail"
        intro={
          <p>
            If there is an account with this address, an email with a link to choose a new password is on its
            way. The link works once, for one hour.
          </p>
        }
        foot={foot}
      />
    )
  }
  return (
    <AccountCard
      title="Forgot your password?"
      intro={<p>We send you a link to choose a new one.</p>}
      foot={foot}
    >
      <Form method="post" className="form">
        <FormError errors={errors} names={['email']} />
        <EmailField autoFocus errors={errors} />
        <SubmitButton intent="forgot" doing="Sending…">
          Send the link
        </SubmitButton>
      </Form>
    </AccountCard>
  )
}

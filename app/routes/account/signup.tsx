import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLocation } from '@remix-run/react'
import { AccountCard } from './account-card.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { EmailField, NewPasswordField } from './credential-fields.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { readFormErrors } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { sendToInvite } from './invite.server.ts'
import { handleForm } from '#app/server/load.server.ts'
import { rememberEmail, rememberRedirect } from './remembered.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  await sendToInvite(args)
  return guard(args, 'signedOut')
}

export async function action(args: ActionFunctionArgs) {
  const { search } = new URL(args.request.url)
  const email = (await args.request.clone().formData()).get('email')
  const then = () => {
    rememberRedirect(args)
    if (typeof email === 'string') rememberEmail(args, email.trim())
    return `/confirmation${search}`
  }
  return handleForm(args, { signup: { endpoint: v1.core.auth.signup, then } })
}

export const meta = placeTitle('Sign up')

export default function SignUp() {
  const errors = readFormErrors(useActionData<typeof action>())
  const { search } = useLocation()
  return (
    <AccountCard
      title="Sign up"
      foot={
        <>
          Already have an account? <Link to={`/login${search}`}>Sign in</Link>
        </>
      }
    >
      <Form method="post" className="form">
        <FormError errors={errors} names={['name', 'email', 'password']} />
        <TextField label="Name" name="name" autoComplete="name" required autoFocus errors={errors} />
        <EmailField errors={errors} />
        <NewPasswordField errors={errors} />
        <SubmitButton intent="signup" doing="Signing up…">
          Sign up
        </SubmitButton>
      </Form>
    </AccountCard>
  )
}

import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { AccountCard } from './account-card.tsx'
import { NewPasswordField } from './credential-fields.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { issueAt, readFormErrors } from '#app/components/form/issues.ts'
import { KeepKeys } from './own-keys.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { keysOfReset } from './account.server.ts'
import { sendToInvite } from './invite.server.ts'
import { handleForm } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** The keys are read by the email's token without using it up. */
export async function loader(args: LoaderFunctionArgs) {
  await sendToInvite(args)
  guard(args, 'signedOut')
  const token = new URL(args.request.url).searchParams.get('token') ?? ''
  const keys = await keysOfReset(args, token)
  return { token, keys: keys ?? [], isSpent: keys === null }
}

export async function action(args: ActionFunctionArgs) {
  const keptKeyIds = (await args.request.clone().formData()).getAll('keepKeys').map(String)
  const data = (form: FormData) => ({
    token: form.get('token'),
    password: form.get('password'),
    ...(keptKeyIds.length && { keepKeys: keptKeyIds }),
  })
  const outcome = await handleForm(args, {
    reset: { endpoint: v1.core.auth.reset, data, then: () => '/login?reset' },
  })
  return { ...outcome, kept: keptKeyIds }
}

export const meta = placeTitle('Reset password')

export default function ResetPassword() {
  const { token, keys, isSpent } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const errors = readFormErrors(outcome)
  if (isSpent || issueAt(errors, 'token') !== undefined) {
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
    <AccountCard
      title="Choose a new password"
      intro={
        <p>
          {keys.length
            ? 'Every device is signed out, and your keys end unless you keep them.'
            : 'Every device is signed out.'}
        </p>
      }
    >
      <Form method="post" className="form">
        <FormError errors={errors} names={['password']} />
        <input type="hidden" name="token" value={token} />
        <KeepKeys keys={keys} keptIds={outcome?.kept ?? []} />
        <NewPasswordField label="New password" autoFocus={!keys.length} errors={errors} />
        <SubmitButton intent="reset" doing="Changing…">
          Change the password
        </SubmitButton>
      </Form>
    </AccountCard>
  )
}

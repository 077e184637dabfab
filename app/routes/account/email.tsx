import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { AccountCard } from './account-card.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { issueAt, readFormErrors } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleForm } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/**
 * The target of the link in the email to a new address. The token is used by a button, not by the visit, as mail programs visit links
 * too.
 */
export function loader(args: LoaderFunctionArgs) {
  const { user } = guard(args, 'signedIn')
  return { email: user.email, token: new URL(args.request.url).searchParams.get('token') ?? '' }
}

export function action(args: ActionFunctionArgs) {
  guard(args, 'signedIn')
  return handleForm(args, { confirmEmail: { endpoint: v1.core.auth.confirmEmail } })
}

export const meta = placeTitle('New e-mail address')

export default function NewEmail() {
  const { email, token } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const errors = readFormErrors(outcome)
  const foot = <Link to="/account">To your account</Link>
  if (outcome?.ok)
    return (
      <AccountCard title="Your address is changed" foot={foot}>
        <p className="notice is-success" role="status">
          You sign in with {email} now. Every other device is signed out, and we told your old address.
        </p>
      </AccountCard>
    )
  if (!token || issueAt(errors, 'token') !== undefined)
    return (
      <AccountCard
        title="This link does not work"
        intro={
          <p role="alert">
            {errors?.message ?? 'A part of the link is missing.'} A link to confirm a new address works once,
            for 24 hours, and a newer one replaces it.
          </p>
        }
        foot={foot}
      />
    )
  return (
    <AccountCard
      title="Use this address?"
      intro={<p>The account with the address {email} gets the address this email was sent to.</p>}
      foot={foot}
    >
      <Form method="post" className="form">
        <FormError errors={errors} names={['token']} />
        <input type="hidden" name="token" value={token} />
        <SubmitButton intent="confirmEmail" doing="Changing…">
          Use this address
        </SubmitButton>
      </Form>
    </AccountCard>
  )
}

import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { AccountCard } from './account-card.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { issueAt, readFormErrors } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleForm } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** The target of the email's link. The token is used by a button, not by the visit, as mail programs visit links too. */
export function loader(args: LoaderFunctionArgs) {
  guard(args, 'signedOut')
  const token = new URL(args.request.url).searchParams.get('token')
  if (!token) throw redirect('/login')
  return { token }
}

export const action = (args: ActionFunctionArgs) =>
  handleForm(args, { allowDevice: { endpoint: v1.core.auth.allowDevice, then: () => '/login?device' } })

export const meta = placeTitle('Let this browser sign in')

export default function Device() {
  const { token } = useLoaderData<typeof loader>()
  const errors = readFormErrors(useActionData<typeof action>())
  if (issueAt(errors, 'token'))
    return (
      <AccountCard
        title="This link no longer works"
        intro={
          <p>
            A link to let a browser sign in works once, for one hour. Try to sign in again: if it is still
            needed, another email is on its way.
          </p>
        }
        foot={<Link to="/login">Back to sign in</Link>}
      >
        {null}
      </AccountCard>
    )
  return (
    <AccountCard
      title="Let this browser sign in"
      intro={
        <p>
          There were many failed sign-ins with your address. One click, and this browser may sign in whatever
          others do. It still takes your password.
        </p>
      }
      foot={<>If you are not about to sign in here, close this page.</>}
    >
      <Form method="post" className="form">
        <FormError errors={errors} names={['token']} />
        <input type="hidden" name="token" value={token} />
        <SubmitButton intent="allowDevice" doing="Letting it in…">
          Let this browser sign in
        </SubmitButton>
      </Form>
    </AccountCard>
  )
}

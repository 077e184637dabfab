import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { AccountCard } from './account-card.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { issueAt, readFormErrors } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleForm, toErrorResponse } from '#app/server/load.server.ts'
import { Failure } from '#functions/errors.ts'
import { v1 } from '#functions/v1/index.ts'

/** The target of the link in the email to the old address, for anyone who has it. A button undoes the change, not the visit. */
export function loader(args: LoaderFunctionArgs) {
  const { site, settings } = args.context.ctx
  if (site.mode !== 'main') throw toErrorResponse(new Failure('notFound'), args)
  const token = new URL(args.request.url).searchParams.get('token') ?? ''
  return { token, hasOutbox: settings.environment !== 'production' }
}

export async function action(args: ActionFunctionArgs) {
  const outcome = await handleForm(args, { undoEmail: { endpoint: v1.core.auth.undoEmail } })
  return { ...outcome, email: outcome.ok ? outcome.result.email : null }
}

export const meta = placeTitle('Undo the change of your address')

export default function UndoEmail() {
  const { token, hasOutbox } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const errors = readFormErrors(outcome)
  const foot = <Link to="/login">To sign in</Link>
  if (outcome?.ok)
    return (
      <AccountCard title="Your address is back" foot={foot}>
        <p className="notice is-success" role="status">
          Your account has the address {outcome.email} again. Every device is signed out, and the password
          does not work any more: we sent you an email to choose a new one.
        </p>
        {hasOutbox ? (
          <p className="notice">
            This demo sends no mail. <a href="/outbox">Read its emails here.</a>
          </p>
        ) : null}
      </AccountCard>
    )
  if (!token || issueAt(errors, 'token') !== undefined)
    return (
      <AccountCard
        title="This link no longer works"
        intro={
          <p role="alert">
            A link to undo the change of an address works once, for seven days. If someone else has your
            account, ask for help at your organization.
          </p>
        }
        foot={foot}
      />
    )
  return (
    <AccountCard
      title="Take your address back?"
      intro={
        <p>
          Your account gets the address this email was sent to again. Every device is signed out, and you
          choose a new password.
        </p>
      }
      foot="Was it you who changed the address? Then close this page."
    >
      <Form method="post" className="form">
        <FormError errors={errors} names={['token']} />
        <input type="hidden" name="token" value={token} />
        <SubmitButton intent="undoEmail" doing="Undoing…">
          Take it back
        </SubmitButton>
      </Form>
    </AccountCard>
  )
}

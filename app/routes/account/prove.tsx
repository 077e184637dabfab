import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { AccountCard } from './account-card.tsx'
import { readFormErrors } from '#app/components/form/issues.ts'
import { proofIn, ProveFields } from '#app/components/form/prove-form.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleForm, load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'signedIn')
  const { factor } = await load(args, { factor: v1.core.factor.state })
  return { factors: factor.isOn ? { app: factor.hasApp, passkey: factor.hasPasskey } : null }
}

/** Used by the dialog of the workspace, and by this screen without scripts. */
export function action(args: ActionFunctionArgs) {
  guard(args, 'signedIn')
  return handleForm(args, { prove: { endpoint: v1.core.factor.prove, data: proofIn } })
}

export const meta = placeTitle('Confirm that it is you')

export default function Prove() {
  const { factors } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  return (
    <AccountCard
      title="Confirm that it is you"
      intro={<p>What you are about to do is asked for once more. It counts for ten minutes.</p>}
    >
      {outcome?.ok ? (
        <p className="notice is-success" role="status">
          Confirmed. Go back and send your form again.
        </p>
      ) : (
        <Form method="post" className="form">
          <ProveFields factors={factors} errors={readFormErrors(outcome)}>
            <SubmitButton intent="prove" doing="Confirming…">
              Confirm
            </SubmitButton>
          </ProveFields>
        </Form>
      )}
    </AccountCard>
  )
}

import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { AccountCard } from './account-card.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { lateEmailsOf, stopLateEmails } from './unsubscribe.server.ts'

/** Where the last link of an email about late data leads. Looking stops nothing; the button does, and so does a bare POST. */
export async function loader(args: LoaderFunctionArgs) {
  return { emails: await lateEmailsOf(args) }
}

export async function action(args: ActionFunctionArgs) {
  return { emails: await stopLateEmails(args) }
}

export const meta = placeTitle('Stop these emails')

export default function UnsubscribeLate() {
  const loaded = useLoaderData<typeof loader>()
  const done = useActionData<typeof action>()
  const { emails } = done ?? loaded
  if (!emails)
    return (
      <AccountCard
        title="This link does not work any more"
        intro={<p>Emails have a link that works for 90 days. Use that of a newer one.</p>}
      />
    )
  if (!emails.isOn)
    return (
      <AccountCard
        title="No more emails"
        intro={
          <p>
            You get no emails about data that is late. It is still marked in the workspace, and your account
            has the switch that turns them on again.
          </p>
        }
      />
    )
  return (
    <AccountCard
      title="Stop these emails?"
      intro={<p>You are written to, at most once a day, when new data of your organizations is late.</p>}
    >
      <Form method="post" className="form">
        <SubmitButton intent="stop" doing="Stopping…">
          Stop these emails
        </SubmitButton>
      </Form>
    </AccountCard>
  )
}

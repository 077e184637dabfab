import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { StopEmails } from './stop-emails.tsx'
import { findReportSubscription, stopReportEmails } from './unsubscribe.server.ts'

/** The target of the unsubscribe link in emails about reports. A visit changes nothing; the button does, and so does a bare POST. */
export async function loader(args: LoaderFunctionArgs) {
  return { emails: await findReportSubscription(args) }
}

export async function action(args: ActionFunctionArgs) {
  return { emails: await stopReportEmails(args) }
}

export const meta = placeTitle('Stop these emails')

export default function UnsubscribeReports() {
  const loaded = useLoaderData<typeof loader>()
  const done = useActionData<typeof action>()
  const { emails } = done ?? loaded
  return (
    <StopEmails
      state={!emails ? 'gone' : emails.isOn ? 'on' : 'off'}
      words={{
        gone: 'Emails have a link that works for 90 days. Use that of a newer one.',
        on: `${emails?.placeName} writes to you when readers report errors in its data.`,
        off: `You get no emails about errors that readers of ${emails?.placeName} report. They are still listed in the workspace.`,
      }}
    />
  )
}

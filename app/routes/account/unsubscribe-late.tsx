import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { StopEmails } from './stop-emails.tsx'
import { findLateDataSubscription, stopLateEmails } from './unsubscribe.server.ts'

/** The target of the unsubscribe link in emails about late data. A visit changes nothing; the button does, and so does a bare POST. */
export async function loader(args: LoaderFunctionArgs) {
  return { emails: await findLateDataSubscription(args) }
}

export async function action(args: ActionFunctionArgs) {
  return { emails: await stopLateEmails(args) }
}

export const meta = placeTitle('Stop these emails')

export default function UnsubscribeLate() {
  const loaded = useLoaderData<typeof loader>()
  const done = useActionData<typeof action>()
  const { emails } = done ?? loaded
  return (
    <StopEmails
      state={!emails ? 'gone' : emails.isOn ? 'on' : 'off'}
      words={{
        gone: 'Emails have a link that works for 90 days. Use that of a newer one.',
        on: 'You are written to, at most once a day, when new data of your organizations is late.',
        off: 'You get no emails about data that is late. It is still marked in the workspace, and your account has the switch that turns them on again.',
      }}
    />
  )
}

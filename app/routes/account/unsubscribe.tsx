import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { StopEmails } from './stop-emails.tsx'
import { stopEmails, findSubscription } from './unsubscribe.server.ts'

/** The target of the unsubscribe link in an observer's email. A visit changes nothing; the button does, and so does a bare POST. */
export async function loader(args: LoaderFunctionArgs) {
  return { letters: await findSubscription(args) }
}

export async function action(args: ActionFunctionArgs) {
  return { letters: await stopEmails(args) }
}

export const meta = placeTitle('Stop these emails')

export default function Unsubscribe() {
  const loaded = useLoaderData<typeof loader>()
  const done = useActionData<typeof action>()
  const { letters } = done ?? loaded
  return (
    <StopEmails
      state={!letters ? 'gone' : letters.isRecipient ? 'on' : 'off'}
      words={{
        gone: 'Emails have a link that works for 90 days. Use that of a newer one, or ask an admin.',
        on: `The observer “${letters?.name}” writes to you when it has something to tell.`,
        off: `You no longer get emails from the observer “${letters?.name}”.`,
      }}
    />
  )
}

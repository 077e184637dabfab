import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { AccountCard } from './account-card.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { stopLetters, subscriptionOf } from './unsubscribe.server.ts'

/** Where the last link of an observer's letter leads. Looking stops nothing; the button does, and so does a bare POST. */
export async function loader(args: LoaderFunctionArgs) {
  return { letters: await subscriptionOf(args) }
}

export async function action(args: ActionFunctionArgs) {
  return { letters: await stopLetters(args) }
}

export const meta = placeTitle('Stop these emails')

export default function Unsubscribe() {
  const loaded = useLoaderData<typeof loader>()
  const done = useActionData<typeof action>()
  const { letters } = done ?? loaded
  if (!letters)
    return (
      <AccountCard
        title="This link does not work any more"
        intro={<p>Letters have a link that works for 90 days. Use that of a newer one, or ask an admin.</p>}
      />
    )
  if (!letters.isRecipient)
    return (
      <AccountCard
        title="No more emails"
        intro={<p>You get no letters of the observer “{letters.name}”.</p>}
      />
    )
  return (
    <AccountCard
      title="Stop these emails?"
      intro={<p>The observer “{letters.name}” writes to you when it has something to tell.</p>}
    >
      <Form method="post" className="form">
        <SubmitButton intent="stop" doing="Stopping…">
          Stop these emails
        </SubmitButton>
      </Form>
    </AccountCard>
  )
}

import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { AccountCard } from './account-card.tsx'

interface StopEmailsProps {
  /** `gone`: the link is invalid; `on`: emails are sent and the button stops them; `off`: none are sent. */
  state: 'gone' | 'on' | 'off'
  /** The text of each state. */
  words: Record<StopEmailsProps['state'], ReactNode>
}

const titles = {
  gone: 'This link does not work any more',
  on: 'Stop these emails?',
  off: 'No more emails',
}

/** The screen of an unsubscribe link: which emails it is about, and the button that stops them. */
export function StopEmails({ state, words }: StopEmailsProps) {
  return (
    <AccountCard title={titles[state]} intro={<p>{words[state]}</p>}>
      {state === 'on' ? (
        <Form method="post" className="form">
          <SubmitButton intent="stop" doing="Stopping…">
            Stop these emails
          </SubmitButton>
        </Form>
      ) : null}
    </AccountCard>
  )
}

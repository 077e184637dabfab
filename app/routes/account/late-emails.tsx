import { Form } from '@remix-run/react'
import { SubmitButton } from '#app/components/form/submit-button.tsx'

/** Whether the person gets emails about overdue data, with a button to change it. */
export function LateEmails({ isOn }: { isOn: boolean }) {
  return (
    <section aria-labelledby="late-emails">
      <h2 id="late-emails">Emails about late data</h2>
      <Form method="post" className="stack" preventScrollReset>
        <p>
          {isOn
            ? 'You are written to, at most once a day, when new data of sources that you may change is late.'
            : 'You are not written to when new data is late. It is still marked in the workspace.'}
        </p>
        <div>
          <SubmitButton intent={isOn ? 'stopLate' : 'startLate'} className="button">
            {isOn ? 'Stop these emails' : 'Send me these emails'}
          </SubmitButton>
        </div>
      </Form>
    </section>
  )
}

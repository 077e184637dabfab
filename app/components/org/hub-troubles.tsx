import { Form } from '@remix-run/react'
import { SubmitButton } from '#app/components/form/submit-button.tsx'

/** Why readers of a hub do not see what is saved, and when it is tried again. */
export interface HubTrouble {
  /** What cannot be written: 'pages', 'state', or a host. */
  id: string
  message: string
  next: string
}

/** What is wrong with a hub, with a button for who may have it tried at once. Nothing while all is well. */
export function HubTroubles({ troubles, mayRetry }: { troubles: readonly HubTrouble[]; mayRetry: boolean }) {
  if (troubles.length === 0) return null
  // Where only pages fail the edge knows what was withdrawn; a host that could not be told may show it still.
  const areOnlyPages = troubles.every(({ id }) => id === 'pages')
  return (
    <div className="notice is-warning stack" role="status">
      {troubles.map(({ id, message, next }) => (
        <p key={id}>
          {message} <span className="num">{next}</span>
        </p>
      ))}
      <p>
        Nothing is lost: what was saved is shown as soon as this is over.{' '}
        {areOnlyPages
          ? 'What was withdrawn is not shown.'
          : 'Until then addresses that do not know of it may show what was withdrawn.'}
      </p>
      {mayRetry ? (
        <Form method="post" preventScrollReset>
          <SubmitButton intent="publishNow" className="button" doing="Trying…">
            Try again now
          </SubmitButton>
        </Form>
      ) : null}
    </div>
  )
}

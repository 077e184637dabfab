import { Form } from '@remix-run/react'
import { SubmitButton } from '#app/components/form/submit-button.tsx'

/** Why hub readers do not see saved changes, and when publishing is retried. */
export interface HubTrouble {
  /** What cannot be published: 'pages', 'state', or a host. */
  id: string
  message: string
  next: string
}

/** The problems of a hub, with a button to retry for those who may. Nothing if there are none. */
export function HubTroubles({ troubles, mayRetry }: { troubles: readonly HubTrouble[]; mayRetry: boolean }) {
  if (troubles.length === 0) return null
  // If only pages fail, the edge knows what was withdrawn; a host that could not be updated may still show it.
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

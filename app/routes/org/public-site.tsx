import { Form, Link } from '@remix-run/react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'

export interface PublicSiteProps {
  place: { isHub: boolean; version: number }
  /** The address of the hub, and the one below the public host. */
  hubUrl: string
  ownUrl: string
  /** Nothing is published that readers would find there. */
  isEmpty: boolean
}

/** Whether the hub is public, its URL, and the button that opens or closes it. */
export function PublicSite({ place, hubUrl, ownUrl, isEmpty }: PublicSiteProps) {
  return (
    <section aria-labelledby="public">
      <h2 id="public">Public site</h2>
      <div className="stack">
        <p>
          {place.isHub ? (
            <>
              Everyone can read your hub at <a href={hubUrl}>{hubUrl}</a>.
            </>
          ) : (
            <>
              Nobody sees a hub yet. When you open it, published stories and public sources can be read at{' '}
              <b>{ownUrl}</b>.
            </>
          )}
        </p>
        <Form method="post" preventScrollReset>
          <input type="hidden" name="version" value={place.version} />
          {place.isHub ? (
            <ConfirmButton
              intent="hide"
              question="Close the hub?"
              text="Its addresses stop answering within seconds. Nothing is deleted, and you can open it again."
              answer="Close the hub"
              className="button is-danger"
            >
              Close the hub
            </ConfirmButton>
          ) : (
            <SubmitButton intent="show" doing="Opening…">
              Open the hub
            </SubmitButton>
          )}
        </Form>
        {isEmpty ? (
          <p className="muted">
            Readers {place.isHub ? 'find' : 'would find'} it empty: nothing is published yet.{' '}
            <Link to="/pages">Publish a page</Link> or <Link to="/sources">make a source public</Link>.
          </p>
        ) : null}
      </div>
    </section>
  )
}

import { Form } from '@remix-run/react'
import { makeFailure } from '#app/client/drafts/client-handlers.ts'
import { showToast } from '#app/client/toast.ts'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { CopyButton } from '#app/components/form/copy-button.tsx'
import { BoardLine, DraftStatus, StaleLine } from '#app/components/form/draft-status.tsx'
import { DraftOffer } from '#app/components/form/draft-offer.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { Part, Sample } from './sample.tsx'

const looks = ['button is-primary', 'button', 'button is-quiet', 'button is-danger', 'button is-small']
const draft = {
  texts: { title: 'Trees of Seattle, by street' },
  at: Date.UTC(2026, 10, 20, 9, 30),
  version: 3,
  title: 'Trees of Seattle',
  path: '/gallery',
}
const nothing = () => {}

/** What a person presses, what is asked before, and what is said after. */
export function Actions() {
  return (
    <Part title="Buttons, dialogs and messages">
      <Sample name="SubmitButton">
        <Form method="post" className="row">
          {looks.map((look) => (
            <SubmitButton key={look} intent={look} className={look} doing="Saving…">
              {look.split(' is-')[1] ?? 'plain'}
            </SubmitButton>
          ))}
        </Form>
        <p className="row">
          {looks.map((look) => (
            <button key={look} type="button" className={look} disabled>
              {look.split(' is-')[1] ?? 'plain'}, disabled
            </button>
          ))}
        </p>
      </Sample>
      <Sample name="ConfirmButton">
        <Form method="post">
          <ConfirmButton
            intent="delete"
            question="Delete the collection “Water”?"
            text="Its 12 insights stay. It can be brought back for 30 days."
            answer="Delete it"
          >
            Delete…
          </ConfirmButton>
        </Form>
      </Sample>
      <Sample name="CopyButton">
        <CopyButton text="https://data.seattle.example" what="the address" />
      </Sample>
      <Sample name="Toasts">
        <p className="row">
          <button
            type="button"
            className="button"
            onClick={() => void showToast((toast) => toast.success('The collection is saved.'))}
          >
            Show a success
          </button>
          <button
            type="button"
            className="button"
            onClick={() => void showToast((toast) => toast.error('That did not work. Try again.'))}
          >
            Show a failure
          </button>
        </p>
      </Sample>
      <Sample name="DraftStatus, BoardLine, StaleLine">
        <DraftStatus failure={makeFailure('offline')} outcome="kept" seconds={8} onTry={nothing} />
        <DraftStatus failure={makeFailure('slow')} outcome="full" seconds={null} onTry={nothing} />
        <DraftStatus failure={makeFailure('signedOut')} outcome="off" seconds={null} onTry={nothing} />
        <BoardLine failure={makeFailure('unavailable')} seconds={16} onTry={nothing} />
        <StaleLine />
      </Sample>
      <Sample name="DraftOffer">
        <DraftOffer
          draft={draft}
          version={4}
          ownVersion={<p>Trees of Seattle, by street</p>}
          theirs={<p>Trees of Seattle, by district</p>}
          onUse={nothing}
          onDecline={nothing}
        />
        <DraftOffer
          draft={{ ...draft, version: null }}
          version={null}
          ownVersion={<p>A text that was never saved</p>}
          theirs={null}
          onUse={nothing}
          onDecline={nothing}
        />
      </Sample>
    </Part>
  )
}

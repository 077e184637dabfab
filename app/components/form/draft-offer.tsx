import { useId, type ReactNode } from 'react'
import type { Draft } from '#app/client/drafts/drafts.ts'
import { Moment } from '../list/time.tsx'

interface DraftOfferProps {
  draft: Draft
  /** The saved version; null without one. */
  version: number | null
  /** Both texts side by side; `theirs` is null if nothing is saved yet. */
  ownVersion: ReactNode
  theirs: ReactNode
  onUse(): void
  onDecline(): void
  /** The labels of the two buttons. */
  words?: { use: string; decline: string }
}

const usual = { use: 'Use my text', decline: 'Keep the saved text' }
const newItemWords = { use: 'Use my text', decline: 'Throw it away' }

/** Offers an earlier draft, with its date, beside the saved values. */
export function DraftOffer({ draft, version, ownVersion, theirs, onUse, onDecline, words }: DraftOfferProps) {
  const id = useId()
  const { use, decline } = words ?? (theirs === null ? newItemWords : usual)
  const isOlder = version !== null && draft.version !== null && version > draft.version
  return (
    <section className="notice kept-offer needs-scripts" aria-labelledby={id}>
      <p id={id}>
        <b>Not saved:</b> your text of <Moment date={new Date(draft.at)} /> is kept on this device.
        {isOlder ? ' What is saved was changed since you began it.' : ''}
      </p>
      <details open={isOlder}>
        <summary>{theirs === null ? 'Show it' : 'Compare'}</summary>
        <div className="kept-sides">
          <div>
            <p className="kept-side-name">Your text</p>
            {ownVersion}
          </div>
          {theirs === null ? null : (
            <div>
              <p className="kept-side-name">What is saved</p>
              {theirs}
            </div>
          )}
        </div>
      </details>
      <div className="button-group">
        <button type="button" className="button is-small is-primary" onClick={onUse}>
          {use}
        </button>
        <button type="button" className="button is-small" onClick={onDecline}>
          {decline}
        </button>
      </div>
    </section>
  )
}

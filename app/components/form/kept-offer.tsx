import { useId, type ReactNode } from 'react'
import type { Draft } from '#app/client/kept/drafts.ts'
import { Moment } from '../list/time.tsx'

interface KeptOfferProps {
  draft: Draft
  /** The version that is saved now; null without one. */
  version: number | null
  /** Both texts, to be shown beside each other; nothing is saved yet where `theirs` is null. */
  ownVersion: ReactNode
  theirs: ReactNode
  onUse(): void
  onDecline(): void
  /** What the two answers are called. */
  words?: { use: string; decline: string }
}

const usual = { use: 'Use my text', decline: 'Keep the saved text' }
const ofNew = { use: 'Use my text', decline: 'Throw it away' }

/** Offers what was typed before and not saved, with its date, beside what is saved. */
export function KeptOffer({ draft, version, ownVersion, theirs, onUse, onDecline, words }: KeptOfferProps) {
  const id = useId()
  const { use, decline } = words ?? (theirs === null ? ofNew : usual)
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

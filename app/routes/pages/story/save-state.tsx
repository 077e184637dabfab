import type { ReactNode } from 'react'
import { FormError } from '#app/components/form/form-error.tsx'
import { DraftStatus } from '#app/components/form/draft-status.tsx'
import { DraftOffer } from '#app/components/form/draft-offer.tsx'
import type { SaveHandle } from './use-saving.ts'

export interface SaveStateProps<T extends Record<string, string>> {
  saving: SaveHandle<T>
  intent: string
  names: readonly string[]
  /** The texts to compare: someone else's version, or a draft. */
  showTexts(texts: T): ReactNode
}

/** The state of each content: unsaved, saving, rejected, failed with a draft, or conflict. */
export function SaveState<T extends Record<string, string>>({
  saving,
  intent,
  names,
  showTexts,
}: SaveStateProps<T>) {
  const { isDirty, isSaving, errors, conflict, offer, failure } = saving
  return (
    <>
      {offer ? (
        <DraftOffer
          draft={offer.draft}
          version={offer.version}
          ownVersion={showTexts(offer.mine)}
          theirs={showTexts(offer.theirs)}
          onUse={offer.use}
          onDecline={offer.decline}
        />
      ) : null}
      <FormError errors={errors} names={names} />
      {conflict ? (
        <div className="notice is-warning conflict" role="alert">
          <p>
            <b>Someone else changed this while you were writing.</b> Your text is still here, and theirs is
            saved: save again to put yours in its place.
          </p>
          <details>
            <summary>What they wrote</summary>
            {showTexts(conflict.theirs)}
          </details>
          <div className="button-group">
            <button type="button" className="button is-small is-primary" onClick={conflict.saveMine}>
              Keep mine
            </button>
            <button type="button" className="button is-small" onClick={conflict.acceptTheirs}>
              Use theirs
            </button>
          </div>
        </div>
      ) : null}
      <DraftStatus
        failure={failure}
        outcome={saving.draftOutcome}
        seconds={saving.retryIn}
        onTry={saving.save}
      />
      {isDirty && !conflict && !failure ? (
        <p className="save-line needs-scripts">
          <button
            type="button"
            className="button is-small is-primary"
            aria-disabled={isSaving || undefined}
            onClick={saving.save}
          >
            {isSaving ? 'Saving…' : 'Save'}
          </button>
          <span className="muted">Not saved yet</span>
        </p>
      ) : null}
      <noscript>
        <button className="button is-small" name="intent" value={intent}>
          Save
        </button>
      </noscript>
    </>
  )
}

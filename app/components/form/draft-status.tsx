import type { DraftOutcome } from '#app/client/drafts/drafts.ts'
import type { FailedSave } from '#app/client/drafts/client-handlers.ts'
import { useStale } from '#app/client/drafts/unsaved-parts.ts'

interface DraftStatusProps {
  /** Why the last save failed; null if it did not. */
  failure: FailedSave | null
  outcome: DraftOutcome
  /** Seconds until the next retry; null without one. */
  seconds: number | null
  onTry(): void
  /** Whether the input is not stored on the device. */
  isOnScreen?: boolean
}

/** The status below an unsaved form: stored on this device, why the save failed, and when it is retried. */
export function DraftStatus({ failure, outcome, seconds, onTry, isOnScreen = false }: DraftStatusProps) {
  if (!failure && outcome !== 'full') return null
  const isOut = failure?.kind === 'signedOut' || failure?.kind === 'otherUser'
  return (
    <div className="notice is-warning kept-line">
      <p role="status">
        {failure ? (
          <>
            <b>{isOnScreen ? 'The arrangement is not saved.' : describeFailedSave(failure, outcome)}</b>{' '}
            {failure.message}
          </>
        ) : (
          <b>{noRoom}</b>
        )}{' '}
        {failure?.kind === 'signedOut' ? 'Sign in again in a new tab; this one then goes on by itself.' : ''}
        {failure?.kind === 'otherUser' ? 'Only you are shown this text, when you sign in again.' : ''}
      </p>
      {failure ? (
        <p className="row">
          {isOut ? (
            <a
              className="button is-small is-primary"
              href="/login?redirectTo=/home"
              target="_blank"
              rel="opener"
            >
              Sign in again<span className="sr-only"> (opens a new tab)</span>
            </a>
          ) : null}
          {seconds === null ? null : (
            // Hidden from screen readers: announced every second it would interrupt everything else.
            <span className="muted num" aria-hidden="true">
              Trying again in {seconds} s
            </span>
          )}
          <button type="button" className="button is-small" onClick={onTry}>
            Try now
          </button>
        </p>
      ) : null}
    </div>
  )
}

const noRoom = 'This device has no room to keep what you write. Copy it to a safe place before you leave.'

function describeFailedSave({ kind }: FailedSave, outcome: DraftOutcome): string {
  if (outcome === 'full') return `Not saved. ${noRoom}`
  if (outcome === 'off') return 'Not saved, and not kept on this device: you signed out in another tab.'
  return kind === 'signedOut' ? 'Your text is kept on this device.' : 'Not saved, kept on this device.'
}

/** The same for an arrangement, which is not stored on the device. */
export function BoardLine({ failure, seconds, onTry }: Omit<DraftStatusProps, 'outcome'>) {
  return <DraftStatus {...{ failure, seconds, onTry }} outcome="kept" isOnScreen />
}

/** A note that everything is saved but the screen shows stale data. */
export function StaleLine() {
  const isStale = useStale()
  return isStale ? (
    <p className="muted stale-line" role="status">
      The latest data could not be loaded: this page may be out of date.
    </p>
  ) : null
}

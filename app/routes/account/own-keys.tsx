import { useFetcher } from '@remix-run/react'
import { Day } from '#app/components/list/time.tsx'
import { keyScopes, type KeyScope } from '#functions/shapes/key-scope.ts'

/** A key of a person: one that acts as them, or one they created for a source. */
export interface OwnKeyLine {
  id: string
  name: string
  prefix: string
  scope: KeyScope
  placeName: string | null
  sourceName: string | null
  createdAt: Date | string
  lastUsedAt: Date | string | null
}

/** The keys that a new password revokes, with checkboxes to keep some. Initially unchecked. */
export function KeepKeys({ keys, keptIds }: { keys: OwnKeyLine[]; keptIds: readonly string[] }) {
  if (!keys.length) return null
  return (
    <fieldset className="fieldset">
      <legend>Keys of programs</legend>
      <p className="field-hint">
        Tick only what you made yourself and still need. Every other key stops working.
      </p>
      <ul className="list">
        {keys.map((key) => (
          <li key={key.id} className="list-item">
            <div className="list-main">
              <label className="choice list-title">
                <input
                  type="checkbox"
                  name="keepKeys"
                  value={key.id}
                  defaultChecked={keptIds.includes(key.id)}
                  aria-describedby={`about-${key.id}`}
                />
                <span>
                  Keep “{key.name}”<span className="sr-only">, {key.prefix}</span>
                </span>
              </label>
              <AboutKey of={key} />
            </div>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/** The keys that stay valid after a change of password, each with a revoke button. */
export function KeysLeft({ keys }: { keys: OwnKeyLine[] }) {
  return (
    <div className="notice is-success stack">
      <p role="status">
        Your password is changed, and every other device is signed out.
        {keys.length
          ? ` ${keys.length === 1 ? 'One key still works' : `${keys.length} keys still work`}. Revoke what you do not know or do not need.`
          : ' You have no keys.'}
      </p>
      {keys.length ? (
        <ul className="list">
          {keys.map((key) => (
            <KeyLeft key={key.id} of={key} />
          ))}
        </ul>
      ) : null}
    </div>
  )
}

/** By a fetcher, so that the others stay listed. */
function KeyLeft({ of: key }: { of: OwnKeyLine }) {
  const fetcher = useFetcher<{ ok: boolean }>()
  return (
    <li className="list-item">
      <div className="list-main">
        <div className="list-title">{key.name}</div>
        <AboutKey of={key} />
      </div>
      {fetcher.data?.ok ? (
        <span className="badge">Revoked</span>
      ) : (
        <fetcher.Form method="post" className="list-actions">
          <input type="hidden" name="id" value={key.id} />
          <button className="button is-small is-danger" name="intent" value="revokeKey">
            Revoke<span className="sr-only"> {key.name}</span>
          </button>
        </fetcher.Form>
      )}
    </li>
  )
}

function AboutKey({ of: key }: { of: OwnKeyLine }) {
  return (
    <div className="list-note" id={`about-${key.id}`}>
      {opens(key)}. Begins with <code>{key.prefix}</code>, made <Day date={key.createdAt} />, last used{' '}
      <Day date={key.lastUsedAt} />
    </div>
  )
}

function opens({ scope, sourceName, placeName }: OwnKeyLine): string {
  if (scope !== 'source') return keyScopes[scope]
  return `Writes ${sourceName ? `“${sourceName}”` : 'a source'} of ${placeName ?? 'an organization'}`
}

import { formatNumber } from '#app/components/list/number-format.ts'
import { useState, type ReactNode } from 'react'

/** One request of a check, and its outcome. */
export interface RequestReport {
  what: string
  isGood: boolean
  message: string
}

/**
 * Requests a file as the tools do: completely (aborted after the first bytes), then again with its validator. Gives a line for each
 * relevant property, in order; a failed request is a line too.
 */
export async function checkFile(url: string): Promise<RequestReport[]> {
  const startMs = performance.now()
  let first: Response
  try {
    first = await fetch(url, { credentials: 'omit', cache: 'no-store', redirect: 'follow' })
  } catch (error) {
    return [{ what: 'GET, without signing in', isGood: false, message: `No answer: ${String(error)}` }]
  }
  const reader = first.body?.getReader()
  const piece = await reader?.read()
  const ms = Math.round(performance.now() - startMs)
  void reader?.cancel()
  const rows = first.headers.get('x-row-count')
  const isThere = first.status === 200 && (piece?.value?.length ?? 0) > 0
  const lines: RequestReport[] = [
    {
      what: 'GET, without signing in',
      isGood: isThere,
      message: `${first.status}${isThere ? `, first bytes after ${ms} ms` : ''}`,
    },
  ]
  if (!isThere) return lines
  lines.push({ what: 'Kind of file', isGood: true, message: first.headers.get('content-type') ?? 'not said' })
  if (rows) lines.push({ what: 'Records in it', isGood: true, message: formatNumber(Number(rows)) })
  const etag = first.headers.get('etag')
  if (!etag) return lines
  const again = await fetch(url, {
    credentials: 'omit',
    cache: 'no-store',
    headers: { 'if-none-match': etag },
  })
  void again.body?.cancel()
  lines.push({
    what: 'GET again, only if changed',
    isGood: again.status === 304,
    message: again.status === 304 ? '304: nothing is sent twice' : `${again.status}`,
  })
  return lines
}

/** A button that makes the tool's request and shows the outcome. Requires scripts. `children`: buttons beside it. */
export function CheckNow({ url, label, children }: { url: string; label: string; children: ReactNode }) {
  const [state, setState] = useState<'idle' | 'busy' | RequestReport[]>('idle')
  const run = async () => {
    setState('busy')
    setState(await checkFile(url))
  }
  return (
    <div className="stack">
      <div className="button-group">
        {children}
        <button
          type="button"
          className="button needs-scripts"
          aria-disabled={state === 'busy' || undefined}
          onClick={() => void (state === 'busy' ? null : run())}
        >
          {state === 'busy' ? 'Checking…' : 'Check now'}
          <span className="sr-only"> {label}</span>
        </button>
      </div>
      <div role="status">
        {Array.isArray(state) ? (
          <ul className="list is-plain">
            {state.map(({ what, isGood, message: text }) => (
              <li key={what}>
                <span className={isGood ? 'badge is-success' : 'badge is-danger'}>
                  {isGood ? 'Good' : 'Failed'}
                </span>{' '}
                {what}: {text}
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </div>
  )
}

import { useEffect, useRef, useState } from 'react'
import type { LogLine } from './job-log.tsx'

const everyMs = 2000
const maxAtOnce = 500

/** The longer of two lists of lines, as lines are only appended. */
export const longest = (loadedLines: LogLine[], polledLines: LogLine[]) =>
  polledLines.length > loadedLines.length ? polledLines : loadedLines

/** The log of a run: while it is open, further lines are polled from `path`. After its end they are loaded once more. */
export function useLog(loaded: LogLine[], path: string, isGoingOn: boolean): LogLine[] {
  const [polledLines, setPolledLines] = useState<LogLine[]>([])
  const lines = longest(loaded, polledLines)
  const latestLines = useRef(lines)
  latestLines.current = lines
  const wasGoingOn = useRef(isGoingOn)
  useEffect(() => {
    if (!isGoingOn && !wasGoingOn.current) return
    wasGoingOn.current = isGoingOn
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      try {
        const from = latestLines.current
        const answer = await fetch(`${path}?offset=${from.length}&limit=${maxAtOnce}`, {
          cache: 'no-store',
          headers: { accept: 'application/json' },
          signal: stop.signal,
        })
        const { results } = answer.ok ? ((await answer.json()) as { results: LogLine[] }) : { results: [] }
        if (results.length) setPolledLines([...from, ...results])
      } catch {
        if (stop.signal.aborted) return
        // Failed requests are repeated; the run continues regardless.
      }
      if (isGoingOn) timer = setTimeout(() => void ask(), everyMs)
    }
    timer = setTimeout(() => void ask(), isGoingOn ? everyMs : 0)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [isGoingOn, path])
  return lines
}

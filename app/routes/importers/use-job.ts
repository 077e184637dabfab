import { useRevalidator } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { isOpen, type ShownJob } from '#app/components/importer/job-words.ts'

const quick = 1000
const slow = 3000
/** How long a run is polled every second, in milliseconds; afterwards less often. */
const quickFor = 60_000

/**
 * The current state of a run: polled while it is open, with its ETag, so that unchanged responses are cheap. When it ends the screen
 * is reloaded.
 */
export function useJob(loadedJob: ShownJob, path: string): ShownJob {
  const [live, setLive] = useState<ShownJob | null>(null)
  const { revalidate } = useRevalidator()
  const job = live && live.id === loadedJob.id && isOpen(loadedJob) ? live : loadedJob
  const isGoingOn = isOpen(loadedJob)
  useEffect(() => {
    if (!isGoingOn) return
    const stop = new AbortController()
    const startedAt = Date.now()
    let etag = ''
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      try {
        const headers: HeadersInit = etag ? { 'if-none-match': etag } : {}
        const answer = await fetch(path, { headers, cache: 'no-store', signal: stop.signal })
        if (answer.status === 200) {
          etag = answer.headers.get('etag') ?? ''
          const next = (await answer.json()) as ShownJob
          setLive(next)
          if (!isOpen(next)) {
            revalidate()
            return
          }
        }
      } catch {
        if (stop.signal.aborted) return
        // Failed requests are repeated; the run continues regardless.
      }
      timer = setTimeout(() => void ask(), Date.now() - startedAt < quickFor ? quick : slow)
    }
    timer = setTimeout(() => void ask(), quick / 2)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [isGoingOn, path, revalidate])
  return job
}

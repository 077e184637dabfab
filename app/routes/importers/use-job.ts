import { useRevalidator } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { isOpen, type ShownJob } from '#app/components/importer/job-words.ts'

const quick = 1000
const slow = 3000
/** So long it is asked each second; after that a run takes its time. */
const quickFor = 60_000

/**
 * A run as it is now: asked again while it goes on, with its ETag, so that an answer without news costs nothing. When it has
 * ended the screen is loaded anew.
 */
export function useJob(loaded: ShownJob, path: string): ShownJob {
  const [live, setLive] = useState<ShownJob | null>(null)
  const { revalidate } = useRevalidator()
  const job = live && live.id === loaded.id && isOpen(loaded) ? live : loaded
  const isGoingOn = isOpen(loaded)
  useEffect(() => {
    if (!isGoingOn) return
    const stop = new AbortController()
    const began = Date.now()
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
        // What failed on the way is asked again: the run goes on without us.
      }
      timer = setTimeout(() => void ask(), Date.now() - began < quickFor ? quick : slow)
    }
    timer = setTimeout(() => void ask(), quick / 2)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [isGoingOn, path, revalidate])
  return job
}

import { serveHub } from '#functions/edge/hub/static-hub.ts'
import { readSnapshotAgain } from '#functions/edge/hub/snapshot.ts'
import { sql } from 'kysely'
import type { VisitPath } from './make-hub.ts'
import { publishOutbox } from './publish.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import type { TestWorld, TestContext } from '#db/worlds/world.ts'

interface Fault {
  fails: ((key: string, verb: string) => boolean) | null
  slow: ((key: string) => number) | null
}

/** A bucket of which some keys can be made to fail, or to take some milliseconds to read. */
export function faultyBucket() {
  const inner = memoryBucket()
  const fault: Fault = { fails: null, slow: null }
  const verbs = new Set(['get', 'put', 'delete', 'head'])
  const bucket = new Proxy(inner, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof value !== 'function' || typeof name !== 'string' || !verbs.has(name)) return value
      return async (...args: unknown[]) => {
        const [key] = [args[0]].flat() as [string]
        if (fault.fails?.(key, name)) throw new Error(`${name}: We encountered an internal error. (10001)`)
        const ms = name === 'put' ? 0 : (fault.slow?.(key) ?? 0)
        if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
        return (value as (...args: unknown[]) => Promise<unknown>).apply(target, args)
      }
    },
  })
  return { bucket, fault }
}

const statuses: Record<string, number> = { '/error': 500, '/404': 404 }

/** Hubs whose pages are rendered by a function of the test, on a bucket that can be made to fail. */
export function openHubs(world: TestWorld) {
  const { bucket: hubs, fault } = faultyBucket()
  const wakes: number[] = []
  const ctx: TestContext = world.as('system', { hubs, files: memoryBucket() })
  ctx.wake = (_kind?: string, delaySeconds = 0) => void wakes.push(delaySeconds)
  const state = {
    words: 'first',
    visited: [] as string[],
    /** Replaces the rendering of a page. */
    instead: null as ((placeId: string, path: string) => Promise<void> | void) | null,
    tags: (_path: string): string[] => ['source:open'],
  }
  const visit: VisitPath = async ({ placeId }, path, languages) => {
    state.visited.push(`${placeId} ${path}`)
    await state.instead?.(placeId, path)
    const body = `${state.words} ${path}`
    const page = { status: statuses[path] ?? 200, type: 'text/html', body, files: [] }
    return languages.map((locale) => ({ locale, ...page, tags: state.tags(path) }))
  }
  return {
    ctx,
    hubs,
    fault,
    state,
    wakes,
    publish: (places: string[] = []) => publishOutbox(ctx, visit, () => {}, places),
    visit,
    /** Inserts an event into the outbox. */
    emit: (kind: string, payload: object, placeId: string | null = 'oakton') =>
      ctx.db
        .insertInto('outbox')
        .values({ kind, placeId, payload: JSON.stringify(payload) })
        .execute(),
    open: async (placeId: string) =>
      (
        await ctx.db
          .selectFrom('outbox')
          .select('id')
          .where('doneAt', 'is', null)
          .where('placeId', '=', placeId)
          .execute()
      ).length,
    /** Simulates that some seconds have passed, for delayed retries. */
    async wait(seconds: number) {
      await sql`
        update publish_failure set next_attempt_at = next_attempt_at - make_interval(secs => ${seconds}::float8),
          probe_at = probe_at - make_interval(secs => ${seconds}::float8),
          failing_since = failing_since - make_interval(secs => ${seconds}::float8)`.execute(ctx.db)
    },
    /** The response to a reader. */
    async read(path: string, placeId = 'oakton') {
      const host = `${placeId}.localhost`
      const readAgain = () => readSnapshotAgain(hubs, host)
      await new Promise((resolve) => setTimeout(resolve, 110))
      const snapshot = await readAgain()
      if (!snapshot?.isHub) return { status: 0, text: '', headers: new Headers() }
      const response = await serveHub(new Request(`https://${host}${path}`), snapshot, hubs, {
        rereadSnapshot: readAgain,
      })
      return { status: response.status, text: await response.text(), headers: response.headers }
    },
  }
}

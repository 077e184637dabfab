import { manifestKey, pageKey, type Manifest, type ManifestPage } from './manifest.ts'
import type { Snapshot } from './snapshot.ts'
import { faultyBucket } from '#functions/jobs/publish/trouble.testing.ts'
import worker from '#functions/worker.ts'
import type { Env } from '#functions/settings.ts'
import { memoryBucket } from '#db/worlds/ports.ts'

/** A hub to publish: its pages by path, and what is public. */
export interface Hub {
  n: number
  pages: Record<string, { body: string; shows?: string[]; files?: string[] }>
  public?: { pages?: string[]; insights?: string[] }
}

/** The Worker with hubs on a storage whose keys can be made to fail or to be slow. */
export function openReaders() {
  const { bucket: hubs, fault } = faultyBucket()
  const env = {
    ...{ HUBS: hubs, FILES: memoryBucket(), TILES: memoryBucket() },
    ASSETS: { fetch: async () => new Response('Not Found', { status: 404 }) },
    ...{ ENVIRONMENT: 'production', APP_HOST: 'app.test', PUBLIC_HOST: 'hubs.test', SCHEME: 'https' },
    AUTH_SECRET: 'a secret that only tests know, long enough',
    ...{
      MAIL_FROM: 'a@app.test',
      SUPPORT_URL: 'https://help.test',
      DATABASE_URL: 'postgres://a:b@db.test/c',
    },
  } as unknown as Env
  const late: Promise<unknown>[] = []
  const execution = {
    waitUntil: (work: Promise<unknown>) => void late.push(work),
  } as unknown as ExecutionContext

  const read = async (place: string, path: string, headers: Record<string, string> = {}) => {
    const request = new Request(`https://${place}.hubs.test${path}`, { headers })
    const response = await worker.fetch(request as never, env, execution)
    const { status } = response
    const date = response.headers.get('x-snapshot-date')
    return { status, date, text: await response.text(), headers: response.headers }
  }

  /** Publishes a hub as another isolate would: the memory of this one is not updated. */
  async function publish(placeId: string, { n, pages, public: lists = {} }: Hub) {
    const entries: [string, ManifestPage][] = []
    for (const [path, { body, shows = [], files = [] }] of Object.entries(pages)) {
      const hash = `${placeId}-${n}-${path.replaceAll('/', '_')}`
      await hubs.put(pageKey(placeId, hash), body)
      const page = { hash, status: path === '/404' ? 404 : 200, type: 'text/html', styles: [] }
      entries.push([`en ${path}`, { ...page, tags: [], shows, files }])
    }
    const manifest: Manifest = { placeId, number: n, pages: Object.fromEntries(entries) }
    await hubs.put(manifestKey(placeId, n), JSON.stringify(manifest))
    const snapshot: Snapshot = {
      ...{ placeId, isHub: true, canonicalHost: `${placeId}.hubs.test`, manifest: n, sources: {}, at: n },
      ...{ pages: lists.pages ?? [], insights: lists.insights ?? [] },
    }
    await hubs.put(`site/${placeId}.hubs.test.json`, JSON.stringify(snapshot))
  }
  return { hubs, fault, files: env.FILES, late, read, publish }
}

import { expect, test } from 'vitest'
import { writeManifest } from './manifest.ts'
import { serveOembed } from './serve-oembed.ts'
import { serveHub } from './static-hub.ts'
import { withoutSlashes } from '#functions/engine/address/urls.ts'
import { safeRedirect } from '#functions/domain/identity/redirect.ts'
import { serveBeacon } from '#functions/jobs/usage/beacon.ts'
import { memoryBucket } from '#db/worlds/ports.ts'

/** Input with quadratic cost for a pattern of trailing slashes that is anchored only at the end. */
const slashes = '/'.repeat(200_000)
const long = `${slashes}x`
const host = 'data.oakton.test'
const snapshot = { placeId: 'oakton', isHub: true, canonicalHost: host, manifest: 1, sources: {} }

async function createBucket() {
  const hubs = memoryBucket()
  const page = { hash: 'h', status: 200, type: 'text/html; charset=utf-8', styles: [], tags: [], files: [] }
  await writeManifest(hubs, { placeId: 'oakton', number: 1, pages: { 'en /': page } })
  return hubs
}

async function sendBeacon(path: string) {
  const work: Promise<void>[] = []
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  const body = JSON.stringify({ path, device: 'phone' })
  const response = await serveBeacon(
    new Request(`https://${host}/beacon`, { method: 'POST', headers, body }),
    {
      ...{
        snapshot,
        hubs: await createBucket(),
        limits: null,
        now: new Date(),
        scheduleFlush: async () => {},
      },
      waitUntil: (one) => void work.push(one),
    },
  )
  await Promise.all(work)
  return response.status
}

const requestOembed = async (path: string) => {
  const query = new URLSearchParams({ url: `https://${host}${path}` })
  const settings = { appHost: 'app.test', publicHost: 'hub.test', scheme: 'https' as const }
  const ask = async () => new Response('', { status: 404 })
  const ports = { hubs: await createBucket(), settings, find: async () => snapshot, ask }
  return (await serveOembed(new Request(`https://any.test/oembed?${query.toString()}`), ports)).status
}

const requestHubPage = async (path: string) =>
  (await serveHub(new Request(`https://${host}${path}`), snapshot, await createBucket())).status

test.each<[string, () => unknown, unknown]>([
  ['a path by itself', () => withoutSlashes(long), long],
  ['a path that ends so', () => withoutSlashes(`/a${slashes}`), '/a'],
  ['a page of a hub', () => requestHubPage(`/a${long}`), 404],
  ['a page of a hub with a slash too many', () => requestHubPage(`/a${slashes}`), 308],
  // These are rejected for their length; the longest accepted input is fast as well.
  ['the address of what is to be embedded', () => requestOembed(`/a${long}`), 400],
  ['the same, just short enough', () => requestOembed(`/a${long.slice(-1950)}`), 404],
  ['where to go on to', () => safeRedirect(`/a${long}`), '/'],
  [
    'where to go on to, just short enough',
    () => safeRedirect(`/a${long.slice(-1998)}`),
    `/a${long.slice(-1998)}`,
  ],
  ['what a reader read', () => sendBeacon(`/a${long}`), 413],
  ['what a reader read, just short enough', () => sendBeacon(`/a${long.slice(-498)}`), 204],
])('200,000 slashes take less than 200 ms of the processor: %s', async (_name, run, expected) => {
  const before = process.cpuUsage()
  const answered = await run()
  const { user, system } = process.cpuUsage(before)
  expect(answered).toEqual(expected)
  expect((user + system) / 1000).toBeLessThan(200)
})

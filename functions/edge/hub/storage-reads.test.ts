import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { writePlaceState } from './place-state.ts'
import { openReaders, type Hub } from './storage-reads.testing.ts'
import { stateName } from '#functions/engine/export/prepared/manifest.ts'

/** The Worker with a storage that fails for one hub, and a fake clock. */
const { hubs, fault, files, late, read, publish } = openReaders()
const advanceClock = (ms: number) => vi.setSystemTime(Date.now() + ms)
const minutes = 60_000

const story = '/pages/storytelling/rain/preview'
const first: Hub = {
  n: 1,
  pages: {
    '/': { body: 'home 1', files: ['drop.svg'] },
    '/about': { body: 'about 1' },
    '/map': { body: 'map 1', shows: ['insight:falls'] },
    [story]: { body: 'rain 1' },
    '/404': { body: 'nothing 1' },
  },
  public: { pages: ['rain'], insights: ['falls'] },
}
let hub = ''
let turn = 0

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  hub = `hub${(turn += 1)}`
  await publish(hub, first)
  await publish('calm', first)
  for (const place of [hub, 'calm'])
    for (const path of ['/', '/about', '/map', story, '/nowhere']) await read(place, path)
})
afterEach(() => {
  fault.fails = null
  fault.slow = null
  vi.useRealTimers()
})
const fails = (...keys: string[]) => (fault.fails = (key) => keys.some((each) => key.startsWith(each)))
const [getSnapshotPrefix, getPagesPrefix, getManifestsPrefix] = [
  (place: string) => `site/${place}.`,
  (place: string) => `hubs/${place}/pages/`,
  (place: string) => `hubs/${place}/manifests/`,
]

test('during an outage memory is served with its date for 15 minutes, and then a page that says why', async () => {
  advanceClock(1000)
  const lastReadableAt = Date.now()
  advanceClock(5000)
  fails(getSnapshotPrefix(hub), `hubs/${hub}/`)
  const during = await read(hub, '/about')
  expect(during).toMatchObject({ status: 200, text: 'about 1' })
  expect(during.headers.get('cache-control')).toBe('no-store')
  expect(during.headers.get('warning')).toBe('110 - "Response is Stale"')
  expect(Number(during.headers.get('age'))).toBeGreaterThanOrEqual(5)
  expect(Date.parse(during.date ?? '')).toBeLessThanOrEqual(lastReadableAt)
  expect(await read(hub, '/nowhere')).toMatchObject({ status: 404, text: 'nothing 1' })
  expect(await read('calm', '/about')).toMatchObject({ status: 200, text: 'about 1', date: null })
  advanceClock(14 * minutes)
  expect(await read(hub, '/about')).toMatchObject({ status: 200, text: 'about 1' })
  advanceClock(1.5 * minutes)
  const after = await read(hub, '/about')
  expect(after.status).toBe(503)
  expect(Number(after.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(after.headers.get('cache-control')).toBe('no-store')
  expect(after.text).toContain('<h1>This page cannot be shown right now</h1>')
  expect((await read(hub, '/ar/about')).text).toContain('<html lang="ar" dir="rtl">')
  const program = await read(hub, '/v1/places', { accept: 'application/json' })
  expect([program.status, program.headers.get('content-type')]).toEqual([503, 'application/json'])
  expect(JSON.parse(program.text)).toMatchObject({ error: { status: 503, kind: 'unavailable' } })
  fault.fails = null
  advanceClock(2000)
  expect(await read(hub, '/about')).toMatchObject({ status: 200, text: 'about 1', date: null })
})

test('an uncached page is 503 during an outage, and not 404', async () => {
  fails('site/')
  expect(await read('never', '/')).toMatchObject({ status: 503 })
  fault.fails = null
  expect(await read('never', '/')).toMatchObject({ status: 404 })
})

test('a slow read times out, and its late result is cached for the next reader', async () => {
  await publish(hub, { ...first, n: 2, pages: { ...first.pages, '/about': { body: 'about 2' } } })
  advanceClock(3000)
  expect((await read(hub, '/about')).text).toBe('about 2')
  await publish(hub, { ...first, n: 3, pages: { ...first.pages, '/about': { body: 'about 3' } } })
  advanceClock(3000)
  fault.slow = (key) => (key.startsWith(getManifestsPrefix(hub)) ? 2500 : 0)
  const startMs = performance.now()
  const slow = await read(hub, '/about')
  expect(slow).toMatchObject({ status: 200, text: 'about 2' })
  expect(slow.date).not.toBeNull()
  expect(performance.now() - startMs).toBeLessThan(2300)
  await Promise.all(late)
  fault.slow = null
  fails(getManifestsPrefix(hub))
  advanceClock(3000)
  expect(await read(hub, '/about')).toMatchObject({ status: 200, text: 'about 3', date: null })
})

test('a page that the last readable snapshot withdrew is not served from memory', async () => {
  const withdrawn = { pages: [], insights: [] }
  const pages = { '/': { body: 'home 2' }, '/404': { body: 'nothing 2' } }
  await publish(hub, { n: 2, pages, public: withdrawn })
  fails(`hubs/${hub}/`)
  advanceClock(3000)
  const about = await read(hub, '/about')
  expect(about).toMatchObject({ status: 200, text: 'about 1' })
  expect(about.date).not.toBeNull()
  // Its subject is withdrawn; here only something that it shows.
  expect(await read(hub, story)).toMatchObject({ status: 404, text: 'nothing 1' })
  const shows = await read(hub, '/map')
  expect(shows.status).toBe(503)
  expect(shows.text).not.toContain('map 1')
  // Nor when the snapshot cannot be read any more either.
  fails(getSnapshotPrefix(hub), `hubs/${hub}/`)
  advanceClock(5 * minutes)
  expect(await read(hub, story)).toMatchObject({ status: 404, text: 'nothing 1' })
  expect((await read(hub, '/map')).status).toBe(503)
})

test('if the new body of a page cannot be read the old one is served, unless that shows withdrawn data', async () => {
  const pages = { ...first.pages, '/about': { body: 'about 2' }, '/map': { body: 'map 2' } }
  await publish(hub, { n: 2, pages, public: { pages: ['rain'], insights: [] } })
  fails(getPagesPrefix(hub))
  advanceClock(3000)
  const about = await read(hub, '/about')
  expect(about).toMatchObject({ status: 200, text: 'about 1' })
  expect(about.date).not.toBeNull()
  const map = await read(hub, '/map')
  expect([map.status, map.text.includes('map 1')]).toEqual([503, false])
  fault.fails = null
  advanceClock(3000)
  expect(await read(hub, '/map')).toMatchObject({ status: 200, text: 'map 2', date: null })
  expect(await read(hub, '/about')).toMatchObject({ status: 200, text: 'about 2', date: null })
})

test('a file that cannot be read is a 503 to be retried, and no internal error', async () => {
  await hubs.put(`hubs/${hub}/files/drop.svg`, '<svg/>', { httpMetadata: { contentType: 'image/svg+xml' } })
  expect(await read(hub, '/f/drop.svg')).toMatchObject({ status: 200, text: '<svg/>' })
  fails(`hubs/${hub}/files/`)
  const answer = await read(hub, '/f/drop.svg')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'text/plain; charset=utf-8'])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('the cached place state is used while it cannot be read, and files have its date', async () => {
  const sources = { oaks: { version: 3, dataType: 'tree' } }
  const state = { placeId: hub, timeZone: 'UTC', dataTypes: { tree: 1 }, sources, insights: {} }
  await writePlaceState(hubs, { ...state, at: 1 })
  const manifest = { sourceId: 'oaks', version: 3, rows: 1, generatedAt: '2026-11-01T00:00:00Z', files: {} }
  await files.put(`exports/oaks/${stateName(3, 1, 'UTC')}/manifest.json`, JSON.stringify(manifest))
  const path = '/e/oaks/manifest.json'
  expect((await read(hub, path)).status).toBe(200)
  advanceClock(3000)
  fails('site/places/')
  const during = await read(hub, path)
  expect(during.status).toBe(200)
  expect(during.date).not.toBeNull()
  // What it withdrew before stays withdrawn.
  fault.fails = null
  advanceClock(3000)
  await writePlaceState(hubs, { ...state, sources: {}, at: 2 })
  expect((await read(hub, path)).status).toBe(404)
  fails('site/places/')
  advanceClock(3000)
  expect((await read(hub, path)).status).toBe(404)
  advanceClock(16 * minutes)
  expect((await read(hub, path)).status).toBe(503)
})

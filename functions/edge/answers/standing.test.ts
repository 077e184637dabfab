import { beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import { writePlaceState } from '#functions/edge/hub/place-state.ts'
import type { Entry } from './entry.ts'
import { SingleFlight } from '#functions/platform/cache/single-flight.ts'
import { byteMemory } from '#functions/platform/cache/bounded-memory.ts'
import { deadlineMs } from '#functions/platform/cache/stale.ts'
import { answerFromCache, type AnswerCache, type ComputeAnswer } from './answer-from-cache.ts'
import { putFallback, readFallback, fallbackPaths } from './fallback.ts'
import { sweepFallbacks } from './sweep.ts'
import { basis, oakton } from './testing.ts'

const path = '/v1/sources/open/data'
const entry = (versions: Entry['about']['basis'] = basis, at = Date.now() - 60_000): Entry => ({
  body: new TextEncoder().encode('{"results":["old"],\n"meta":{}}'),
  about: {
    headers: { 'content-type': 'application/json', etag: '"old"' },
    next: null,
    basis: versions,
    at,
    until: null,
  },
  checkedBy: null,
})
const json = { 'content-type': 'application/json', 'cache-control': 'public, max-age=0, must-revalidate' }
const fails: ComputeAnswer = async () => new Response('{}', { status: 503, headers: { 'retry-after': '5' } })
const late: ComputeAnswer = () => new Promise(() => {})
const good =
  (versions = basis): ComputeAnswer =>
  async (answerBasis) => {
    Object.assign(answerBasis.basis, versions)
    return new Response('{"results":["new"]}', { headers: json })
  }

let cache: AnswerCache
let hubs: R2Bucket
// A state is cached for two seconds, so each test has a place of its own.
let round = 0
let placeId: string

beforeEach(async () => {
  hubs = memoryBucket()
  placeId = `oakton-${(round += 1)}`
  await publishState()
  cache = {
    memory: byteMemory(1_000_000),
    singleFlight: new SingleFlight(),
    stores: { cache: null, hubs, origin: 'https://app.test', build: 'test' },
    later: (work) => void work.catch(() => {}),
  }
})

const publishState = (changes = {}) => writePlaceState(hubs, oakton({ placeId, at: Date.now(), ...changes }))

async function ask(live: ComputeAnswer, host = '') {
  const at = `/v1/places/${placeId}/sources/open/data`
  const subject = { kind: 'source' as const, id: 'open', placeId, verb: 'data' }
  const question = { subject, text: `${host} ${at} {}`, mayBeLarge: false, name: null }
  const { response } = await answerFromCache(question, new Request(`https://app.test${at}`), cache, live)
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const storeFallback = (fallback = entry()) =>
  putFallback(hubs, placeId, `/v1/places/${placeId}/sources/open/data {}`, fallback)

test('a stored fallback is read as it was written', async () => {
  const fallback = entry()
  await putFallback(hubs, placeId, `${path} {}`, fallback)
  expect(await readFallback(hubs, placeId, `${path} {}`)).toEqual(fallback)
  expect(await readFallback(hubs, placeId, `${path} {"limit":"1"}`)).toBeNull()
  expect(await readFallback(hubs, 'elmsford', `${path} {}`)).toBeNull()
})

test('fallback paths are only those of public subjects', () => {
  const paths = fallbackPaths({ ...oakton(), stamp: 'a' }, ['open', 'secret'])
  expect(paths).toContain('/v1/places/oakton/sources/open/data')
  expect(paths).toContain('/v1/places/oakton/dataTypes/call/fields')
  expect(paths).toContain('/v1/places/oakton/insights/one/analytics')
  expect(paths.join()).not.toMatch(/secret|calm|tree/)
})

test('fallbacks of private subjects are deleted', async () => {
  const question = (id: string) => `/v1/places/${placeId}/sources/${id}/data {}`
  for (const id of ['open', 'calm']) await putFallback(hubs, placeId, question(id), entry())
  expect(await sweepFallbacks(hubs)).toBe(0)
  await publishState({ sources: { calm: { version: 2, dataType: 'call' } } })
  expect(await sweepFallbacks(hubs)).toBe(1)
  expect(await readFallback(hubs, placeId, question('open'))).toBeNull()
  expect(await readFallback(hubs, placeId, question('calm'))).not.toBeNull()
})

describe('when the live answer fails', () => {
  test('without a fallback the error is returned', async () => {
    expect(await ask(fails)).toMatchObject({ status: 503 })
  })

  test('a current fallback is served without a date', async () => {
    await storeFallback()
    const { status, headers, text } = await ask(fails)
    expect([status, headers.get('x-snapshot-date'), text]).toEqual([
      200,
      null,
      '{"results":["old"],\n"meta":{}}',
    ])
  })

  test('an older one is served with its date, and not cached', async () => {
    await storeFallback(entry({ ...basis, 'source:open': 6 }))
    for (const live of [fails, () => Promise.reject(new Error('gone'))]) {
      const { status, headers } = await ask(live)
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(Date.parse(headers.get('x-snapshot-date') ?? '')).toBeLessThan(Date.now())
      expect(Number(headers.get('age'))).toBeGreaterThanOrEqual(59)
      expect(headers.get('warning')).toContain('110')
    }
    expect((await ask(good())).text).toContain('new')
  })

  test('one whose subject is no longer public is never served', async () => {
    await storeFallback(entry({ ...basis, 'source:gone': 1 }))
    expect((await ask(fails)).status).toBe(503)
    await storeFallback()
    await publishState({ sources: { calm: { version: 2, dataType: 'call' } } })
    expect((await ask(fails)).status).toBe(503)
  })

  test('nor at the host of another place', async () => {
    await storeFallback()
    expect((await ask(fails, 'elmsford')).status).toBe(503)
    expect((await ask(fails, placeId)).status).toBe(200)
  })

  test('the newest cached answer is served', async () => {
    await ask(good())
    await storeFallback(entry({ ...basis, 'source:open': 3 }))
    await publishState({ sources: { ...oakton().sources, open: { version: 8, dataType: 'call' } } })
    expect((await ask(fails)).text).toContain('new')
  })
})

test('a slow live answer is not waited for if there is a fallback', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    await storeFallback()
    const response = ask(late)
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
    await vi.advanceTimersByTimeAsync(deadlineMs)
    expect((await response).text).toContain('old')
  } finally {
    vi.useRealTimers()
  }
})

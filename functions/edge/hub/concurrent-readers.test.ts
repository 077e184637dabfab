import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openReaders, type Hub } from './storage-reads.testing.ts'

/** The Worker with five hundred concurrent readers: of a page that is not cached yet, and during publication. */
const { fault, read, publish } = openReaders()
const hub = 'crowded'
const readers = 500
const version = (n: number): Hub => ({
  n,
  pages: {
    '/': { body: `home ${n}` },
    '/about': { body: `about ${n}` },
    '/404': { body: `nothing ${n}` },
  },
})
const ask = (path: string) => Promise.all(Array.from({ length: readers }, () => read(hub, path)))

/** The number of reads per object. */
const reads = new Map<string, number>()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  reads.clear()
  fault.fails = (key, verb) => {
    if (verb === 'get') reads.set(key, (reads.get(key) ?? 0) + 1)
    return false
  }
  // The latency of a distant storage; concurrent readers must share the same read.
  fault.slow = () => 20
})
afterEach(() => {
  fault.fails = null
  fault.slow = null
  vi.useRealTimers()
})

test('an uncached page is read once, however many readers request it concurrently', async () => {
  await publish(hub, version(1))
  const answers = await ask('/about')
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 about 1']))
  expect([...reads.values()].every((count) => count === 1)).toBe(true)
  expect([...reads.keys()].filter((key) => key.includes('/pages/'))).toHaveLength(1)
})

test('readers of a hub that is published repeatedly get complete pages, and the newest at the end', async () => {
  await publish(hub, version(2))
  vi.setSystemTime(Date.now() + 3000)
  await ask('/')
  for (let n = 3; n <= 12; n += 1) {
    const [answers] = await Promise.all([ask('/'), publish(hub, version(n))])
    for (const { status, text } of answers) {
      expect(status).toBe(200)
      expect([`home ${n - 1}`, `home ${n}`]).toContain(text)
    }
    vi.setSystemTime(Date.now() + 3000)
    expect((await read(hub, '/')).text).toBe(`home ${n}`)
  }
  // One read per version: cached bodies are not evicted with older versions.
  expect(Math.max(...[...reads].filter(([key]) => key.includes('/pages/')).map(([, count]) => count))).toBe(1)
})

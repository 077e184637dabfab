import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openReaders, type Hub } from './storageReads.testing.ts'

/** The Worker itself before five hundred readers at once: of a page nobody has asked for yet, and while it is published anew. */
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

/** How often each object is read. */
const reads = new Map<string, number>()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  reads.clear()
  fault.fails = (key, verb) => {
    if (verb === 'get') reads.set(key, (reads.get(key) ?? 0) + 1)
    return false
  }
  // As long as a storage that is far away takes: whoever comes meanwhile must wait for the same read.
  fault.slow = () => 20
})
afterEach(() => {
  fault.fails = null
  fault.slow = null
  vi.useRealTimers()
})

test('a page that nobody has read yet is read once, however many ask for it at once', async () => {
  await publish(hub, version(1))
  const answers = await ask('/about')
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 about 1']))
  expect([...reads.values()].every((count) => count === 1)).toBe(true)
  expect([...reads.keys()].filter((key) => key.includes('/pages/'))).toHaveLength(1)
})

test('readers of a hub that is published again and again get whole pages, and the newest at the end', async () => {
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
  // One read of each version: nothing is thrown away with the versions before it.
  expect(Math.max(...[...reads].filter(([key]) => key.includes('/pages/')).map(([, count]) => count))).toBe(1)
})

import { expect, test } from 'vitest'
import { storeLiveFiles } from './store-live-files.ts'
import { formatProgress, readBuilds, startRerender, watchBuilds } from './watch-builds.ts'
import type { Builds } from '#functions/shapes/internal.ts'

const createBuilds = (changes: Partial<Builds>): Builds => ({
  ...{ build: 'abc1234def', kept: 'all', total: 3, done: 0, making: [], failed: [], builds: [] },
  ...changes,
})
const failure = {
  id: 'usa',
  attempts: 1,
  nextAt: '2026-11-23T05:00:00Z',
  pages: ['/', '/map'],
  message: 'slow',
}

/** A product that gives these answers in order. */
function product(...answers: Response[]) {
  const addresses: string[] = []
  const ask = async (url: string, { method, headers }: RequestInit) => {
    addresses.push(`${method} ${url} ${new Headers(headers).get('authorization')}`)
    return answers.shift() ?? new Response(null, { status: 500 })
  }
  return {
    requests: addresses,
    product: { url: 'https://app.test', key: 'cpk_1', fetch: ask as unknown as typeof fetch },
  }
}

test('a line shows the progress of hubs, which one is being made and which failed', () => {
  expect(
    formatProgress(createBuilds({ total: 340, done: 12, making: ['seattle-wa'], failed: [failure] })),
  ).toBe('12 of 340 hubs are at build abc1234, seattle-wa is being made, 1 failed (usa: slow and 1 more)')
})

test('ends when all are made or have failed, logs each change once, and returns the number of failures', async () => {
  const steps = [
    createBuilds({ done: 1 }),
    createBuilds({ done: 1 }),
    createBuilds({ done: 2 }),
    createBuilds({ done: 2, failed: [failure] }),
  ]
  const lines: string[] = []
  const { requests, product: there } = product(...steps.map((step) => Response.json(step)))
  expect([await watchBuilds(there, (line) => void lines.push(line), 1), lines.length]).toEqual([1, 3])
  expect(requests[0]).toBe('GET https://app.test/v1/internals/builds Bearer cpk_1')
})

test('an older product has no answer; an error says why', async () => {
  expect(await readBuilds(product(new Response(null, { status: 404 })).product)).toBeNull()
  const rejectingProduct = product(new Response(null, { status: 403 })).product
  await expect(startRerender(rejectingProduct)).rejects.toThrow(
    /no key of a super admin with the scope “internals”/,
  )
})

test('stores the files that live pages refer to, then their list, and skips look-alikes of names', async () => {
  const site: Record<string, [type: string, body: string]> = {
    '/': ['text/html', '<html data-script="/hub/hub-AAAAAAAA.js"> "no-such-BBBBBBBB.js"'],
    '/hub/hub-AAAAAAAA.js': ['text/javascript', 'import("./map-live-CCCCCCCC.js")'],
    '/hub/map-live-CCCCCCCC.js': ['text/javascript', 'import"./hub-AAAAAAAA.js";["hub/map-DDDDDDDD.css"]'],
    '/hub/map-DDDDDDDD.css': ['text/css', '@font-face{src:url(./face-EEEEEEEE.woff2)}'],
    '/hub/face-EEEEEEEE.woff2': ['font/woff2', 'face'],
  }
  const storedKeys: string[] = []
  const names = await storeLiveFiles({
    pages: ['https://usa.hubs.test/'],
    now: new Date(0),
    fetch: (async (url: string) => {
      const [type, body] = site[new URL(url).pathname] ?? []
      return type
        ? new Response(body, { headers: { 'content-type': type } })
        : new Response('', { status: 404 })
    }) as unknown as typeof fetch,
    storeFile: async (key) => void storedKeys.push(key),
  })
  expect(names).toEqual([
    'hub/face-EEEEEEEE.woff2',
    'hub/hub-AAAAAAAA.js',
    'hub/map-DDDDDDDD.css',
    'hub/map-live-CCCCCCCC.js',
  ])
  expect(storedKeys.at(-1)).toBe('builds/of/unknown.json')
  expect(storedKeys.slice(0, -1).sort()).toEqual(names.map((name) => `assets/${name}`))
})

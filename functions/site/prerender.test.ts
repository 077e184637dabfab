import { memoryBucket } from '#db/worlds/ports.ts'
import { expect, test } from 'vitest'
import { readManifest } from './manifest.ts'
import { prerender, type Rendered } from './prerender.ts'

const page = (body: string, tags: string[]): Rendered => ({
  status: 200,
  type: 'text/html',
  body,
  tags,
  files: [],
})
const paths = ['/', '/a'].map((path) => ({ path, status: 200 }))

/** A hub in a bucket of its own, with one manifest published. */
async function published(placeId: string) {
  const hubs = memoryBucket()
  const visited: string[] = []
  const make = (current: number, changed: Set<string> | null, visit: (path: string) => Rendered) =>
    prerender(
      { placeId, paths, current, changed, allocate: async () => current + 1 },
      async (path) => {
        visited.push(path)
        return visit(path)
      },
      { hubs, log: () => {} },
    )
  await make(0, null, (path) => page(`old ${path}`, [`page:${path}`]))
  visited.length = 0
  return { hubs, visited, make }
}

test('a page that fails leaves the old site up: no new manifest is written', async () => {
  const { hubs, make } = await published('failing')
  const before = await readManifest(hubs, 'failing', 1)
  const attempt = make(1, null, (path) => ({ ...page(`new ${path}`, []), status: path === '/a' ? 500 : 200 }))
  await expect(attempt).rejects.toThrow('/a answered 500 instead of 200')
  expect(await readManifest(hubs, 'failing', 2)).toBeNull()
  expect(await readManifest(hubs, 'failing', 1)).toEqual(before)
})

test('only pages made of what changed are visited, and the others stay as they are', async () => {
  const { hubs, visited, make } = await published('changing')
  expect(await make(1, new Set(['page:/a']), (path) => page(`new ${path}`, [`page:${path}`]))).toBe(2)
  expect(visited).toEqual(['/a'])
  const [before, after] = await Promise.all([1, 2].map((n) => readManifest(hubs, 'changing', n)))
  expect(after?.pages['en /']).toEqual(before?.pages['en /'])
  expect(after?.pages['en /a']?.hash).not.toBe(before?.pages['en /a']?.hash)
})

test('nothing new gives no manifest', async () => {
  const { make } = await published('same')
  expect(await make(1, null, (path) => page(`old ${path}`, [`page:${path}`]))).toBeNull()
})

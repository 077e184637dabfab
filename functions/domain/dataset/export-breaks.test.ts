import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordsWorld, type RecordsWorld } from '../records/testing.ts'
import { exportRows } from './export.ts'
import { createNumberedSource } from './export.testing.ts'
import type { Scope } from './open.ts'
import { asSystem } from '#db/testing.ts'
import { anonymous, system, type Context } from '#functions/context.ts'
import { readCsv } from '#functions/engine/export/reading.testing.ts'

// A file is complete or an error.

let world: RecordsWorld
let ctx: Context
let count: Scope
const counts = 12_345

beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(system)
  count = await createNumberedSource(world, counts)
}, 120_000)
afterAll(() => world.close())

test('rejects at "format" what a format cannot contain, before anything is sent', async () => {
  for (const format of ['gpx', 'shp'] as const)
    await expect(exportRows(ctx, count, { format })).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['format'] }],
    })
})

test.each([
  {},
  { filters: { 'data.n': { $gte: 0 } } },
  { orderings: [{ value: { field: 'data.word' }, direction: 'asc' }] },
])('breaks off when data changes between two pages: %j', async (question) => {
  const { body } = await exportRows(ctx, count, { format: 'csv', ...question })
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  await world.database
    .connect(asSystem)
    .db.updateTable('source')
    .set((eb) => ({ dataVersion: eb('dataVersion', '+', 1) }))
    .where('id', '=', count.sourceId ?? '')
    .execute()
  const rest = async () => {
    while (!(await reader.read()).done);
  }
  await expect(rest()).rejects.toThrow(/changed during an export/)
})

test('breaks off for a reader who takes longer than 15 minutes', async () => {
  let minutes = 0
  const slow = world.as(anonymous)
  slow.now = () => new Date(Date.UTC(2026, 0, 1, 0, minutes))
  const { body } = await exportRows(slow, count, { format: 'csv' })
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  const rest = async () => {
    while (!(await reader.read()).done);
  }
  minutes = 15
  await reader.read()
  minutes = 16
  await expect(rest()).rejects.toThrow(/longer than 15 minutes/)
})

test('breaks off when a source turns private, for those who may not see it', async () => {
  const { body } = await exportRows(world.as(anonymous), count, { format: 'csv' })
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  const { db } = world.database.connect(asSystem)
  const set = (visibility: 'public' | 'place') =>
    db
      .updateTable('source')
      .set({ visibility })
      .where('id', '=', count.sourceId ?? '')
      .execute()
  await set('place')
  const rest = async () => {
    while (!(await reader.read()).done);
  }
  await expect(rest()).rejects.toThrow()
  await set('public')
})

test('breaks off when rows are missing', async () => {
  const { db } = world.database.connect(asSystem)
  const set = (n: number) =>
    db
      .updateTable('sourceStat')
      .set((eb) => ({ count: eb('count', '+', n) }))
      .where('sourceId', '=', count.sourceId ?? '')
      .execute()
  await set(1)
  const { body } = await exportRows(ctx, count, { format: 'ndjson' })
  await expect(new Response(body as BodyInit).text()).rejects.toThrow(/12345 rows of 12346/)
  await set(-1)
})

describe('over a socket', () => {
  let server: Server
  let url: string
  let failAfter = Infinity
  let pages = 0
  beforeAll(async () => {
    server = createServer((_request, response) => {
      pages = 0
      const failing = createFailingContext(ctx, () => (pages += 1) > failAfter)
      void exportRows(failing, count, { format: 'csv' }).then(async ({ body }) => {
        await pipeline(Readable.fromWeb(body as never), response).catch(() => response.destroy())
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  test('a complete file arrives complete; when the database fails half-way the reader gets an error', async () => {
    failAfter = Infinity
    expect(readCsv(await (await fetch(url)).text())).toHaveLength(counts + 1)
    failAfter = 3
    const response = await fetch(url)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  })
})

test('waits for a slow reader: rows are not read ahead', async () => {
  let statementCount = 0
  const counting = createFailingContext(ctx, () => {
    statementCount += 1
    return false
  })
  const { body } = await exportRows(counting, count, { format: 'csv' })
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  await reader.read()
  await new Promise((resolve) => setTimeout(resolve, 300))
  const before = statementCount
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(statementCount).toBe(before)
  await reader.cancel()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(statementCount).toBeLessThanOrEqual(before + 1)
})

/** A context whose database fails as soon as `isGone` returns true, which is called before every page. */
function createFailingContext(as: Context, isGone: () => boolean): Context {
  const db = new Proxy(as.db, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (name !== 'withoutPlugins')
        return typeof member === 'function' ? (member.bind(target) as unknown) : member
      return () => {
        if (isGone()) throw new Error('The database is gone.')
        return target.withoutPlugins()
      }
    },
  })
  return Object.create(as, { db: { value: db } }) as Context
}

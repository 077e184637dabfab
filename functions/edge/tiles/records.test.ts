import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import { anonymous, system, type Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { pack } from '#functions/domain/dataset/tile.ts'
import { dataName } from '#functions/engine/tile/tile-address.ts'
import { countIn } from '#functions/domain/dataset/tile.testing.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { toCell } from '#functions/engine/tile/morton.ts'
import { recordsWorld, type RecordsWorld } from '#functions/domain/records/testing.ts'
import { placeState } from '#functions/domain/place/place-state.ts'
import { writePlaceState } from '#functions/edge/hub/place-state.ts'
import { tileMaker } from '#functions/v1/record-tile.ts'
import { putPack } from './packs.ts'
import { readAddress } from './record-address.ts'
import { serveRecordTiles, type TileServices } from './records.ts'

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  kind: { name: 'Kind', type: 'text' },
  amount: { name: 'Amount', type: 'number' },
  location: { name: 'Where', type: 'point' },
}
const rows = Array.from({ length: 30 }, (_, i) => ({
  id: String(i),
  kind: i % 3 ? 'fire' : 'tree',
  amount: i,
  location: { type: 'Point', coordinates: [10 + i / 100, 50 + i / 100] },
}))

let world: RecordsWorld
let writer: Context
let open: string
let second: string
let shut: string
let connectionCount = 0
const hubs = memoryBucket()
const cachedResponses = new Map<string, Response>()

beforeAll(async () => {
  world = await recordsWorld()
  writer = world.as(system)
  await world.dataType('spot', schema)
  open = await world.source('spot', 'public')
  second = await world.source('spot', 'public')
  shut = await world.source('spot', 'place')
  for (const source of [open, second, shut]) await ingest(writer, source, rows)
  await publishState()
})
afterAll(() => world.close())

/** Writes the place state to the edge, as the queue does after a commit. */
async function publishState() {
  const state = await placeState(writer, 'oak')
  if (state) await writePlaceState(hubs, state)
}

const cache = {
  match: async (name: RequestInfo | URL) => cachedResponses.get(String(name))?.clone(),
  put: async (name: RequestInfo | URL, response: Response) =>
    void cachedResponses.set(String(name), response),
}

function ports(changes: Partial<TileServices> = {}): TileServices {
  return {
    hubs,
    cache,
    origin: 'https://app.test',
    build: 'test',
    waitUntil: (work) => void work,
    ask: tileMaker(async () => {
      connectionCount += 1
      return { ctx: world.as(anonymous), close: async () => {} }
    }),
    ...changes,
  }
}

const ask = (path: string, init: RequestInit = {}, changes: Partial<TileServices> = {}) =>
  serveRecordTiles(new Request(`https://oak.hub.test${path}`, init), ports(changes))
const buildTilePath = (id: string, rest = '@1/5/16/10.mvt', kind = 'source', place = 'oak') =>
  `/t/points/${place}/${kind}/${id}${rest}`

async function countRecords(response: Response): Promise<number> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  return countIn(bytes[0] === 0x1f ? new Uint8Array(gunzipSync(bytes)) : bytes)
}

test('a tile of a public source is immutable; the second request needs no database', async () => {
  const before = connectionCount
  const first = await ask(buildTilePath(open))
  expect(first.status).toBe(200)
  expect(first.headers.get('content-type')).toBe('application/vnd.mapbox-vector-tile')
  expect(first.headers.get('cache-control')).toMatch(/^public, max-age=31536000, immutable/)
  expect(await countRecords(first)).toBe(30)
  expect(connectionCount).toBe(before + 1)
  const packed = await ask(buildTilePath(open), { headers: { 'accept-encoding': 'gzip' } })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(await countRecords(packed)).toBe(30)
  const etag = first.headers.get('etag') ?? ''
  expect((await ask(buildTilePath(open), { headers: { 'if-none-match': etag } })).status).toBe(304)
  expect((await ask(buildTilePath(open), { method: 'HEAD' })).status).toBe(200)
  expect(connectionCount).toBe(before + 1)
  // Another isolate of the data centre has only the cache.
  expect([...cachedResponses.keys()][0]).toContain('/t/points/oak/source/')
})

test('filters and fields are part of the URL, in any order', async () => {
  const filters = encodeURIComponent('{"data.kind":"tree"}')
  const one = await ask(`${buildTilePath(open)}?filters=${filters}&fields=kind`)
  expect(await countRecords(one)).toBe(10)
  const before = connectionCount
  expect(await countRecords(await ask(`${buildTilePath(open)}?fields=kind&filters=${filters}`))).toBe(10)
  expect(await countRecords(await ask(`${buildTilePath(open)}?fields=kind&filters[data.kind]=tree`))).toBe(10)
  expect(connectionCount).toBe(before + 1)
})

test('the sources of a data type are one map, of public ones only', async () => {
  const name = await dataName('type', { [open]: 1, [second]: 1 })
  expect(await countRecords(await ask(buildTilePath('spot', `@${name}/5/16/10.mvt`, 'type')))).toBe(60)
  const other = await ask(buildTilePath('spot', '@0123456789abcdef/5/16/10.mvt', 'type'))
  expect([other.status, other.headers.get('location')]).toEqual([
    302,
    buildTilePath('spot', `@${name}/5/16/10.mvt`, 'type'),
  ])
})

test('a tile without records is 204', async () => {
  const empty = await ask(buildTilePath(open, '@1/5/0/0.mvt'))
  expect([empty.status, await empty.text()]).toEqual([204, ''])
})

test('concurrent requests compute a tile once', async () => {
  const before = connectionCount
  const all = await Promise.all(Array.from({ length: 12 }, () => ask(buildTilePath(open, '@1/6/33/21.mvt'))))
  for (const each of all) expect([200, 204]).toContain(each.status)
  expect(connectionCount).toBe(before + 1)
})

describe('versions', () => {
  test('other data versions redirect to the current ones; newer data are never served under an old name', async () => {
    for (const version of ['0', '2', '99999', 'ffff']) {
      const response = await ask(buildTilePath(open, `@${version}/5/16/10.mvt?fields=kind`))
      expect([response.status, response.headers.get('location')]).toEqual([
        302,
        buildTilePath(open, '@1/5/16/10.mvt?fields=kind'),
      ])
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    // Committed, but the edge has not been updated.
    const source = await world.source('spot', 'public')
    await ingest(writer, source, rows)
    await publishState()
    await ingest(writer, source, [{ ...rows[0], amount: 100 }])
    const early = await ask(buildTilePath(source))
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '5'])
    expect(early.headers.get('cache-control')).toMatch(/no-store/)
    await publishState()
    expect((await ask(buildTilePath(source))).headers.get('location')).toBe(
      buildTilePath(source, '@2/5/16/10.mvt'),
    )
    expect((await ask(buildTilePath(source, '@2/5/16/10.mvt'))).status).toBe(200)
  })

  test('a source that is no longer public is 404, whatever is cached', async () => {
    const source = await world.source('spot', 'public')
    await ingest(writer, source, rows)
    await publishState()
    expect((await ask(buildTilePath(source))).status).toBe(200)
    await writer.db.updateTable('source').set({ visibility: 'place' }).where('id', '=', source).execute()
    await publishState()
    expect((await ask(buildTilePath(source))).status).toBe(404)
  })
})

describe('attacks', () => {
  test.each([
    '@1/23/0/0.mvt',
    '@1/5/32/0.mvt',
    '@1/5/0/32.mvt',
    '@1/5/-1/0.mvt',
    '@1/NaN/0/0.mvt',
    '@1/1e9/0/0.mvt',
    '@1/5/16/10.png',
    '@1/5/16/10.mvt/',
    '@1/5/016/10.mvt',
    '@1/5/99999999999999999999/10.mvt',
    '@/5/16/10.mvt',
    '@-1/5/16/10.mvt',
    '@1.5/5/16/10.mvt',
    '@latest/5/16/10.mvt',
    '@11111111111111111/5/16/10.mvt',
    '/5/16/10.mvt',
  ])('%s is not a tile', async (rest) => {
    expect((await ask(buildTilePath(open, rest))).status).toBe(404)
  })

  test('invalid ids, other places, private sources, and names of built-in properties', async () => {
    const before = connectionCount
    for (const path of [
      buildTilePath(shut),
      buildTilePath(open, undefined, 'source', 'elm'),
      buildTilePath('nothing'),
      buildTilePath('constructor'),
      buildTilePath('__proto__'),
      buildTilePath('spot', undefined, 'place'),
      buildTilePath(`..%2F${open}`),
      buildTilePath(`${open}%00`),
      buildTilePath('%F0%9F%98%80'),
      buildTilePath(open, undefined, 'source', '..'),
      buildTilePath(open, undefined, 'source', '__proto__'),
      '/t/points/',
      '/t/shapes/oak/source',
    ])
      expect([path, (await ask(path)).status]).toEqual([path, 404])
    expect(connectionCount).toBe(before)
    for (const path of ['/t/0123456789ab/5/16/10.mvt', '/t/pointsx/1/2/3.mvt'])
      expect(readAddress(new URL(path, 'https://oak.hub.test'))).toBeNull()
  })

  test('invalid queries give an error with the parameter, and are not cached', async () => {
    const many = Array.from({ length: 5000 }, (_, i) => `filters[$or][${i}][data.amount]=${i}`).join('&')
    for (const [query, status, path] of [
      ['fields=location', 400, 'fields'],
      ['fields=id,kind,amount,id', 400, 'fields'],
      ['fields=a,b,c,d,e,f', 400, 'fields'],
      ['fields[0]=kind', 400, 'fields'],
      ['limit=1', 400, 'limit'],
      ['search=x', 400, 'search'],
      ['filters[data.nothing]=1', 400, 'filters'],
      ['filters[data.amount]=many', 400, 'filters'],
      ['filters={"data.kind":"\'; drop table source; --"}', 204, null],
      [many, 413, null],
    ] as const) {
      const response = await ask(`${buildTilePath(open)}?${query}`)
      const body =
        response.status === 204 ? null : ((await response.json()) as { fields: { path: unknown[] }[] })
      expect([query.slice(0, 40), response.status, body?.fields[0]?.path[0] ?? null]).toEqual([
        query.slice(0, 40),
        status,
        path,
      ])
      if (body) expect(response.headers.get('cache-control')).toMatch(/no-store/)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
    }
    expect((await ask(buildTilePath(open), { method: 'POST' })).status).toBe(405)
  })

  test('a data type of a thousand sources', async () => {
    await world.dataType('many', schema)
    const ids = Array.from({ length: 1000 }, (_, i) => `many-${i}`)
    await writer.db
      .insertInto('source')
      .values(
        ids.map((id) => ({
          id,
          placeId: 'oak',
          dataTypeId: 'many',
          name: id,
          visibility: 'public' as const,
          createdBy: 'maker',
        })),
      )
      .execute()
    for (const id of ids.slice(0, 3)) await ingest(writer, id, rows)
    await publishState()
    const { x, y } = toCell(10, 50)
    const versions = Object.fromEntries(ids.map((id, i) => [id, i < 3 ? 1 : 0]))
    const name = await dataName('type', versions)
    expect(await countRecords(await ask(buildTilePath('many', `@${name}/5/16/10.mvt`, 'type')))).toBe(90)
    expect(
      await countRecords(
        await ask(buildTilePath('many', `@${name}/12/${x >> 14}/${y >> 14}.mvt?fields=kind`, 'type')),
      ),
    ).toBeGreaterThan(0)
  })

  test('a client that requests too much is rate limited', async () => {
    const limitCalls: string[] = []
    const consumeToken = async (name: string, who: string) => limitCalls.push(`${name} ${who}`) < 1
    const limits = { rates: { anonymous: 1, key: 1, heavy: 1 }, consumeToken }
    const request = { id: 'r', headers: new Headers(), ip: '2001:db8:1:2::9' }
    const slow = {
      ask: tileMaker(async () => ({
        ctx: Object.assign(world.as(anonymous), { limits, request }),
        close: async () => {},
      })),
    }
    expect((await ask(buildTilePath(open, '@1/7/67/43.mvt?fields=amount'), {}, slow)).status).toBe(429)
    expect(limitCalls).toEqual(['key tiles 2001:db8:1:2::/64'])
    expect((await ask(buildTilePath(open), {}, slow)).status).toBe(200)
  })
})

describe('when the database does not answer', () => {
  const away = {
    ask: tileMaker(async () => {
      const ctx = world.as(anonymous)
      const rejectQuery = () => Promise.reject(new Error('Error connecting to database: gone'))
      return { ctx: Object.assign(ctx, { db: refusing(ctx.db, rejectQuery) }), close: async () => {} }
    }),
    build: null,
  } as Partial<TileServices>
  let source: string
  const address = (rest = '@1/5/16/10.mvt?fields=kind') => buildTilePath(source, rest)
  const storePack = async (version: number, sources = [source]) => {
    const tileRequest = { fields: ['kind'], query: {}, versions: { [source]: 1 } }
    const tilePack = await pack(world.as(anonymous), { placeId: 'oak', sourceId: source }, tileRequest)
    if (!tilePack) throw new Error('There is no pack.')
    const subject = { placeId: 'oak', kind: 'source' as const, id: source }
    const storedPack = { name: String(version), sources, at: Date.UTC(2026, 0, 1), pack: tilePack }
    await putPack(hubs, { subject, query: 'fields=kind' }, storedPack)
  }

  beforeEach(async () => {
    // A pack is cached for half a minute.
    source = await world.source('spot', 'public')
    await ingest(writer, source, rows)
    await publishState()
    await new Promise((done) => setTimeout(done, 2100))
  })

  test('a tile that is cached nowhere is 503 with a reason', async () => {
    const response = await ask(address(), {}, away)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  })

  test('a tile of the pack equals that of the database', async () => {
    await storePack(1)
    const packed = await ask(address(), {}, away)
    expect([packed.status, packed.headers.get('x-snapshot-date')]).toEqual([200, null])
    const live = await ask(address())
    expect(new Uint8Array(await packed.arrayBuffer())).toEqual(new Uint8Array(await live.arrayBuffer()))
    expect((await ask(address('@1/5/0/0.mvt?fields=kind'), {}, away)).status).toBe(204)
    // Another query has no pack.
    expect((await ask(address('@1/5/16/10.mvt?fields=amount'), {}, away)).status).toBe(503)
  })

  test('a tile of older data says so and is not cached', async () => {
    await storePack(0)
    const old = await ask(address(), {}, away)
    expect([old.status, old.headers.get('cache-control'), old.headers.get('etag')]).toEqual([
      200,
      'no-store',
      null,
    ])
    expect(old.headers.get('x-snapshot-date')).toBe('2026-01-01T00:00:00.000Z')
  })

  test('a tile with a source that is no longer public is not served', async () => {
    await storePack(1, [source, shut])
    expect((await ask(address(), {}, away)).status).toBe(503)
  })
})

/** The same database with every statement failing. */
function refusing(db: Context['db'], fail: () => Promise<never>): Context['db'] {
  const plugin = { transformQuery: ({ node }: { node: never }) => node, transformResult: fail }
  return db.withPlugin(plugin as never)
}

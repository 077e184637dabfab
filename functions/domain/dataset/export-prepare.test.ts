import { createHash } from 'node:crypto'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as places from '#functions/domain/place/places.ts'
import { placeState } from '#functions/domain/place/place-state.ts'
import { ingest } from '../records/ingest.ts'
import { recordsWorld, type RecordsWorld } from '../records/testing.ts'
import { exportRows } from './export.ts'
import {
  queueStaleExports,
  prepareSource,
  prepareSources,
  staleSources,
  maintainExports,
} from './export-prepare.ts'
import { asSystem } from '#db/testing.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { anonymous, system, type Context } from '#functions/context.ts'
import {
  preparedFormats,
  getKeyPrefix,
  readManifest,
  stateName,
} from '#functions/engine/export/prepared/manifest.ts'
import { servePrepared } from '#functions/edge/files/serve.ts'
import { storeStream } from '#functions/engine/export/prepared/store.ts'
import { schema, rows } from '#functions/engine/export/rows.testing.ts'
import { writePlaceState } from '#functions/edge/hub/place-state.ts'

let world: RecordsWorld
let store: Miniflare
let files: R2Bucket
const hubs = memoryBucket()
let ctx: Context
let sourceId: string

beforeAll(async () => {
  world = await recordsWorld()
  // Miniflare's bucket, which behaves like R2 with parts, ranges and lists.
  store = new Miniflare({ modules: true, script: 'export default {}', r2Buckets: ['FILES'] })
  files = (await store.getR2Bucket('FILES')) as unknown as R2Bucket
  const as = world.as(system)
  // Set by property, because a spread would call getters that throw.
  Object.defineProperty(as, 'files', { value: files, enumerable: true })
  for (const name of ['tiles', 'hubs']) Object.defineProperty(as, name, { value: hubs, enumerable: true })
  ctx = as
  await world.dataType('odd', schema)
  sourceId = await world.source('odd', 'public')
  await ingest(
    ctx,
    sourceId,
    rows.map(({ data }) => ({ text: 'none', ...data })),
  )
  await publishPlaceState()
}, 120_000)
afterAll(async () => {
  await store.dispose()
  await world.close()
})

/** Writes the place's public state to the edge. */
async function publishPlaceState() {
  const state = await placeState(ctx, 'oak')
  if (state) await writePlaceState(hubs, state)
}

const ask = (
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  placeId: string | null = null,
) => servePrepared(new Request(`https://app.test${path}`, { headers, method }), { files, hubs, placeId })

const keys = async () => (await files.list({ prefix: getKeyPrefix(sourceId) })).objects.map(({ key }) => key)
/** The name of a data version's state, in the place's time zone. */
const state = (version: number, timeZone = 'America/New_York') => stateName(version, 1, timeZone)
const latest = () => `/v1/sources/${sourceId}/export.csv`

describe('files of a state of a source', () => {
  test('are made on request where nothing is prepared', async () => {
    expect(await ask(latest())).toBeNull()
    expect((await ask(`/e/${sourceId}/manifest.json`))?.status).toBe(404)
  })

  test('are byte for byte equal to those made on request', async () => {
    await prepareSources(ctx, await staleSources(ctx, [{ kind: 'data', payload: { sourceId } }]))
    for (const format of preparedFormats) {
      const live = world.as(anonymous)
      const { body } = await exportRows(live, { placeId: 'oak', sourceId }, { format })
      const liveBytes = new Uint8Array(await new Response(body).arrayBuffer())
      const answer = (await ask(`/v1/places/oak/sources/${sourceId}/export.${format}`)) as Response
      expect(answer.status).toBe(200)
      expect(new Uint8Array(await answer.clone().arrayBuffer())).toEqual(liveBytes)
      const sha256 = createHash('sha256').update(liveBytes)
      expect(answer.headers.get('repr-digest')).toBe(`sha-256=:${sha256.digest('base64')}:`)
      for (const name of ['x-row-count', 'x-data-version'])
        expect(answer.headers.get(name)).toBe(live.responseHeaders.get(name))
      expect(answer.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="odd-1-.*"$/)
    }
  })

  test('are restored byte for byte where the storage has lost them', async () => {
    const path = `/v1/sources/${sourceId}/export.xlsx`
    const before = await ask(path)
    const bytes = new Uint8Array((await before?.arrayBuffer()) ?? new ArrayBuffer())
    expect(bytes.length).toBeGreaterThan(100)
    await files.delete((await keys()).filter((key) => key.endsWith('.xlsx')))
    expect(await ask(path)).toBeNull()
    expect(await maintainExports(ctx)).toMatchObject({ made: 1 })
    const again = await ask(path)
    expect(again?.headers.get('etag')).toBe(before?.headers.get('etag'))
    expect(new Uint8Array((await again?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(bytes)
    expect(await maintainExports(ctx)).toMatchObject({ made: 0 })
  })

  test('are announced once they exist, and only once', async () => {
    const readFileEvents = () =>
      ctx.db.selectFrom('outbox').select(['placeId', 'payload']).where('kind', '=', 'files').execute()
    expect(await readFileEvents()).toEqual([{ placeId: 'oak', payload: { id: sourceId } }])
    await prepareSource(ctx, sourceId)
    expect(await readFileEvents()).toHaveLength(1)
  })

  test('are read by ranges, and answered by 304 when known', async () => {
    const whole = new Uint8Array(await ((await ask(latest())) as Response).arrayBuffer())
    const { headers } = (await ask(latest())) as Response
    const etag = headers.get('etag') ?? ''
    expect((await ask(latest(), { 'if-none-match': etag }))?.status).toBe(304)
    const part = await ask(latest(), { range: 'bytes=10-19' })
    expect(part?.status).toBe(206)
    expect(part?.headers.get('content-range')).toBe(`bytes 10-19/${whole.length}`)
    expect(new Uint8Array((await part?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(whole.slice(10, 20))
    expect((await ask(latest(), { range: `bytes=${whole.length}-` }))?.status).toBe(416)
    expect((await ask(latest(), { range: 'bytes=0-1', 'if-range': etag }))?.status).toBe(206)
    expect((await ask(latest(), { range: 'bytes=0-1', 'if-range': '"another"' }))?.status).toBe(200)
    const head = await ask(latest(), {}, 'HEAD')
    expect([head?.headers.get('content-length'), await head?.text()]).toEqual([String(whole.length), ''])
  })

  test('have immutable addresses, and a manifest', async () => {
    const manifest = (await (await ask(`/e/${sourceId}/manifest.json`))?.json()) as {
      rows: number
      files: { format: string; url: string; bytes: number; sha256: string }[]
    }
    expect(manifest).toMatchObject({ sourceId, placeId: 'oak', version: 1, columns: Object.keys(schema) })
    expect(manifest.files.map(({ format }) => format)).toEqual([...preparedFormats])
    for (const { url, bytes, sha256 } of manifest.files) {
      const answer = (await ask(url)) as Response
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      const content = new Uint8Array(await answer.arrayBuffer())
      expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256])
    }
    expect((await ask(`/e/${sourceId}/99.1/data.csv`))?.status).toBe(404)
    expect((await ask(`/e/../../secret`))?.status ?? 'live').toBe('live')
    expect((await ask(`/e/${sourceId}/${state(1)}/data.csv`, {}, 'POST'))?.status).toBe(405)
  })

  test('are only for requests of everything, without authentication, at the right place', async () => {
    expect(await ask(`${latest()}?limit=1`)).toBeNull()
    expect(await ask(latest(), { cookie: 'a=b' })).toBeNull()
    expect(await ask(latest(), { authorization: 'Bearer x' })).toBeNull()
    expect(await ask(`/v1/places/elm/sources/${sourceId}/export.csv`)).toBeNull()
    expect(await ask(latest(), {}, 'GET', 'elm')).toBeNull()
    expect(await ask(latest(), {}, 'GET', 'oak')).not.toBeNull()
    expect(await ask(`/v1/sources/${sourceId}/export.tsv`)).toBeNull()
  })
})

describe('when a source changes', () => {
  const change = async (text: string) => {
    await ingest(ctx, sourceId, [{ text }])
    await publishPlaceState()
  }

  test('serves no old bytes for the new state, and keeps the files of two states', async () => {
    const before = await ask(latest())
    await change('one')
    expect(await ask(latest())).toBeNull()
    expect((await ask(`/e/${sourceId}/${state(1)}/data.csv`))?.status).toBe(200)
    await prepareSource(ctx, sourceId)
    const after = await ask(latest())
    expect(after?.headers.get('etag')).not.toBe(before?.headers.get('etag'))
    expect(after?.headers.get('x-data-version')).toBe('2')
    await change('two')
    await prepareSource(ctx, sourceId)
    const states = new Set((await keys()).map((key) => key.split('/')[2]))
    expect(states).toEqual(new Set([state(3), state(2)]))
  })

  test('makes nothing new when prepared again', async () => {
    const uploaded = async () =>
      (await files.list({ prefix: getKeyPrefix(sourceId) })).objects.map(({ key, version }) => [key, version])
    const before = await uploaded()
    await prepareSources(ctx, await staleSources(ctx, [{ kind: 'dataType', payload: { id: 'odd' } }]))
    expect(await uploaded()).toEqual(before)
  })

  test('makes new files when the place’s time zone changes, and serves the old ones for none of them', async () => {
    const before = await (await ask(latest()))?.text()
    expect(before).toContain('2024-02-29T18:59:59.123-05:00')
    const { db } = world.database.connect(asSystem)
    await db.updateTable('outbox').set({ preparedAt: new Date() }).execute()
    const place = await places.findById(ctx, { params: { placeId: 'oak' }, options: {} } as never)
    const change = { version: place?.version ?? 0, timeZone: 'Asia/Kolkata' }
    await places.updateById(ctx, { params: { placeId: 'oak' }, options: {}, data: change } as never)
    await publishPlaceState()
    expect(await ask(latest())).toBeNull()
    const queuedBatches: string[][] = []
    await queueStaleExports(ctx, async (ids) => queuedBatches.push(ids))
    expect(queuedBatches).toEqual([[sourceId]])
    await prepareSources(ctx, queuedBatches.flat())
    expect(await (await ask(latest()))?.text()).toContain('2024-03-01T05:29:59.123+05:30')
    // The previous state can still be read, and of two equal ones the current one stays.
    expect((await ask(`/e/${sourceId}/${state(3)}/data.csv`))?.status).toBe(200)
    expect(new Set((await keys()).map((key) => key.split('/')[2]))).toEqual(
      new Set([state(3), state(3, 'Asia/Kolkata')]),
    )
  })

  test('does not serve files made by an earlier edition, and removes them', async () => {
    await files.put(`exports/${sourceId}/3.1/data.csv`, 'of before')
    const manifest = await readManifest(files, sourceId, state(3, 'Asia/Kolkata'))
    await files.put(`exports/${sourceId}/3.1/manifest.json`, JSON.stringify(manifest))
    expect(await (await ask(latest()))?.text()).not.toBe('of before')
    expect(await (await ask(`/e/${sourceId}/3.1/data.csv`))?.text()).toBe('of before')
    await files.delete(`exports/${sourceId}/${state(3, 'Asia/Kolkata')}/manifest.json`)
    await prepareSource(ctx, sourceId)
    expect((await ask(`/e/${sourceId}/3.1/data.csv`))?.status).toBe(404)
  })

  test('hides unpublished sources at once, though their files exist; then removes the files', async () => {
    const { db } = world.database.connect(asSystem)
    const set = (visibility: 'public' | 'place') =>
      db.updateTable('source').set({ visibility }).where('id', '=', sourceId).execute()
    await set('place')
    await publishPlaceState()
    expect((await keys()).length).toBeGreaterThan(0)
    expect(await ask(latest())).toBeNull()
    expect((await ask(`/e/${sourceId}/${state(3, 'Asia/Kolkata')}/data.csv`))?.status).toBe(404)
    await prepareSources(ctx, await staleSources(ctx, [{ kind: 'source', payload: { id: sourceId } }]))
    expect(await keys()).toEqual([])
    await set('public')
    await publishPlaceState()
  })

  test('makes missing files once a day, and removes those of private sources', async () => {
    const inner = await world.source('odd', 'place')
    await files.put(`exports/${inner}/1.1/data.csv`, 'x')
    await files.put('exports/of-another-database/1.1/data.csv', 'x')
    expect(await maintainExports(ctx)).toEqual({ removed: 1, made: 1 })
    expect(await files.head(`exports/${inner}/1.1/data.csv`)).toBeNull()
    expect(await files.head('exports/of-another-database/1.1/data.csv')).not.toBeNull()
    expect((await ask(latest()))?.status).toBe(200)
    expect(await maintainExports(ctx)).toEqual({ removed: 0, made: 0 })
  })
})

describe('a file of many parts', () => {
  const chunk = (i: number) => new Uint8Array(1_000_003).fill(i)

  test('arrives complete, with its hash', async () => {
    let i = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => (i < 20 ? controller.enqueue(chunk(i++)) : controller.close()),
    })
    const fileSummary = await storeStream(files, 'exports/big', body, 'text/csv')
    const expected = createHash('sha256')
    for (let n = 0; n < 20; n++) expected.update(chunk(n))
    expect(fileSummary).toEqual({ bytes: 20 * 1_000_003, sha256: expected.digest('hex') })
    expect((await files.head('exports/big'))?.size).toBe(fileSummary.bytes)
  })

  test('leaves nothing when it breaks off', async () => {
    let i = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (i < 12) controller.enqueue(chunk(i++))
        else controller.error(new Error('The database is gone.'))
      },
    })
    await expect(storeStream(files, 'exports/cut', body, 'text/csv')).rejects.toThrow('The database is gone.')
    expect(await files.head('exports/cut')).toBeNull()
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cluster } from './cluster.ts'
import { exportRows } from './export.ts'
import { values } from './values.ts'
import { analytics, fields, find, findById } from './dataset.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { person, recordsWorld, type RecordsWorld } from '#functions/domain/records/testing.ts'
import { anonymous, system, type Context } from '#functions/context.ts'
import type { DatumOptions, ExportOptions } from '#functions/shapes/datum.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'

const call: FieldSchema = {
  type: { name: 'Type', type: 'text', search: true },
  cost: { name: 'Cost', type: 'number', measurement: { type: 'currency', value: 'usd' } },
  at: { name: 'At', type: 'date' },
  isUrgent: { name: 'Urgent', type: 'boolean' },
  tags: { name: 'Tags', type: 'array', items: { name: 'Tag', type: 'text' } },
  location: { name: 'Where', type: 'point' },
}

const kinds = ['fire', 'noise, "loud"', '=tree']
/** 120 calls, one an hour from midnight of 1 March 2021 UTC; the last has no date. */
const calls = Array.from({ length: 120 }, (_, i) => ({
  type: kinds[i % 3],
  cost: i % 4 === 0 ? undefined : i,
  at: i === 119 ? undefined : new Date(Date.UTC(2021, 2, 1, i)).toISOString(),
  isUrgent: i % 2 === 0,
  tags: i % 5 === 0 ? ['x', `t${i % 2}`] : undefined,
  location: { type: 'Point', coordinates: [((i % 40) - 7400) / 100, (4070 + (i % 3)) / 100] },
}))

let world: RecordsWorld
let open: string
let shut: string
let hidden: string
let ctx: Context

beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(system)
  await world.dataType('call', call, 'at')
  open = await world.source('call', 'public')
  shut = await world.source('call', 'place')
  hidden = await world.source('call', 'private')
  await ingest(ctx, open, calls)
  await ingest(ctx, shut, [{ type: 'canary', cost: 5 }])
  await ingest(ctx, hidden, [{ type: 'secret', cost: 7 }])
})
afterAll(() => world.close())

const getOpenScope = () => ({ placeId: 'oak', sourceId: open })
const typeParams = { placeId: 'oak', dataTypeId: 'call' }
const getPageData = (page: Awaited<ReturnType<typeof find>>) => page.results.map(({ data }) => data ?? {})

describe('find', () => {
  test('returns the newest first, those without a date last, with the exact total', async () => {
    const page = await find(ctx, getOpenScope(), { limit: 2 })
    expect(page.meta).toMatchObject({ results: 2, total: 120 })
    expect(getPageData(page).map(({ at }) => at)).toEqual([calls[118]?.at, calls[117]?.at])
    const last = await find(ctx, getOpenScope(), { offset: 119 })
    expect(getPageData(last)).toHaveLength(1)
    expect(getPageData(last)[0]).not.toHaveProperty('at')
  })

  test('goes through all pages by `next`, each record once', async () => {
    const ids: string[] = []
    let options: DatumOptions = { limit: '35' }
    for (;;) {
      const { results, meta } = await find(ctx, getOpenScope(), options)
      ids.push(...results.map(({ id }) => id ?? ''))
      if (!meta.next) break
      options = { limit: 35, next: meta.next }
    }
    expect(ids).toHaveLength(120)
    expect(new Set(ids).size).toBe(120)
    await expect(find(ctx, getOpenScope(), { next: "1';--" })).rejects.toMatchObject({
      issues: [{ path: ['next'] }],
    })
  })

  test('filters, searches, orders and omits fields', async () => {
    const options = {
      filters: { 'data.cost': { $gte: '100' }, 'data.isUrgent': 'true' },
      search: 'FIR',
      orderings: [{ value: { field: 'data.cost' }, direction: 'asc' }],
      exclusions: 'data.tags,updatedAt',
    }
    const page = await find(ctx, getOpenScope(), options)
    const expected = calls.filter((c) => c.type === 'fire' && (c.cost ?? 0) >= 100 && c.isUrgent)
    expect(getPageData(page).map(({ cost }) => cost)).toEqual(expected.map(({ cost }) => cost))
    expect(page.meta.total).toBe(expected.length)
    expect(page.results[0]).not.toHaveProperty('updatedAt')
    expect(page.results.every(({ data }) => !('tags' in (data ?? {})))).toBe(true)
  })

  test('finds what lies within a box', async () => {
    const within = { xmin: '-74.001', ymin: '40.6', xmax: '-73.995', ymax: '41' }
    const page = await find(ctx, getOpenScope(), { within })
    expect(page.meta.total).toBe(calls.filter((c) => (c.location.coordinates[0] ?? 0) <= -73.995).length)
    await expect(find(ctx, getOpenScope(), { within: { xmin: 'a' } })).rejects.toMatchObject({
      kind: 'invalid',
    })
  })

  test('finds one by id; none for the id of another source, or an invalid id', async () => {
    const [datum] = (await find(ctx, getOpenScope(), { limit: 1 })).results
    expect(await findById(ctx, getOpenScope(), datum?.id ?? '')).toEqual(datum)
    expect(await findById(ctx, { placeId: 'oak', sourceId: shut }, datum?.id ?? '')).toBeUndefined()
    expect(await findById(ctx, getOpenScope(), 'x')).toBeUndefined()
  })
})

describe('visibility', () => {
  const counts = async (as: Context) => (await find(as, typeParams, {})).meta.total

  test('a data type has the records of the sources one may see', async () => {
    expect(await counts(ctx)).toBe(122)
    expect(await counts(world.as(anonymous))).toBe(120)
    expect(await counts(world.as(person('eva', { elm: 'organization_admin' })))).toBe(120)
    expect(await counts(world.as(person('vic', { oak: 'viewer' })))).toBe(121)
    expect(await counts(world.as(person('ada', { oak: 'content_admin' })))).toBe(122)
    const narrowed = await find(ctx, typeParams, { maxVisibility: 'public' })
    expect(narrowed.meta.total).toBe(120)
  })

  test('holds for every kind of question', async () => {
    const stranger = world.as(anonymous)
    const closed = { placeId: 'oak', sourceId: shut }
    for (const ask of [
      () => find(stranger, closed, {}),
      () => fields(stranger, closed),
      () => values(stranger, closed, { field: ['data.type'] }),
      () => analytics(stranger, closed, { aggregations: [{ alias: 'n', value: { function: 'count' } }] }),
      () => cluster(stranger, closed, { zoom: 3 }),
      () => exportRows(stranger, closed, {}),
      () => find(ctx, { placeId: 'elm', sourceId: open }, {}),
    ]) {
      await expect(ask()).rejects.toMatchObject({ kind: 'notFound' })
    }
    const typeValues = await values(stranger, typeParams, { field: ['data.type'] })
    expect(JSON.stringify(typeValues)).not.toMatch(/canary|secret/)
    expect(JSON.stringify(await cluster(stranger, typeParams, { zoom: 0 }))).toContain('"point_count":120')
    const answer = await analytics(
      stranger,
      { ...typeParams, sourceIds: [shut, open] },
      {
        aggregations: [{ alias: 'n', value: { function: 'count' } }],
      },
    )
    expect(answer.results).toEqual([{ n: 120 }])
    expect(await exportText(stranger, { format: 'csv' }, typeParams)).not.toMatch(/canary|secret/)
  })

  test('an answer lists the sources it was made of', async () => {
    const visitor = world.as(anonymous)
    await find(visitor, typeParams, {})
    expect(visitor.depends).toEqual(
      new Set([
        ...['sources:oak', 'dataTypes:oak', 'dataType:call', `source:${open}`],
        `shows:source:${open}`,
      ]),
    )
  })
})

describe('analytics', () => {
  const perDay = {
    aggregations: [
      { alias: 'day', value: { function: 'bucket', arguments: ['day', { field: 'data.at' }] } },
      { alias: 'total', value: { function: 'count' } },
      { alias: 'cost', value: { function: 'sum', arguments: [{ field: 'data.cost' }] } },
    ],
    groupings: [{ field: 'day' }],
    orderings: [{ value: { field: 'day' }, direction: 'asc' }],
    filters: { 'data.at': { $ne: null } },
  }

  test('days are in the place’s time zone unless the question names a zone', async () => {
    const { results, meta, output } = await analytics(ctx, getOpenScope(), perDay)
    expect(results.slice(0, 2)).toMatchObject([
      { day: '2021-02-28T05:00:00.000Z', total: 5 },
      { day: '2021-03-01T05:00:00.000Z', total: 24 },
    ])
    expect(results.reduce((sum, row) => sum + Number(row.total), 0)).toBe(119)
    const all = { results: results.length, total: results.length }
    expect(meta).toEqual({ ...all, schema: output.schema, timeZone: 'America/New_York' })
    expect(output.schema.cost?.measurement).toEqual({ type: 'currency', value: 'usd' })
    const utc = await analytics(ctx, getOpenScope(), { ...perDay, timezone: 'UTC' })
    expect(utc.results[0]).toMatchObject({ day: '2021-03-01T00:00:00.000Z', total: 24 })
    expect(utc.meta.timeZone).toBe('UTC')
  })

  test('an answer cut by a limit has the number of all rows; a complete one does not', async () => {
    const whole = await analytics(ctx, getOpenScope(), perDay)
    const days = whole.results.length
    expect([whole.meta.total, whole.output]).toEqual([days, expect.not.objectContaining({ total: days })])
    const first = await analytics(ctx, getOpenScope(), { ...perDay, limit: 2 })
    expect(first.meta).toMatchObject({ results: 2, total: days })
    expect([first.output.total, first.output.skipped]).toEqual([days, undefined])
    expect(first.results).toEqual(whole.results.slice(0, 2))
    const next = await analytics(ctx, getOpenScope(), { ...perDay, limit: 2, offset: 1 })
    expect(next.output).toMatchObject({ total: days, skipped: 1 })
    const behind = await analytics(ctx, getOpenScope(), { ...perDay, offset: days + 3 })
    expect([behind.results, behind.meta.total]).toEqual([[], days])
    expect(behind.output).toMatchObject({ total: days, skipped: days + 3 })
    // A limit that leaves no rows out is not reported as a cut.
    expect((await analytics(ctx, getOpenScope(), { ...perDay, limit: days })).output).toEqual(whole.output)
    expect((await analytics(ctx, getOpenScope(), { limit: 3 })).output).toMatchObject({ total: 120 })
  })

  test('issues have the path in the request', async () => {
    const bad = { aggregations: [{ alias: 'x', value: { field: 'data.nothing' } }] }
    await expect(analytics(ctx, getOpenScope(), bad)).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['aggregations', 0, 'value', 'field'] }],
    })
  })

  test('a question without aggregations returns the records', async () => {
    const { results, meta, output } = await analytics(ctx, getOpenScope(), { limit: 3 })
    expect(results).toHaveLength(3)
    expect(meta.total).toBe(120)
    expect(output.schema['data.cost']).toMatchObject({ type: 'number' })
  })

  test('searches only text fields that are marked as searchable', async () => {
    await world.dataType('plain', { text: { name: 'Text', type: 'text' } })
    const scope = { placeId: 'oak', sourceId: await world.source('plain') }
    await expect(find(ctx, scope, { search: 'x' })).rejects.toMatchObject({
      issues: [{ path: ['search'], message: 'Endpoint does not support search.' }],
    })
  })

  test('a search of 120 fields finds what one of them contains, and nothing that spans two', async () => {
    const names = Array.from({ length: 120 }, (_, i) => `part${i}`)
    const schema: FieldSchema = Object.fromEntries(
      names.map((name) => [name, { name, type: 'text', search: true }]),
    )
    await world.dataType('parts', schema)
    const scope = { placeId: 'oak', sourceId: await world.source('parts') }
    const separator = '\u{e000}'
    const value = (i: number) => (i % 3 === 0 ? `Ab_${i}` : i === 100 ? `x${separator}YZ` : undefined)
    const record = Object.fromEntries(names.map((name, i) => [name, value(i)]))
    await ingest(ctx, scope.sourceId, [record, { part1: 'other' }])
    const count = async (search: string) => (await find(ctx, scope, { search })).meta.total
    const contained = ['ab_0', 'B_117', '_33', `X${separator}y`]
    for (const search of contained) expect(await count(search), search).toBe(1)
    const spanning = ['0ab', `0${separator}ab`, `${separator}ab`, `117${separator}`, 'ab%0', 'abx0']
    for (const search of spanning) expect(await count(search), search).toBe(0)
    expect(await count('t')).toBe(1)
  })

  test('a data type without any record has fields and empty answers', async () => {
    await world.dataType('empty', call, 'at')
    const scope = { placeId: 'oak', sourceId: await world.source('empty') }
    expect((await find(ctx, scope, {})).meta.total).toBe(0)
    expect(
      (await find(ctx, scope, { search: 'x', filters: { 'data.tags': { $contains: ['x'] } } })).results,
    ).toEqual([])
    expect((await analytics(ctx, scope, perDay)).results).toEqual([])
    expect(await values(ctx, scope, { field: ['data.type'] })).toMatchObject({ results: [] })
    expect((await cluster(ctx, scope, { zoom: 12 })).features).toEqual([])
    const entries = (await fields(ctx, scope)).results
    expect(entries.find(({ field }) => field === 'data.at')).toMatchObject({
      name: 'At',
      type: 'date',
      primary: true,
    })
  })
})

describe('values', () => {
  test('stored and computed counts are equal', async () => {
    const keptOnes = await values(ctx, getOpenScope(), { field: ['data.type'] })
    const computedCounts = await values(ctx, getOpenScope(), {
      field: ['data.type'],
      filters: { 'data.type': { $ne: null } },
    })
    expect(keptOnes).toEqual({
      results: [...kinds].sort().map((value) => ({ value, count: 40 })),
      meta: { results: 3, total: 3 },
    })
    expect(computedCounts).toEqual(keptOnes)
    expect(await values(ctx, getOpenScope(), { field: ['data.type'], search: 'OIS' })).toMatchObject({
      meta: { total: 1 },
    })
  })

  test('items of lists are counted, null counts, several fields are named', async () => {
    const both = await values(ctx, getOpenScope(), { field: ['data.tags', 'data.isUrgent'], limit: 2 })
    expect(both).toEqual({
      'data.tags': [
        { value: null, count: 96 },
        { value: 'x', count: 24 },
      ],
      'data.isUrgent': [
        { value: false, count: 60 },
        { value: true, count: 60 },
      ],
    })
    await expect(values(ctx, getOpenScope(), { field: ['data.location'] })).rejects.toMatchObject({
      kind: 'invalid',
    })
    await expect(values(ctx, getOpenScope(), { field: ['nothing'] })).rejects.toMatchObject({
      kind: 'invalid',
    })
  })
})

describe('cluster', () => {
  const sum = (features: { properties: Record<string, unknown> | null }[]) =>
    features.reduce((total, { properties }) => total + Number(properties?.point_count ?? 1), 0)
  const within = { xmin: -74.2, ymin: 40.5, xmax: -73.4, ymax: 40.9 }

  test.each([0, 4, 9, 10, 13])('zoom %i contains every record once', async (zoom) => {
    const { features, meta } = await cluster(ctx, getOpenScope(), { zoom, within })
    expect(sum(features)).toBe(120)
    expect(meta).toEqual({ zoom, total: 120, isCut: false })
    for (const { geometry } of features) {
      const [longitude, latitude] = geometry.type === 'Point' ? geometry.coordinates : []
      expect(longitude).toBeGreaterThan(-74.1)
      expect(longitude).toBeLessThan(-73.5)
      expect(latitude).toBeGreaterThan(40.69)
      expect(latitude).toBeLessThan(40.73)
    }
  })

  test('stored and computed clusters agree on the count, and nearly on the position', async () => {
    const keptOnes = await cluster(ctx, getOpenScope(), { zoom: 7, within })
    const computedClusters = await cluster(ctx, getOpenScope(), {
      zoom: 7,
      within,
      filters: { 'data.type': { $ne: null } },
    })
    const key = (f: (typeof computedClusters.features)[number]) =>
      f.properties?.cluster_id ?? f.properties?.id
    const byId = new Map(computedClusters.features.map((f) => [key(f), f]))
    expect(byId.size).toBe(keptOnes.features.length)
    for (const feature of keptOnes.features) {
      const other = byId.get(key(feature))
      expect(other?.properties).toEqual(feature.properties)
      const [a, b] = [feature.geometry, other?.geometry]
      if (a.type !== 'Point' || b?.type !== 'Point') throw new Error('A cluster is a point.')
      expect(Math.abs(Number(a.coordinates[0]) - Number(b.coordinates[0]))).toBeLessThan(360 / 2 ** 10 / 8)
    }
  })

  test('a box too large for its zoom is answered at a coarser one', async () => {
    const { features, meta } = await cluster(ctx, getOpenScope(), { zoom: 15 })
    expect(meta.zoom).toBeLessThan(15)
    expect(sum(features)).toBe(120)
  })

  test('is narrowed by filters; from zoom 16 it contains the records themselves', async () => {
    const fires = await cluster(ctx, getOpenScope(), { zoom: 3, filters: { 'data.type': 'fire' } })
    expect(sum(fires.features)).toBe(40)
    const near = { xmin: -74.0001, ymin: 40.6999, xmax: -73.9999, ymax: 40.7001 }
    const { features } = await cluster(ctx, getOpenScope(), { zoom: 17, within: near })
    expect(features).toHaveLength(1)
    expect(features[0]).toMatchObject({
      geometry: { type: 'Point', coordinates: [-74, 40.7] },
      properties: { type: 'fire' },
    })
  })
})

async function exportText(
  as: Context,
  options: ExportOptions,
  scope: object = getOpenScope(),
): Promise<string> {
  const { body } = await exportRows(as, scope, options)
  const bytes = await new Response(body).arrayBuffer()
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

describe('export', () => {
  test('CSV contains every record, quoted as in RFC 4180, and their number', async () => {
    const visitor = world.as(anonymous)
    const text = await exportText(visitor, { format: 'csv' })
    const lines = text.split('\r\n')
    expect(lines[0]).toBe('type,cost,at,isUrgent,tags,location,location.longitude,location.latitude')
    expect(lines[1]).toBe('fire,,2021-02-28T19:00:00-05:00,true,"x, t0",POINT(-74 40.7),-74,40.7')
    expect(lines[2]).toContain('"noise, ""loud"""')
    expect(lines[3]).toMatch(/^=tree/)
    expect(lines).toHaveLength(122)
    expect(visitor.responseHeaders.get('x-row-count')).toBe('120')
    expect(visitor.responseHeaders.get('x-data-version')).toBe('1')
    const excel = await exportText(ctx, {
      format: 'csv',
      excel: true,
      names: true,
      fields: ['type'],
      limit: 3,
    })
    expect(excel).toBe(`\uFEFFType\r\n"noise, ""loud"""\r\nfire\r\n'=tree\r\n`)
  })

  test('JSON and GeoJSON are valid and complete, in any order and page', async () => {
    expect(JSON.parse(await exportText(ctx, {}))).toEqual(JSON.parse(JSON.stringify(calls)))
    const layer = JSON.parse(
      await exportText(ctx, { format: 'geojson', filters: { 'data.type': 'fire' } }),
    ) as {
      features: { id: number; geometry: unknown; properties: object }[]
    }
    expect(layer.features).toHaveLength(40)
    expect(layer.features[0]).toMatchObject({
      geometry: calls[0]?.location,
      properties: { type: 'fire', tags: ['x', 't0'] },
    })
    const options = {
      orderings: [{ value: { field: 'data.cost' }, direction: 'desc' }],
      offset: 30,
      limit: 10,
    }
    const costs = (JSON.parse(await exportText(ctx, options)) as { cost: number }[]).map(({ cost }) => cost)
    expect(costs).toHaveLength(10)
    expect(costs[0]).toBe(119)
  })

  test('an answer can be a file', async () => {
    const options = {
      format: 'csv' as const,
      aggregations: [
        { alias: 'type', value: { field: 'data.type' } },
        { alias: 'n', value: { function: 'count' } },
      ],
      groupings: [{ field: 'type' }],
      filters: { 'data.type': 'fire' },
    }
    expect(await exportText(ctx, options)).toBe('type,n\r\nfire,40\r\n')
  })

  test('many pages are complete; data that changes meanwhile breaks the file off', async () => {
    await world.dataType('count', { n: { name: 'N', type: 'number' } })
    const source = await world.source('count')
    const scope = { placeId: 'oak', sourceId: source }
    await ingest(
      ctx,
      source,
      Array.from({ length: 12_001 }, (_, n) => ({ n })),
    )
    const all = JSON.parse(await exportText(ctx, {}, scope)) as { n: number }[]
    expect(new Set(all.map(({ n }) => n)).size).toBe(12_001)
    const { body } = await exportRows(ctx, scope, { format: 'ndjson' })
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    await ingest(ctx, source, [{ n: -1 }])
    const rest = async () => {
      while (!(await reader.read()).done);
    }
    await expect(rest()).rejects.toThrow(/changed during an export/)
  })

  test('an invalid question fails before the file begins', async () => {
    await expect(exportRows(ctx, getOpenScope(), { fields: ['x'] })).rejects.toMatchObject({
      issues: [{ path: ['fields', 0] }],
    })
    await expect(exportRows(ctx, getOpenScope(), { filters: 7 })).rejects.toMatchObject({ kind: 'invalid' })
  })
})

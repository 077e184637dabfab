import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveV1 } from './serve.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { processJobs } from '#functions/domain/importer/job/work.ts'
import { internet, createOutsideFetch, type Internet } from '#functions/engine/import/fetch/testing.ts'

let world: TestWorld
let net: Internet
const origin = 'https://data.example.org'
let file = ''
let fetched = 0

beforeAll(async () => {
  world = await openWorld(city)
  net = internet()
  await net.serve(origin, (_request, response) => {
    fetched += 1
    response.writeHead(200, { 'content-type': 'text/csv' })
    response.end(file)
  })
})
afterAll(async () => {
  await net.close()
  await world.close()
})

const outside = createOutsideFetch(() => net)
const files = memoryBucket()

type Json = Record<string, unknown>

/** Calls `/v1` over HTTP; an unexpected status fails the test with the message. */
async function ask(method: string, path: string, data?: unknown, expectedStatuses: number[] = [200, 201]) {
  const ctx = world.as('organization_admin', { fetch: outside, files })
  const body = data === undefined ? null : JSON.stringify(data)
  const headers: Record<string, string> = body === null ? {} : { 'content-type': 'application/json' }
  const request = new Request(`http://localhost:8787/v1${path}`, { method, body, headers })
  const response = await serveV1(request, ctx)
  const text = await response.text()
  expect([response.status, text]).toEqual([
    expect.toSatisfy(
      (status: number) => expectedStatuses.includes(status),
      `one of ${expectedStatuses.join()}`,
    ),
    text,
  ])
  return JSON.parse(text) as Json
}

/** Runs pending jobs, as the queue's consumer does. */
const work = () => processJobs(world.as('system', { fetch: outside, files }))

/** Trees with one invalid number in a hundred. */
const buildCsv = (ids: number[], height: (id: number) => number) =>
  ['tree_id,species,height,planted', ...ids.map((id) => `${line(id, height(id))}`)].join('\n')
const line = (id: number, height: number) =>
  `T-${String(id).padStart(4, '0')},${id % 3 ? 'Oak' : 'Elm'},${id % 100 === 99 ? 'tall' : height},2020-03-${String((id % 28) + 1).padStart(2, '0')}`
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

test('a file is imported, updated after a dry run, and rolled back, through /v1 alone', async () => {
  file = buildCsv(range(0, 500), (id) => (id % 40) + 0.5)
  const sources = [{ url: `${origin}/trees.csv`, parser: 'csv' }]
  const testResult = await ask('POST', '/sources/inner/importers/test', { name: 'Trees', sources })
  expect(testResult.error).toBeUndefined()
  const guess = testResult.schemaGuess as Json & { schema: Record<string, Json>; temporal: Json }
  expect(guess).toMatchObject({
    id: 'tree_id',
    schema: {
      id: { type: 'text' },
      species: { type: 'text' },
      height: { type: 'number' },
      planted: { type: 'date' },
    },
  })
  const { schema, temporal, mapping, columns } = guess
  await ask('POST', '/dataTypes', { id: 'street-tree', name: 'Street tree', schema, temporal })
  await ask('POST', '/sources', {
    ...{ id: 'trees', name: 'Trees', dataTypeId: 'street-tree', placeId: 'oakton', visibility: 'public' },
  })
  const at = '/sources/trees/importers'
  const importer = { id: 'nightly', name: 'Trees', sources, mapping, columns, mode: 'replace' }
  await ask('POST', at, importer)
  const one = `${at}/nightly`

  const dry = await ask('POST', `${one}/run?dryRun=true`)
  expect(dry).toMatchObject({ kind: 'dryRun', status: 'queued' })
  await ask('GET', `${one}/jobs/${String(dry.id)}/preview`, undefined, [409])
  await work()
  const first = { read: 500, created: 495, updated: 0, unchanged: 0, removed: 0, rejected: 5 }
  expect(await ask('GET', `${one}/jobs/${String(dry.id)}/preview`)).toMatchObject({
    counts: first,
    comparedWith: { version: 0, records: 0 },
    type: { rows: 500, fields: [{ change: 'refused', field: 'height', values: 500, refused: 5 }] },
  })
  expect(await ask('GET', '/sources/trees/data?limit=1')).toMatchObject({ meta: { total: 0 } })
  expect(await ask('GET', `${one}/jobs/${String(dry.id)}/rejects?limit=2`)).toMatchObject({
    results: [
      { row: 100, line: 101, url: `${origin}/trees.csv`, field: 'height', value: 'tall' },
      { row: 200, line: 201 },
    ],
    meta: { results: 2, total: 5, next: 'n.2' },
  })
  const [askedFor] = [fetched]
  await ask('POST', `${one}/jobs/${String(dry.id)}/commit`)
  await work()
  expect(fetched).toBe(askedFor)
  expect(await ask('GET', `${one}/jobs/${String(dry.id)}`)).toMatchObject({
    ...{ kind: 'run', status: 'succeeded', counts: first, dataVersion: 1 },
  })

  await ask('POST', '/insights', {
    ...{ id: 'how-high', name: 'Height', dataTypeId: 'street-tree', sourceId: 'trees', visibility: 'public' },
    visualization: { type: 'number' },
    query: {
      aggregations: [
        { alias: 'n', value: { function: 'count' } },
        { alias: 'sum', value: { function: 'sum', arguments: [{ field: 'data.height' }] } },
      ],
    },
  })
  const insight = async () =>
    (await ask('GET', '/places/oakton/insights/how-high/analytics')).results as { n: number; sum: number }[]
  const sumHeights = (ids: number[], height: (id: number) => number) =>
    ids.filter((id) => id % 100 !== 99).reduce((sum, id) => sum + height(id), 0)
  const before = [{ n: 495, sum: sumHeights(range(0, 500), (id) => (id % 40) + 0.5) }]
  expect(await insight()).toEqual(before)

  // The file a month later: fifty trees are gone, as many are new, a tenth has grown.
  const grown = (id: number) => (id % 40) + (id % 10 === 0 ? 1.5 : 0.5)
  file = buildCsv(range(50, 550), grown)
  const second = { read: 500, created: 50, updated: 45, unchanged: 400, removed: 50, rejected: 5 }
  const again = await ask('POST', `${one}/run?dryRun=true`)
  await work()
  const preview = await ask('GET', `${one}/jobs/${String(again.id)}/preview`)
  expect(preview).toMatchObject({ counts: second, comparedWith: { version: 1, records: 495 } })
  expect((preview.samples as { updated: Json[] }).updated[0]).toEqual({
    ...{ row: 1, externalId: 'T-0050', changes: [{ field: 'height', before: 10.5, after: 11.5 }] },
  })
  expect(await insight()).toEqual(before)
  await ask('POST', `${one}/jobs/${String(again.id)}/commit`)
  await work()
  expect(await insight()).toEqual([{ n: 495, sum: sumHeights(range(50, 550), grown) }])

  const back = await ask('POST', `${one}/jobs/${String(again.id)}/rollback`)
  expect(back).toMatchObject({ kind: 'rollback', undoes: again.id, status: 'queued' })
  await work()
  expect(await ask('GET', `${one}/jobs/${String(back.id)}`)).toMatchObject({
    ...{ status: 'succeeded', dataVersion: 3 },
    counts: { read: 95, created: 50, updated: 45, unchanged: 0, removed: 50, rejected: 0 },
  })
  expect(await insight()).toEqual(before)
  expect(await ask('GET', '/sources/trees/data?limit=1')).toMatchObject({ meta: { total: 495 } })
  await ask('POST', `${one}/jobs/${String(again.id)}/rollback`, undefined, [409])
})

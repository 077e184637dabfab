import { afterAll, beforeAll, expect, test } from 'vitest'
import { createImporterScreen } from './create.server.ts'
import { importerScreen, modifyImporterScreen } from './importer.server.ts'
import { replaceFile } from './replace.server.ts'
import { call } from '#functions/api/call.ts'
import { internet, createOutsideFetch, type Internet } from '#functions/engine/import/fetch/testing.ts'
import { v1 } from '#functions/v1/index.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

const origin = 'https://data.example.org'
/** `other` is calculated: a column of its name is there as well. */
const buildSchema = (boundarySetId: string) => ({
  species: { name: 'Species', type: 'text' },
  height: { name: 'Height', type: 'number' },
  at: { name: 'At', type: 'point' },
  other: { name: 'Other', type: 'text', regionOf: { point: 'at', boundarySetId, value: 'code' } },
})
const ward = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
}
let world: TestWorld
let net: Internet
let sourceId = ''
beforeAll(async () => {
  world = await openWorld(city)
  net = internet()
  // Rows come only with the stored secret.
  await net.serve(origin, (request, response) => {
    const isAllowed = request.headers['x-api-key'] === 'open sesame'
    response.writeHead(isAllowed ? 200 : 401, { 'content-type': 'text/csv' })
    response.end(isAllowed ? 'Species,Height,Other\nOak,5.5,a\nElm,7,b\n' : 'No.')
  })
  const ctx = world.as('organization_admin', { tiles: memoryBucket() })
  const placeId = 'oakton'
  const wards = await call(v1.place.boundarySet.create, ctx, {
    params: { placeId },
    data: {
      name: 'Wards',
      visibility: 'public',
      geojson: { type: 'Feature', properties: {}, geometry: ward },
    },
  })
  const type = { name: 'Sapling', schema: buildSchema(wards.id), temporal: null, ownerPlaceId: placeId }
  const { id: dataTypeId } = await call(v1.dataType.create, ctx, { data: type })
  const source = { name: 'Saplings', dataTypeId, placeId, visibility: 'place' }
  sourceId = (await call(v1.source.create, ctx, { data: source })).id
})
afterAll(async () => {
  await net.close()
  await world.close()
})

const outside = createOutsideFetch(() => net)

/** The screen of an importer that was just made with these parts. */
async function loadModifyScreen(key: string, more: object = {}) {
  const ctx = world.as('organization_admin', { fetch: outside })
  const headers = { 'x-api-key': { secret: key } }
  const sources = [{ url: `${origin}/trees.csv`, parser: 'csv', headers }]
  const data = { name: 'Trees', sources, ...more }
  const { id: importerId } = await call(v1.source.importer.create, ctx, { params: { sourceId }, data })
  const request = new Request(`http://localhost:8787/sources/${sourceId}/importers/${importerId}/modify`)
  return modifyImporterScreen({
    ...{ request, params: { sourceId, importerId }, context: { ctx } },
  } as unknown as Parameters<typeof modifyImporterScreen>[0])
}

test('an importer with only sources gets a proposed mapping', async () => {
  const { proposal, importer, schema } = await loadModifyScreen('open sesame')
  expect(importer.mapping).toEqual({})
  expect(Object.keys(proposal?.mapping ?? {})).toEqual(['species', 'height'])
  // What is calculated is not offered.
  expect(Object.keys(schema)).toEqual(['species', 'height', 'at'])
  expect(proposal?.trialResult.rows.map(({ output }) => output)).toEqual([
    { species: 'Oak', height: 5.5, other: null },
    { species: 'Elm', height: 7, other: null },
  ])
  expect(JSON.stringify(proposal)).not.toContain('open sesame')
})

test('one with an unreachable address says why, and one with a mapping is not fetched', async () => {
  const { proposal } = await loadModifyScreen('wrong')
  expect(proposal).toMatchObject({
    mapping: {},
    trialResult: { error: expect.stringContaining('credentials') as string },
  })
  const { proposal: none } = await loadModifyScreen('open sesame', {
    mapping: { species: { field: 'Other' } },
  })
  expect(none).toBeNull()
})

test('a forbidden address and a field of a template are rejected at their input, with the submitted values', async () => {
  const ctx = world.as('organization_admin')
  const here = `${ctx.site.origin}/sources/${sourceId}/importers/create`
  const screenAt = (query: Record<string, string>) =>
    createImporterScreen({
      request: new Request(`${here}?${new URLSearchParams(query).toString()}`),
      params: { sourceId },
      context: { ctx },
    } as unknown as Parameters<typeof createImporterScreen>[0])
  const buildErrorScreen = (path: string, message: unknown) => ({
    step: 'source',
    trial: null,
    errors: { issues: [{ path: [path], message }] },
  })
  const url = 'data.example.org/rows.csv'
  const message = 'Must be an http or https address.'
  expect(await screenAt({ url })).toMatchObject({ address: url, ...buildErrorScreen('url', message) })
  const both = `${origin}/a.csv\nhttp://10.0.0.1/b.csv`
  expect(await screenAt({ url: both })).toMatchObject({
    address: both,
    ...buildErrorScreen('url', 'Address 2: Must not lead into a private network.'),
  })
  const fillValues = ['ftp://portal.example.org']
  const { templates } = await screenAt({})
  const template = templates.find(({ fill }) => fill[0]?.path.join('.') === 'sources.0.url')?.id ?? ''
  expect(await screenAt({ template, 'fill.0': fillValues[0] ?? '' })).toMatchObject({
    fillValues: expect.arrayContaining(fillValues) as string[],
    ...buildErrorScreen('fill.0', message),
  })
  // An address that may be one and does not answer is told with how it is asked for.
  expect(await screenAt({ url: `${origin}/rows.csv` })).toMatchObject({ step: 'read', errors: null })
})

test('replacing the file shows its columns first, then the same importer reads all of it', async () => {
  const ctx = world.as('organization_admin')
  const upload = async (name: string, text: string) => {
    const file = new File([text], name, { type: 'text/csv' })
    return (await call(v1.source.file.create, ctx, { params: { sourceId }, data: { file } })).id
  }
  const first = await upload('2025.csv', 'Species,Height\nOak,5.5\n')
  const second = await upload('2026.csv', 'Species,Tall\nElm,7\nAsh,8\n')
  const { id: importerId } = await call(v1.source.importer.create, ctx, {
    params: { sourceId },
    data: {
      name: 'By file',
      sources: [{ url: `file:${first}`, parser: 'csv' }],
      mapping: { species: { field: 'Species' }, height: { field: 'Height' } },
    },
  })
  const here = `${ctx.site.origin}/sources/${sourceId}/importers/${importerId}`
  const argsFor = (request: Request) =>
    ({ request, params: { sourceId, importerId }, context: { ctx } }) as unknown as Parameters<
      typeof importerScreen
    >[0]
  expect(await importerScreen(argsFor(new Request(here)))).toMatchObject({ isOfFile: true, change: null })
  const query = new URLSearchParams({ url: `file:${second}`, parser: 'csv', named: '2026.csv' })
  const screen = await importerScreen(argsFor(new Request(`${here}?${query.toString()}`)))
  expect(screen.change).toEqual({
    ...{ source: { url: `file:${second}`, parser: 'csv' }, name: '2026.csv', error: null, isCompared: true },
    ...{ missing: [{ path: 'Height', fields: ['height'] }], newPaths: ['Tall'], rows: 2, badRows: 0 },
  })
  const elsewhere = await importerScreen(argsFor(new Request(`${here}?url=file:of-another`)))
  expect(elsewhere.change).toMatchObject({
    rows: 0,
    error: expect.stringContaining('no such file') as string,
  })
  const body = new URLSearchParams({
    ...{ intent: 'replaceFile', version: String(screen.importer.version) },
    readSource: JSON.stringify(screen.change?.source),
  })
  const headers = { origin: ctx.site.origin }
  const left: unknown = await replaceFile(
    argsFor(new Request(here, { method: 'POST', body, headers })),
  ).catch((response: unknown) => response)
  expect((left as Response).headers.get('location')).toMatch(new RegExp(`/importers/${importerId}/\\w+`))
  const now = await importerScreen(argsFor(new Request(here)))
  expect(now.importer).toMatchObject({ id: importerId, sources: [{ url: `file:${second}`, parser: 'csv' }] })
  expect(now.lastJob).toMatchObject({ kind: 'dryRun' })
})

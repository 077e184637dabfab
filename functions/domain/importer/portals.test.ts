import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { openImporterFixture, type ImporterFixture } from './job/testing.ts'
import { arcgis, portals, type Portal } from './portals.testing.ts'
import { test as tryImporter } from './try.ts'
import { importerTemplates } from './templates.ts'
import type { NewImporter } from '#functions/shapes/importer.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'

let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
})
afterAll(() => bed.close())

/** The address of every template is served here, under its own name. */
async function serve(url: string, answer: Portal['answer']) {
  return bed.net.serve(new URL(url).origin, (request, response) =>
    answer(new URL(request.url ?? '/', url), request, response),
  )
}

async function readTemplate(name: string) {
  const template = (await importerTemplates()).find(({ id }) => id === name)
  if (!template) throw new Error('There is such a template.')
  return template.importer as unknown as NewImporter & { mapping: object; sources: { url: string }[] }
}

/** Tests an importer for a source: the rows it would import, and the proposed data type. */
async function runTrial(id: string, importer: NewImporter) {
  const ctx = bed.world.as('content_admin', {
    fetch: (input, init) =>
      String(input).startsWith('https://dns.test')
        ? Promise.resolve(Response.json({ Status: 0, Answer: [{ type: 1, data: '93.184.216.34' }] }))
        : bed.net.ports.fetch(input, init),
  })
  const request = { params: { sourceId: id }, options: {}, placeId: 'oakton' }
  const trial = await tryImporter(ctx, { ...request, data: importer })
  if (!trial) throw new Error('There is such a source.')
  return trial
}

/**
 * Does what a browser does with a template: tests it, accepts the proposed data type, creates the importer,
 * runs it.
 */
async function brought(importer: Awaited<ReturnType<typeof readTemplate>>, fields?: FieldSchema) {
  const id = await bed.importer()
  const { error, schemaGuess } = await runTrial(id, importer)
  const { schema, mapping, columns } = schemaGuess
  const { db } = bed.system()
  const type = `of-${id}`
  await db
    .insertInto('dataType')
    .values({ id: type, name: type, schema: JSON.stringify(fields ?? schema), createdBy: null })
    .execute()
  await db.updateTable('source').set({ dataTypeId: type }).where('id', '=', id).execute()
  await db
    .updateTable('importer')
    .set({
      sources: JSON.stringify(importer.sources),
      mapping: JSON.stringify(fields ? importer.mapping : mapping),
      columns: JSON.stringify(fields ? {} : columns),
      mode: importer.mode,
    })
    .where('id', '=', id)
    .execute()
  await bed.start(id)
  await bed.finish({ batchRows: 2000 })
  return { id, error, job: await bed.job(id) }
}

/** Fields for templates with a mapping. */
const fieldsByTemplate: Record<string, FieldSchema> = {
  arcgis: {
    id: { name: 'Id', type: 'text' },
    name: { name: 'Name', type: 'text' },
    area: { name: 'Area', type: 'multipolygon' },
  },
  gtfs: {
    id: { name: 'Id', type: 'text' },
    name: { name: 'Name', type: 'text' },
    location: { name: 'Location', type: 'point' },
  },
  'usgs-earthquakes': {
    id: { name: 'Id', type: 'text' },
    magnitude: { name: 'Magnitude', type: 'number' },
    place: { name: 'Place', type: 'text' },
    time: { name: 'Time', type: 'date' },
    location: { name: 'Location', type: 'point' },
  },
}

test.each(portals.map((portal) => [portal.template, portal] as const))(
  'the template %s imports all rows of its portal, typed',
  { timeout: 120_000 },
  async (name, { rows, answer }) => {
    const importer = await readTemplate(name)
    await serve(importer.sources[0]?.url ?? '', answer)
    const { id, error, job } = await brought(importer, fieldsByTemplate[name])
    expect(error).toBeUndefined()
    expect({ status: job.status, error: job.error }).toEqual({ status: 'succeeded', error: null })
    expect(job.counts).toMatchObject({ created: rows, rejected: 0, updated: 0 })
    const { rows: storedStats } = await sql<{ count: number; fields: Record<string, { nulls: number }> }>`
      select count, fields from source_stat where source_id = ${id}`.execute(bed.system().db)
    expect(storedStats[0]?.count).toBe(rows)
    // Each field has a value in some record.
    for (const [key, { nulls }] of Object.entries(storedStats[0]?.fields ?? {}))
      expect([key, nulls < rows]).toEqual([key, true])
  },
)

test('the proposed data types have the types of the columns', async () => {
  const readFieldTypes = async (name: string) => {
    const importer = await readTemplate(name)
    await serve(
      importer.sources[0]?.url ?? '',
      portals.find(({ template }) => template === name)?.answer ?? arcgis(1),
    )
    const { schemaGuess } = await runTrial(await bed.importer(), importer)
    return Object.fromEntries(Object.entries(schemaGuess.schema).map(([key, { type }]) => [key, type]))
  }
  expect(Object.values(await readFieldTypes('ckan')).sort()).toEqual(['date', 'number', 'text', 'text'])
  expect(Object.values(await readFieldTypes('socrata')).sort()).toEqual(['date', 'text', 'text', 'text'])
  expect(Object.values(await readFieldTypes('csv')).sort()).toEqual(['number', 'text', 'text'])
})

test('no template converts a text before its field has a type: codes keep their leading zeros', async () => {
  for (const { id, importer } of await importerTemplates())
    expect(JSON.stringify(importer), id).not.toContain('autoFormat')
  const importer = await readTemplate('socrata')
  const portal = portals.find(({ template }) => template === 'socrata')
  await serve(importer.sources[0]?.url ?? '', portal?.answer ?? arcgis(1))
  const { schemaGuess, rows } = await runTrial(await bed.importer(), importer)
  const { fields } = schemaGuess
  const zip = fields.find(({ paths }) => paths[0] === 'incident_zip')
  expect(zip).toMatchObject({ type: 'text' })
  expect(rows[0]?.input).toMatchObject({ unique_key: '10000', incident_zip: '02100' })
})

test('only stops of a timetable are stops, even if another table uses their ids', async () => {
  const importer = await readTemplate('gtfs')
  await serve(
    importer.sources[0]?.url ?? '',
    portals.find(({ template }) => template === 'gtfs')?.answer ?? arcgis(1),
  )
  const { job } = await brought(importer, fieldsByTemplate.gtfs)
  expect(job.counts).toEqual({ read: 40, created: 40, updated: 0, unchanged: 0, removed: 0, rejected: 0 })
})

test('loses no rows when a server returns smaller pages than requested', async () => {
  const importer = await readTemplate('arcgis')
  await serve(importer.sources[0]?.url ?? '', arcgis(700))
  const { id, job } = await brought(importer, fieldsByTemplate.arcgis)
  expect({ status: job.status, error: job.error }).toMatchObject({
    status: 'failed',
    error: expect.stringContaining(
      'Page 1 has 700 rows where 1000 were asked for, and page 2 has rows too',
    ) as string,
  })
  // The same in steps, of which each knows of the page before only what was stored.
  await bed.start(id)
  await bed.finish({ budgetMs: 0 })
  expect((await bed.job(id)).error).toContain('Page 1 has 700 rows where 1000 were asked for')
  expect(job.counts).toMatchObject({ created: 0 })
})

test('an error in the body of a response with status 200 ends the run', async () => {
  const importer = await readTemplate('arcgis')
  const [source] = importer.sources
  await serve(source?.url ?? '', arcgis(2000))
  const { error, job } = await brought(
    { ...importer, sources: [{ ...source, query: { f: 'geojson' } }] } as never,
    fieldsByTemplate.arcgis,
  )
  expect(error).toMatch('neither features nor a type')
  expect(job.status).toBe('failed')
})

test('retries a portal that asks to wait', async () => {
  const importer = await readTemplate('ckan')
  const portal = portals.find(({ template }) => template === 'ckan')
  let requestCount = 0
  await serve(importer.sources[0]?.url ?? '', (url, request, response) => {
    if ((requestCount += 1) % 2 === 0) return portal?.answer(url, request, response)
    response.writeHead(429, { 'retry-after': '1' })
    response.end()
  })
  const { job } = await brought(importer)
  expect(job.counts).toMatchObject({ created: 2345 })
})

import { readFileSync } from 'node:fs'
import type { Polygon } from 'geojson'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getColumnName, dataTable, tableNameFor } from '#db/data-table.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import type { Person } from '#db/worlds/world.ts'
import { call } from '#functions/api/call.ts'
import { box, collection } from '#functions/domain/boundary/sets.testing.ts'
import { boundaryKey } from '#functions/engine/tile/manifest.ts'
import { createOutsideFetch } from '#functions/engine/import/fetch/testing.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { JobReject } from '#functions/shapes/job.ts'
import type { Mapping, MappingValue } from '#functions/shapes/importer-mapping.ts'
import { v1 } from '#functions/v1/index.ts'
import { create as createImporter } from './importers.ts'
import { step } from './job/step.ts'
import { openImporterFixture, origin, type ImporterFixture } from './job/testing.ts'
import { rejects } from './rejects.ts'
import { testNew } from './try.ts'

let bed: ImporterFixture
const tiles = memoryBucket()
beforeAll(async () => {
  bed = await openImporterFixture()
  const schema: FieldSchema = {
    id: { name: 'Id', type: 'text' },
    at: { name: 'At', type: 'point' },
    zone: { name: 'Zone', type: 'point' },
  }
  await bed.setFields(schema)
})
afterAll(() => bed.close())

const { boundarySet } = v1.place
const openContext = (person: Person = 'content_admin') =>
  bed.world.as(person, { tiles, files: bed.system().files })
const params = { placeId: 'oakton' }
/** 23 wards, among them “North”, “Süd” and “Ward 24”, with the codes 1 to 24. */
const wards = new File(
  [readFileSync(new URL('../../engine/region/wards.testing.gpkg', import.meta.url))],
  'wards.gpkg',
)
const newSet = async (name: string, data: object, person: Person = 'content_admin', placeId = 'oakton') =>
  (await call(boundarySet.create, openContext(person), { params: { placeId }, data: { name, ...data } })).id
const buildAreaLookup = (setId: string, field = 'ward'): MappingValue => ({
  transform: 'findArea',
  arguments: [{ field }, setId],
})
const buildMapping = (setId: string): Mapping => ({ id: { field: 'id' }, at: buildAreaLookup(setId) })
const sources = [{ url: `${origin}/trees.csv`, parser: 'csv' as const }]
/** As thin as a line: 11 m of a degree. */
const sliver: Polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 5],
      [1, 6],
      [1, 6.0001],
      [0, 5],
    ],
  ],
}
/** A source without an importer, which a request creates then. */
async function newSource(): Promise<string> {
  const sourceId = await bed.importer()
  await bed.system().db.deleteFrom('importer').where('id', '=', sourceId).execute()
  return sourceId
}
const newImporter = async (mapping: Mapping, person: Person = 'content_admin') => {
  const sourceId = await newSource()
  const data = { id: sourceId, name: `Trees of ${sourceId}`, sources, mapping }
  await call(v1.source.importer.create, openContext(person), { params: { sourceId }, data })
  return sourceId
}
async function runImporter(id: string) {
  const jobId = await bed.start(id)
  await bed.finish(undefined, bed.system({ tiles }))
  const log = await bed
    .system()
    .db.selectFrom('jobLog')
    .select('message')
    .where('jobId', '=', jobId)
    .orderBy('id')
    .execute()
  return { job: await bed.job(id), jobId, log: log.map(({ message }) => message) }
}
const readPoints = async (id: string, field = 'at') => {
  const { rows } = await sql<{ id: string; at: string | null }>`
    select external_id as id, ST_AsText(${sql.id(getColumnName(field))}, 3) as at from ${dataTable(tableNameFor('sapling'))}
    where source_id = ${id} order by 1`.execute(bed.system().db)
  return Object.fromEntries(rows.map((row) => [row.id, row.at]))
}
const missing = (path: (string | number)[], value: string) => ({
  kind: 'invalid',
  issues: [{ path: ['mapping', ...path], value, validator: 'exists' }],
})
beforeEach(() => bed.files.set('/trees.csv', 'id,ward\na,North\n'))

test('a run finds points in the wards of a GeoPackage, and lists ambiguous and unknown ones with the set', async () => {
  const wardSet = await newSet('Wards of Oakton', { file: wards })
  const zones = await newSet('Zones', {
    geojson: collection(
      [{ NAME: 'Mill', CODE: '01' }, box(0, 0)],
      [{ NAME: 'Mill', CODE: '02' }, box(1, 0)],
      [{ NAME: 'Hill', CODE: '1' }, box(2, 0)],
      [{ NAME: 'Bank', CODE: '04' }, sliver],
    ),
  })
  const csv = [
    'id,ward,zone',
    'a,north,02',
    'b,SUD,2',
    'c,Ward 24,1',
    'd,24,hill',
    'e,Atlantis,MILL',
    'f,,Nowhere',
    'g,,bank',
  ].join('\n')
  bed.files.set('/trees.csv', csv)
  const id = await newImporter({ ...buildMapping(wardSet), zone: buildAreaLookup(zones, 'zone') })
  const { job, jobId, log } = await runImporter(id)
  expect(job).toMatchObject({ status: 'succeeded', counts: { read: 7, created: 7, rejected: 0 } })
  const { db } = bed.system()
  const { rows } = await sql<{ id: string; ward: string }>`
    select d.external_id as id, a.name as ward from ${dataTable(tableNameFor('sapling'))} d
    join boundary_set_area a on a.boundary_set_id = ${wardSet} and ST_ContainsProperly(a.area, d.${sql.id(getColumnName('at'))})
    where d.source_id = ${id} order by 1, 2`.execute(db)
  expect(rows.filter(({ ward }) => ['North', 'Süd', 'Ward 24'].includes(ward))).toEqual([
    { id: 'a', ward: 'North' },
    { id: 'b', ward: 'Süd' },
    { id: 'c', ward: 'Ward 24' },
    { id: 'd', ward: 'Ward 24' },
  ])
  expect(await readPoints(id, 'zone')).toEqual({
    ...{ a: 'POINT(1.5 0.5)', b: 'POINT(1.5 0.5)', c: null },
    ...{ d: 'POINT(2.5 0.5)', e: null, f: null, g: 'POINT(0.5 5.5)' },
  })
  const args = {
    params: { sourceId: id, importerId: id, jobId },
    placeId: 'oakton',
    data: undefined,
    options: {},
  }
  const { results } = (await rejects(openContext(), args)) as { results: JobReject[] }
  expect(
    results.map(({ row, field, value, message, isTaken }) => [row, field, value, message, isTaken]),
  ).toEqual([
    [3, 'zone', '1', '“1” may be 2 areas of “Zones”: “Hill” (1); “Mill” (01).', true],
    [5, 'at', 'Atlantis', 'No area “Atlantis” of “Wards of Oakton” is known.', true],
    [5, 'zone', 'MILL', '“MILL” may be 2 areas of “Zones”: “Mill” (01); “Mill” (02).', true],
    [6, 'zone', 'Nowhere', 'No area “Nowhere” of “Zones” is known.', true],
  ])
  // Nothing of it is out of GeoNames.
  expect(log).toContain(
    '4 names of places lead to no one point (2 of several places, 2 not known): those rows came in without it and are listed.',
  )

  // A check of all rows does not find that the points should be texts, as the names of their wards are.
  const dry = await call(v1.source.importer.run, openContext(), {
    ...{ params: { sourceId: id, importerId: id }, options: { dryRun: true } },
  })
  await bed.finish(undefined, bed.system({ tiles }))
  const { type } = await call(v1.source.importer.job.preview, openContext(), {
    params: { sourceId: id, importerId: id, jobId: dry.id },
  })
  expect(type.fields).toEqual([])

  // A trial says the same.
  const fetch = createOutsideFetch(() => bed.net)
  const data = { name: 'Trial', sources, mapping: buildMapping(wardSet) }
  const trial = await call(v1.source.importer.test, bed.world.as('content_admin', { tiles, fetch }), {
    params: { sourceId: id },
    data,
  })
  expect(trial.rows.map(({ noPlaces }) => noPlaces.map(({ kind }) => kind))).toEqual([
    ...[[], [], [], [], ['unknown'], [], []],
  ])
})

describe('a set that an importer names', () => {
  test('is in use: it is listed there, and not deleted before the mapping is another', async () => {
    const setId = await newSet('Used wards', { file: wards })
    const id = await newImporter(buildMapping(setId))
    const one = { params: { ...params, boundarySetId: setId } }
    const uses = async () =>
      (await call(v1.place.uses, openContext(), { params, options: { noun: 'boundarySet', ids: [setId] } }))
        .results
    const some = [{ id, name: `Trees of ${id}`, under: id }]
    expect(await uses()).toEqual([{ usedId: setId, noun: 'importer', total: 1, some }])
    const message = `Importers find points by this set: Trees of ${id}.`
    const used = { kind: 'conflict', issues: [{ validator: 'used', message }] }
    await expect(call(boundarySet.deleteById, openContext(), one)).rejects.toMatchObject(used)
    // Nobody else sees its areas by an import: it need not be public.
    for (const visibility of ['public', 'place', 'private'])
      await call(boundarySet.updateById, openContext(), { ...one, data: { visibility } })
    const onImporter = { params: { sourceId: id, importerId: id } }
    const within = { id: { field: 'id' }, at: { field: 'x', defaultValue: buildAreaLookup(setId) } }
    await call(v1.source.importer.updateById, openContext(), { ...onImporter, data: { mapping: within } })
    await expect(call(boundarySet.deleteById, openContext(), one)).rejects.toMatchObject(used)
    await call(v1.source.importer.updateById, openContext(), { ...onImporter, data: { mapping: {} } })
    expect(await uses()).toEqual([])
    await call(boundarySet.deleteById, openContext(), one)
  })

  test('is gone nevertheless: the run fails, and names where the mapping has it', async () => {
    const setId = await newSet('Gone wards', { file: wards })
    const id = await newImporter(buildMapping(setId))
    await bed.start(id)
    const { db } = bed.system()
    await db.updateTable('boundarySet').set({ deletedAt: new Date() }).where('id', '=', setId).execute()
    await bed.finish(undefined, bed.system({ tiles }))
    expect(await bed.job(id)).toMatchObject({
      status: 'failed',
      error: `There is no boundary set “${setId}” of the organization, or it may not be used (mapping.at.arguments.1).`,
    })
    // The form sends the mapping with every change: it is no reason to refuse another name.
    const onImporter = { params: { sourceId: id, importerId: id } }
    await call(v1.source.importer.updateById, openContext(), {
      ...onImporter,
      data: { name: 'Renamed', mapping: buildMapping(setId) },
    })
    const again = { mapping: { zone: buildAreaLookup('wards-of-nobody') } }
    await expect(
      call(v1.source.importer.updateById, openContext(), { ...onImporter, data: again }),
    ).rejects.toMatchObject(missing(['zone', 'arguments', 1], 'wards-of-nobody'))
  })

  test('has a new version: the next run finds points in it, and no run has two versions', async () => {
    const buildSetData = (west: number) => ({
      geojson: collection([{ NAME: 'North' }, box(west, 0)], [{ NAME: 'Sud' }, box(9, 0)]),
    })
    const setId = await newSet('Moving', buildSetData(0))
    const replace = (west: number) =>
      call(boundarySet.replace, openContext(), {
        params: { ...params, boundarySetId: setId },
        data: buildSetData(west),
      })
    const id = await newImporter(buildMapping(setId))
    await runImporter(id)
    expect(await readPoints(id)).toEqual({ a: 'POINT(0.5 0.5)' })
    await replace(2)
    expect((await runImporter(id)).job).toMatchObject({ counts: { updated: 1 } })
    expect(await readPoints(id)).toEqual({ a: 'POINT(2.5 0.5)' })

    const rows = Array.from({ length: 30 }, (_, i) => `r${String(i).padStart(2, '0')},North`)
    bed.files.set('/trees.csv', ['id,ward', ...rows].join('\n'))
    const jobId = await bed.start(id)
    let steps = 0
    const work = bed.work({ budgetMs: 0, batchRows: 10 })
    while (await step(bed.system({ tiles }), work)) if ((steps += 1) === 3) await replace(4)
    const job = await bed.job(id)
    expect(job).toMatchObject({ status: 'succeeded', counts: { read: 30, created: 30 } })
    const { r00, r29 } = await readPoints(id)
    expect([r00, r29]).toEqual(['POINT(4.5 0.5)', 'POINT(4.5 0.5)'])
    const lines = await bed
      .system()
      .db.selectFrom('jobLog')
      .select('message')
      .where('jobId', '=', jobId)
      .execute()
    expect(lines.map(({ message }) => message)).toContain(
      'A boundary set of the mapping has changed: reading begins anew.',
    )
  })
})

test('an organization finds areas in its own sets alone, as far as the person sees them', async () => {
  const theirs = await newSet('Wards of Elmsford', { file: wards }, 'stranger', 'elmsford')
  const refusal = missing(['at', 'arguments', 1], theirs)
  await expect(newImporter(buildMapping(theirs))).rejects.toMatchObject(refusal)
  const sourceId = await newSource()
  const fetch = createOutsideFetch(() => bed.net)
  const attempt = call(v1.source.importer.test, bed.world.as('content_admin', { tiles, fetch }), {
    params: { sourceId },
    data: { name: 'Trial', sources, mapping: buildMapping(theirs) },
  })
  await expect(attempt).rejects.toMatchObject(refusal)
  // Public ones of others could vanish at any time: nothing keeps them.
  await call(boundarySet.updateById, openContext('stranger'), {
    ...{ params: { placeId: 'elmsford', boundarySetId: theirs }, data: { visibility: 'public' } },
  })
  await expect(newImporter(buildMapping(theirs))).rejects.toMatchObject(refusal)
  // The run of an importer that names one by other means reads nothing of it.
  const id = await bed.importer({ mapping: JSON.stringify(buildMapping(theirs)) })
  expect((await runImporter(id)).job).toMatchObject({
    status: 'failed',
    error: expect.stringContaining(theirs) as string,
  })

  // A member may not see a private set of the organization, whose admin does.
  const secret = await newSet('Secret wards', { file: wards })
  const request = {
    ...{ params: { sourceId }, placeId: 'oakton', options: {} },
    data: { name: 'Secret', sources, mapping: buildMapping(secret) },
  }
  await expect(createImporter(openContext('member'), request)).rejects.toMatchObject(
    missing(['at', 'arguments', 1], secret),
  )
  expect(await createImporter(openContext(), request)).toMatchObject({ mapping: buildMapping(secret) })
})

test('a column that names areas of a set of the organization makes a point of a new source', async () => {
  const zones = await newSet('Bird zones', {
    geojson: collection(
      [{ NAME: 'Sparrow', CODE: '01' }, box(0, 0)],
      [{ NAME: 'Crow', CODE: '02' }, box(1, 0)],
    ),
  })
  await newSet(
    'Bird zones of Elmsford',
    { geojson: collection([{ NAME: 'Magpie' }, box(0, 0)]) },
    'stranger',
    'elmsford',
  )
  const propose = async (text: string, person: Person = 'content_admin') => {
    const data = {
      name: 'Birds',
      file: new File([text], 'birds.csv'),
      sources: [{ url: 'file:x', parser: 'csv' }],
    }
    const args = { params: { placeId: 'oakton' }, options: {}, placeId: 'oakton', data } as never
    return testNew(openContext(person), args)
  }
  const text = [
    'Where,Count',
    ...['sparrow', 'CROW', 'Crow', 'Sparrow', 'Owl'].map((name, i) => `${name},${i}`),
  ].join('\n')
  const proposal = await propose(text)
  const points = proposal?.rows.map(
    ({ output }) => (output as { location?: { coordinates: number[] } } | null)?.location,
  )
  expect(proposal?.schemaGuess.mapping['location']).toEqual(buildAreaLookup(zones, 'Where'))
  expect(points?.map((point) => point?.coordinates)).toEqual([
    [0.5, 0.5],
    [1.5, 0.5],
    [1.5, 0.5],
    [0.5, 0.5],
    undefined,
  ])
  // A private set is proposed to nobody who may not see it, and one of others to nobody.
  const hidden = await propose(text, 'member')
  expect(hidden?.schemaGuess.schema).not.toHaveProperty('location')
  const others = await propose('Where,Count\nMagpie,1\n')
  expect(others?.schemaGuess.schema).not.toHaveProperty('location')
})

test('built-in sets are found in by names in other languages, and are no set of the organization', async () => {
  const country = (gid: string, code: string, name: string, west: number) => ({
    ...{ type: 'Feature', properties: { gid, code, name }, geometry: box(west, 0) as Polygon },
  })
  const features = [country('country-276', 'DEU', 'Germany', 0), country('country-250', 'FRA', 'France', 2)]
  await tiles.put(boundaryKey('world-countries'), JSON.stringify({ type: 'FeatureCollection', features }))
  bed.files.set('/trees.csv', 'id,ward\na,Deutschland\nb,FRA\nc,Oz\n')
  const id = await newImporter(buildMapping('world-countries'))
  const { job } = await runImporter(id)
  expect(job).toMatchObject({ status: 'succeeded', counts: { created: 3 } })
  expect(await readPoints(id)).toEqual({ a: 'POINT(0.5 0.5)', b: 'POINT(2.5 0.5)', c: null })
})

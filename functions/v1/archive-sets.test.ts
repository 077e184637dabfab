import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from './assets.testing.ts'
import {
  changeDocument,
  exported,
  importAs,
  openInstance,
  pack,
  readDocument,
  text,
  type Files,
  type Instance,
} from './archive.testing.ts'
import { furnishSets } from './archive-sets.testing.ts'
import { hashState } from './testing/state.testing.ts'
import type { Context } from '#functions/context.ts'
import { processRegions } from '#functions/domain/boundary/region-work.ts'
import { boundaryKey } from '#functions/engine/tile/manifest.ts'
import { box, collection } from '#functions/domain/boundary/sets.testing.ts'
import type { ArchiveManifest } from '#functions/shapes/archive.ts'
import type { ImportReview, SwitchedOn } from '#functions/shapes/import-review.ts'

/** An organization that uses its own boundary sets everywhere: exported, imported, and switched on again. */
let here: Instance
let other: Instance
let archive: Awaited<ReturnType<typeof exported>>

beforeAll(async () => {
  here = await openInstance()
  other = await openInstance()
  const ann = await here.person('ann')
  await ask(ann, 'place.start', {}, { data: { id: 'laketon', name: 'Laketon' } })
  const admin = await here.person('ann', 'laketon')
  for (const { tiles } of [here, other]) await tiles.put(boundaryKey('regions-fr'), JSON.stringify(country))
  await furnishSets(admin, 'laketon')
  const beats = { ...place, boundarySetId: 'lake-beats' }
  await ask(admin, 'place.boundarySet.updateById', beats, { data: { parentId: 'regions-fr' } })
  await processRegions(here.queue)
  archive = await exported(admin, here.queue, 'laketon')
  const gus = await other.person('gus')
  await ask(gus, 'place.start', {}, { data: { id: 'farton', name: 'Farton' } })
  const geojson = collection([{ NAME: 'Far' }, box(0, 0)])
  const far = { id: 'far-beats', name: 'Far', visibility: 'public', geojson }
  const farton = { placeId: 'farton' }
  await ask(await other.person('gus', 'farton'), 'place.boundarySet.create', farton, { data: far })
}, 120_000)
afterAll(async () => {
  await here.world.close()
  await other.world.close()
})

const place = { placeId: 'laketon' }
/** A built-in set around the beats. */
const country = collection([{ gid: 'region-fr-x', code: 'FR-X', name: 'Shore' }, box(-1, -1, 5)])

/** An archive for comparison, as values: dates and versions differ, and ids where they were taken. */
function normal(files: Files, rename = new Map<string, string>()) {
  const back = [...rename].sort(([a], [b]) => b.length - a.length)
  const restoreIds = (text: string) => back.reduce((all, [id, from]) => all.replaceAll(id, from), text)
  const passing = ['createdAt', 'updatedAt', 'version', 'dataVersion', 'dataUpdatedAt']
  return Object.fromEntries(
    Object.entries(files)
      .filter(([name]) => name !== 'manifest.json')
      .map(([name, bytes]) => {
        const text = restoreIds(new TextDecoder().decode(bytes))
        if (!name.endsWith('.json')) return [restoreIds(name), text]
        const row = JSON.parse(text) as Record<string, unknown>
        const entries = Object.entries(row).filter(([member]) => !passing.includes(member))
        return [restoreIds(name), Object.fromEntries(entries)]
      }),
  )
}

const switchOn = (ctx: Context, placeId: string, name = 'switchOn') =>
  ask<SwitchedOn>(ctx, `place.${name}`, { placeId }, { data: { which: 'public' } })

test('an archive has all that uses sets of the organization, and leaves nothing out', () => {
  const { leftOut, counts } = readDocument<ArchiveManifest>(archive.files, 'manifest.json')
  expect(leftOut).toEqual([])
  expect(counts).toMatchObject({ insights: 3, boundarySets: 2, records: 3 })
  expect(readDocument(archive.files, 'boundarySets/lake-beats.json')).toMatchObject({
    parentId: 'regions-fr',
  })
  expect(readDocument(archive.files, 'types/lake-patrol.json')).toMatchObject({
    schema: {
      beat: { region: 'lake-beats' },
      area: { regionOf: { boundarySetId: 'lake-beats' } },
    },
  })
  const lines = new TextDecoder().decode(archive.files['records/lake-patrols.ndjson'])
  expect(
    lines
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { area?: string }).area),
  ).toEqual([...['North', 'South'], undefined])
})

test('imported it uses no set until it is public; switched on it is equal', async () => {
  const report = await importAs(await other.person('bob'), pack(archive.files))
  expect(report).toMatchObject({ refused: [], renamed: [], leftOut: [] })
  expect(report.switchedOff.map(({ noun, id, was }) => `${noun} ${id}: ${was}`)).toEqual([
    'boundarySet lake-around: public',
    'boundarySet lake-beats: public',
    'dataType lake-patrol: using areas',
    'source lake-patrols: public',
    'insight lake-map: public',
    'insight lake-ours: using areas',
    'insight lake-south: using areas, public',
    'place laketon: using areas, hub',
  ])
  const bob = await other.person('bob', 'laketon')
  const placeRow = await ask<{ ownBoundary: unknown; allStatesBoundaryId: unknown }>(
    bob,
    'place.findById',
    place,
  )
  expect(placeRow).toMatchObject({ ownBoundary: null, allStatesBoundaryId: null })
  // Nothing, and not the hours of everywhere.
  const results = async (insightId: string) =>
    (await ask<{ results: unknown[] }>(bob, 'place.insight.analytics', { ...place, insightId })).results
  expect(await results('lake-south')).toEqual([])
  const early = await exported(bob, other.queue, 'laketon')
  expect(
    readDocument<ArchiveManifest>(early.files, 'manifest.json').leftOut.map(({ noun, id }) => [noun, id]),
  ).toEqual([
    ['dataType', 'lake-patrol'],
    ['insight', 'lake-ours'],
    ['insight', 'lake-south'],
    ['place', 'laketon'],
  ])

  const trial = await switchOn(bob, 'laketon', 'trySwitchOn')
  expect(trial).toMatchObject({ refused: [], left: 0 })
  expect(trial.done).toHaveLength(8)
  expect(await switchOn(bob, 'laketon')).toEqual({ ...trial, isDone: true })
  await processRegions(other.queue)
  expect(await results('lake-south')).toEqual([{ beat: '2', hours: 4 }])
  const again = await exported(bob, other.queue, 'laketon')
  expect(normal(again.files)).toEqual(normal(archive.files))
  expect(readDocument<ArchiveManifest>(again.files, 'manifest.json').leftOut).toEqual([])
  const { states } = await ask<ImportReview>(bob, 'place.importReview', place)
  expect(states).toEqual({ off: 0, on: 8, gone: 0 })
})

test('where its ids are taken everything names the sets that came with it', async () => {
  const report = await importAs(await here.person('cleo'), pack(archive.files), 'lakeside')
  const cleo = await here.person('cleo', 'lakeside')
  expect(await switchOn(cleo, 'lakeside')).toMatchObject({ refused: [], left: 0 })
  await processRegions(here.queue)
  const rename = new Map(report.renamed.map(({ id, from }) => [id, from]))
  expect(rename.size).toBe(7)
  const again = await exported(cleo, here.queue, 'lakeside')
  expect(normal(again.files, rename.set('lakeside', 'laketon'))).toEqual(normal(archive.files))
})

test('what someone has chosen in the meantime stays, and a thing alone waits for its set', async () => {
  const name = 'records/lake-patrols.ndjson'
  const lines = new TextDecoder().decode(archive.files[name]).replace('"area":"North"', '"area":"Elsewhere"')
  const calculatedElsewhere = { ...archive.files, [name]: text(lines) }
  await importAs(await other.person('dora'), pack(calculatedElsewhere), 'lakeview')
  const dora = await other.person('dora', 'lakeview')
  const lakeview = { placeId: 'lakeview' }
  const { items } = await ask<ImportReview>(dora, 'place.importReview', lakeview)
  const getItemId = (noun: string, name: string) =>
    items.find((item) => item.noun === noun && item.name === name)?.id ?? ''
  const one = { items: [{ noun: 'insight', id: getItemId('insight', 'Ours') }] }
  const early = await ask<SwitchedOn>(dora, 'place.switchOn', lakeview, { data: one })
  expect(early).toMatchObject({ done: [], refused: [{ message: 'There is no such public boundary set.' }] })

  await ask(dora, 'place.updateById', lakeview, { data: { boundaryId: 'us-ny' } })
  const dataTypeId = getItemId('dataType', 'Patrol')
  const { schema, version } = await ask<{ schema: Record<string, object>; version: number }>(
    ...[dora, 'dataType.findById', { dataTypeId }],
  )
  const countrySchema = { ...schema, beat: { ...schema.beat, region: 'world-countries' } }
  await ask(dora, 'dataType.updateById', { dataTypeId }, { data: { schema: countrySchema, version } })
  expect(await switchOn(dora, 'lakeview')).toMatchObject({ refused: [], left: 0 })
  expect(await ask(dora, 'dataType.findById', { dataTypeId })).toMatchObject({
    schema: { beat: { region: 'world-countries' }, area: { regionOf: { value: 'name' } } },
  })
  // The values that came are replaced by those that the set gives.
  const sourceId = getItemId('source', 'Patrols')
  const areas = async () => {
    const { results } = await ask<{ results: { data: { area?: string } }[] }>(
      ...[dora, 'source.datum.find', { sourceId }],
    )
    return results.map(({ data }) => data.area ?? '').sort()
  }
  expect(await areas()).toEqual(['', 'Elsewhere', 'South'])
  await processRegions(other.queue)
  expect(await areas()).toEqual(['', 'North', 'South'])
  expect(await ask(dora, 'place.findById', lakeview)).toMatchObject({
    boundaryId: 'us-ny',
    ownBoundary: null,
  })
})

test('an archive whose set was too large, or from before archives had sets, comes without what needs it', async () => {
  const {
    'boundarySets/lake-around.json': _said,
    'boundarySets/lake-around.geojson': _areas,
    ...rest
  } = archive.files
  const large = changeDocument<ArchiveManifest>(rest, 'manifest.json', (manifest) => {
    manifest.counts.boundarySets = 1
    manifest.leftOut.push({ noun: 'boundarySet', id: 'lake-around', why: 'Large.' })
  })
  const filesWithBoundary = changeDocument<{ ownBoundary: object }>(large, 'place.json', (row) => {
    row.ownBoundary = { boundarySetId: 'lake-around', area: null }
  })
  const archiveWithoutSet = change(
    'insights/lake-map.json',
    ['visualization', 'settings', 'boundarySetId'],
    'gone',
  )(filesWithBoundary)
  const finn = await other.person('finn')
  const report = await importAs(finn, pack(archiveWithoutSet), 'lakefield')
  expect(report.leftOut.slice(1).map(({ noun, id, why }) => `${noun} ${id}: ${why}`)).toEqual([
    expect.stringMatching(/^insight lake-map: Which boundary set its map is divided by: there is none/),
    expect.stringMatching(/^boundary lake-around: The archive does not have this boundary set: bring it in/),
    expect.stringMatching(/^boundary lake-around: There is no such boundary here: choose another/),
  ])
  const lakefield = await other.person('finn', 'lakefield')
  await switchOn(lakefield, 'lakefield')
  const placeRow = await ask(lakefield, 'place.findById', { placeId: 'lakefield' })
  expect(placeRow).toMatchObject({ boundaryId: null, ownBoundary: null, allStatesBoundaryId: null })
})

const change =
  (name: string, path: (string | number)[], value: unknown) =>
  (files: Files): Files =>
    changeDocument(files, name, (document) => {
      let at = document as Record<string | number, unknown>
      for (const part of path.slice(0, -1)) at = at[part] as Record<string | number, unknown>
      at[path.at(-1) as string] = value
    })
const type = 'types/lake-patrol.json'
const south = 'insights/lake-south.json'
const regionLookup = { point: 'where', value: 'name' }
const none = /The archive has no boundary set with the id/

test.each([
  [
    'a column of a set of others',
    change(type, ['schema', 'area', 'regionOf'], { ...regionLookup, boundarySetId: 'far-beats' }),
    none,
  ],
  [
    'a column of no set',
    change(type, ['schema', 'area', 'regionOf'], { ...regionLookup, boundarySetId: 'x' }),
    none,
  ],
  ['a field that names regions of others', change(type, ['schema', 'beat', 'region'], 'far-beats'), none],
  [
    'a column of no point',
    change(type, ['schema', 'area', 'regionOf', 'point'], 'hours'),
    /Not a valid geometry field/,
  ],
  [
    'a number that is calculated',
    change(type, ['schema', 'area', 'type'], 'number'),
    /should not exist for this type/,
  ],
  ['an insight of areas of others', change(south, ['query', 'within', 'boundarySetId'], 'far-beats'), none],
  ['an insight of areas of no set', change(south, ['query', 'within', 'boundarySetId'], 'x'), none],
  [
    'an insight of areas that are none',
    change(south, ['query', 'within', 'area'], { $gt: '' }),
    /query\.within: Must be/,
  ],
  ['an insight of areas and more', change(south, ['query', 'within', 'sql'], '1'), /query\.within: Must be/],
  [
    'a map of a set of others',
    change('insights/lake-map.json', ['visualization', 'settings', 'boundarySetId'], 'far-beats'),
    none,
  ],
  ['a boundary of others', change('place.json', ['ownBoundary', 'boundarySetId'], 'far-beats'), none],
  ['a boundary of no set', change('place.json', ['ownBoundary', 'boundarySetId'], 'x'), none],
])('a manipulated archive lets nothing in: %s', async (what, manipulate, expectedError) => {
  const eve = await other.person(`eve-${what.replaceAll(' ', '-')}`)
  const before = await hashState(other.world)
  const words = await importAs(eve, pack(manipulate(archive.files)), 'evil-town').then(
    () => 'It was imported.',
    (error: { issues: { path: unknown[]; message: string }[] }) =>
      error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'),
  )
  expect(words).toMatch(expectedError)
  expect((await hashState(other.world)).split('\n')).toEqual(before.split('\n'))
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { call } from '#functions/api/call.ts'
import { v1 } from '#functions/v1/index.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const csv = 'tree_id,species,height\nT-1,Oak,10.5\nT-2,Elm,tall\n'
const runTrial = (data: unknown, as: 'organization_admin' | 'member' = 'organization_admin') =>
  call(v1.place.source.test, world.as(as), { params: { placeId: 'oakton' }, data })
const buildUpload = (text: string, source: object) => ({
  file: new File([text], 'trees.csv', { type: 'text/csv' }),
  sources: JSON.stringify([{ url: 'file:sent', ...source }]),
})

test('tries an uploaded file without a source, and returns its rows as records of the proposed type', async () => {
  const { rows, schemaGuess, paths } = await runTrial(buildUpload(csv, { parser: 'csv' }))
  expect(rows.map(({ output }) => output)).toEqual([
    { id: 'T-1', species: 'Oak', height: expect.anything() as unknown },
    expect.anything(),
  ])
  expect(Object.keys(schemaGuess.schema)).toEqual(['id', 'species', 'height'])
  expect(paths.map(({ path }) => path)).toEqual(['tree_id', 'species', 'height'])
})

test('an invalid row, such as one with too many columns, keeps its position in the file', async () => {
  const { rows } = await runTrial(buildUpload('a,b\n1,2\n3,4,5\n6,7\n', { parser: 'csv' }))
  expect(rows.map(({ errors }) => errors.length > 0)).toEqual([false, true, false])
})

test('finds rows of JSON by the selector, and lists other selectors', async () => {
  const json = JSON.stringify({ data: [{ a: 1 }, { a: 2 }] })
  const trial = await runTrial(buildUpload(json, { parser: 'json', parserOptions: { selector: 'data.*' } }))
  expect(trial.rows).toHaveLength(2)
  expect(trial.selectors).toContain('data.*')
  expect(trial.notices).toEqual([])
})

test('lists arrays of JSON with their row counts and keys, the longest first, and reports one that was missed', async () => {
  const json = JSON.stringify({ links: [{ href: '/' }], data: [{ a: 1, b: 2 }, { a: 2 }, { a: 3 }] })
  const trial = await runTrial(buildUpload(json, { parser: 'json', parserOptions: { selector: '*' } }))
  expect(trial.lists).toEqual([
    { selector: 'data.*', rows: 3, keys: ['a', 'b'], isWhole: true },
    { selector: 'links.*', rows: 1, keys: ['href'], isWhole: true },
  ])
  expect(trial.selectors).toEqual(['data.*', 'links.*'])
  expect(trial.notices.map(({ message }) => message)).toContain(
    'Rows were looked for at “*”. A list is at “data.*” (3 objects: a, b).',
  )
  const long = JSON.stringify({
    data: Array.from({ length: 50_000 }, (_, i) => ({ i, note: 'x'.repeat(80) })),
  })
  const cut = await runTrial(buildUpload(long, { parser: 'json', parserOptions: { selector: 'data.*' } }))
  expect(cut.lists).toMatchObject([{ selector: 'data.*', isWhole: false }])
  expect(cut.lists[0]?.rows).toBeGreaterThan(35_000)
  expect((await runTrial(buildUpload(csv, { parser: 'csv' }))).lists).toEqual([])
})

test('accepts JSONPath syntax, and rejects a path without a list with the existing lists', async () => {
  const json = JSON.stringify({ type: 'x', data: { features: [{ a: 1 }, { a: 2 }] } })
  const trySelector = (selector: string) =>
    runTrial(buildUpload(json, { parser: 'json', parserOptions: { selector } }))
  for (const selector of ['$.data.features[*]', 'data.features[]', "$['data']['features']"]) {
    const { rows, notices, error } = await trySelector(selector)
    expect([rows.length, notices, error]).toEqual([2, [], undefined])
  }
  const { rows, notices, error, lists } = await trySelector('$.data.rows[*]')
  expect([rows, notices]).toEqual([[], []])
  expect(error).toBe(
    'There is no list at “$.data.rows[*]”: “data” has features. The file has lists at “data.features.*” (2 records).',
  )
  expect(lists[0]).toMatchObject({ selector: 'data.features.*', rows: 2 })
})

test('shows a table below a title unchanged, with its header, and reads it with its unit and numbers', async () => {
  const text = 'Areas of the city,\n"Source: survey, 2025",\n\nQuarter,Area (km²)\nNorth,.097\nSouth,4.5\n'
  const first = await runTrial(buildUpload(text, { parser: 'csv' }))
  const [grid] = first.grids
  expect(grid).toMatchObject({ head: [4, 4], isFirst: false })
  expect(grid?.rows.map(({ line }) => line)).toEqual([1, 2, 4, 5, 6])
  const trial = await runTrial(
    buildUpload(text, { parser: 'csv', parserOptions: { headerRows: grid?.head } }),
  )
  expect(trial.rows.map(({ output, errors }) => [output, errors])).toEqual([
    [{ quarter: 'North', areaKm2: 0.097 }, []],
    [{ quarter: 'South', areaKm2: 4.5 }, []],
  ])
  expect(trial.schemaGuess.schema).toMatchObject({
    areaKm2: { name: 'Area (km²)', type: 'number', measurement: { type: 'area' } },
  })
  expect(
    (await runTrial(buildUpload('{}', { parser: 'json', parserOptions: { selector: '*' } }))).grids,
  ).toEqual([null])
})

test('says that only the beginning was read when no rows are found in it', async () => {
  const long = JSON.stringify({ note: 'x'.repeat(4_100_000), data: [{ a: 1 }] })
  const trial = await runTrial(buildUpload(long, { parser: 'json', parserOptions: { selector: 'data.*' } }))
  expect(trial.rows).toEqual([])
  expect(trial.error).toMatch(
    /Only its first 4 MB were looked at, which may be why: a run reads all of it\.$/,
  )
})

test('reports errors with their path, and none of them as an internal error', async () => {
  const readRejection = async (data: unknown) =>
    runTrial(data).catch(({ status, issues }: { status: number; issues: { path: unknown[] }[] }) => [
      status,
      ...issues.map(({ path }) => path.join('.')),
    ])
  expect(await readRejection(buildUpload(csv, { parser: 'pdf' }))).toEqual([400, 'sources.0.parser'])
  expect(await readRejection({ ...buildUpload(csv, { parser: 'csv' }), sources: 'nonsense' })).toEqual([
    400,
    'sources',
  ])
  expect(await readRejection({ sources: [{ url: 'http://127.0.0.1/', parser: 'csv' }] })).toEqual([
    400,
    'sources.0.url',
  ])
  const empty = await runTrial(buildUpload('', { parser: 'csv' }))
  expect(empty.rows).toEqual([])
})

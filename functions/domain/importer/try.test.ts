import { randomFillSync } from 'node:crypto'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { test as tryOut } from './try.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { internet, createOutsideFetch, type Internet } from '#functions/engine/import/fetch/testing.ts'
import type { ImporterSource } from '#functions/shapes/importer-source.ts'

let world: TestWorld
let net: Internet
const origin = 'https://data.example.org'
const files: Record<string, { type: string; body: string | Buffer }> = {}

beforeAll(async () => {
  world = await openWorld(city)
  net = internet()
  await net.serve(origin, (request, response) => {
    const file = files[(request.url ?? '').split('?')[0] ?? '']
    response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' })
    response.end(file?.body ?? 'No.')
  })
})
afterAll(async () => {
  await net.close()
  await world.close()
})

const bucket = memoryBucket()
const outside = createOutsideFetch(
  () => net,
  (name) => (name === 'inside.example.org' ? '10.0.0.7' : undefined),
)

const runTrial = async (source: Partial<ImporterSource>, more: object = {}) => {
  const ctx = world.as('content_admin', { fetch: outside, files: bucket })
  const sources = [{ url: `${origin}/rows.csv`, parser: 'csv', ...source }] as ImporterSource[]
  const request = { params: { sourceId: 'inner' }, options: {}, placeId: 'oakton' }
  const trial = await tryOut(ctx, { ...request, data: { name: 'Rows', sources, ...more } })
  if (!trial) throw new Error('There is such a source.')
  return trial
}
const serve = (path: string, body: string | Buffer, type = 'text/csv') => (files[path] = { type, body })

describe('trying an importer', () => {
  test('shows the result of each row, why rows are rejected, and proposes a type with its reasons', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => `0${1000 + i};Oak ${i};${i},5;0${(i % 9) + 1}.03.2024`)
    serve('/rows.csv', ['zip;name;height;planted', ...rows].join('\n'))
    const { rows: trialRows, schemaGuess, notices, paths, error } = await runTrial({})
    expect(error).toBeUndefined()
    expect(trialRows).toHaveLength(100)
    expect(trialRows[0]).toMatchObject({ input: { zip: '01000', name: 'Oak 0', height: '0,5' } })
    expect(schemaGuess.schema).toMatchObject({ zip: { type: 'text' }, height: { type: 'number' } })
    expect(notices.map(({ message }) => message).join()).toMatch(/semicolons/)
    expect(paths.map(({ path }) => path)).toEqual(['zip', 'name', 'height', 'planted'])
  })

  test('an archive of more than 20 MB at an address is looked at whole, and nothing of it stays', async () => {
    const files = {
      'noise.bin': randomFillSync(new Uint8Array(21_000_000)),
      'rows.csv': strToU8('id,name\n1,Oak\n'),
    }
    serve('/large.zip', Buffer.from(zipSync(files, { level: 0 })), 'application/zip')
    const source = { url: `${origin}/large.zip`, parser: 'csv' as const, parserOptions: { zip: true } }
    const { rows, archives, error } = await runTrial(source)
    expect([error, rows.map(({ input }) => input)]).toEqual([undefined, [{ id: '1', name: 'Oak' }]])
    expect(archives).toEqual([[{ parser: 'csv', zip: true, count: 1, files: ['rows.csv'] }]])
    // Before it is known that it is one of CSV.
    const guessed = await runTrial({ url: `${origin}/large.zip`, parser: 'shp' })
    expect([guessed.archives, guessed.error]).toEqual([archives, 'The archive has no .shp file.'])
    expect((await bucket.list()).objects).toEqual([])
  })

  test('reads columns as configured; rejects ambiguous columns with both readings', async () => {
    serve('/days.csv', 'type,when\nfire,03/02/2024\nnoise,04/02/2024\n')
    const mapping = { type: { field: 'type' }, receivedAt: { field: 'when' } }
    const read = async (columns?: object) =>
      (await runTrial({ url: `${origin}/days.csv` }, { mapping, ...(columns && { columns }) })).rows
    const dates = (rows: Awaited<ReturnType<typeof read>>) =>
      rows.map(({ output }) => (output as Record<string, string>).receivedAt?.slice(0, 10))
    expect(dates(await read({ when: { order: 'dayFirst' } }))).toEqual(['2024-02-03', '2024-02-04'])
    expect(dates(await read({ when: { order: 'monthFirst' } }))).toEqual(['2024-03-02', '2024-04-02'])
    const [first] = await read()
    expect(first).toMatchObject({ output: null, errors: [{ field: 'receivedAt', value: '03/02/2024' }] })
    const wrong = await runTrial({ url: `${origin}/days.csv` }, { mapping: { kind: { field: 'type' } } })
    expect(wrong.notices.map(({ message }) => message)).toContain(
      'The mapping names fields that the data type does not have: "kind". Nothing is kept for them.',
    )
  })

  test('locates an invalid row', async () => {
    serve('/bad.csv', 'a,b\n1,2\n3,4,5\n6,7\n')
    const { rows } = await runTrial({ url: `${origin}/bad.csv` })
    expect(rows.map(({ errors }) => errors.length)).toEqual([0, 1, 0])
    expect(rows[1]?.errors[0]).toMatchObject({ at: { row: 2, line: 3 } })
  })

  test('finds the selectors of a document', async () => {
    const data = { meta: 1, data: [{ a: 1 }, { a: 2 }] }
    serve('/data.json', JSON.stringify(data), 'application/json')
    const { selectors, rows } = await runTrial({
      url: `${origin}/data.json`,
      parser: 'json',
      parserOptions: { selector: 'data.*' },
    })
    expect(selectors).toContain('data.*')
    expect(rows.map(({ input }) => input)).toEqual([{ a: 1 }, { a: 2 }])
  })

  test('reads only the beginning of a large source', async () => {
    serve('/large.csv', `a,b\n${'1,2\n'.repeat(2_000_000)}`)
    const { rows, error } = await runTrial({ url: `${origin}/large.csv` })
    expect([rows.length, error]).toEqual([100, undefined])
  })
})

describe('reports why a source cannot be read, without secrets', () => {
  const secret = 'hush-4711'
  test.each([
    ['a file that is not there', `${origin}/none.csv`, /Not Found.*nothing at this address/],
    ['an address inside', 'https://inside.example.org/rows.csv', /private|public/i],
    ['a page instead of data', `${origin}/page.csv`, /web page/i],
    ['nothing', `${origin}/empty.csv`, /empty/i],
  ])('%s', async (_what, url, message) => {
    serve('/page.csv', '<!doctype html><html><body>Sign in</body></html>', 'text/html')
    serve('/empty.csv', '')
    const trial = await runTrial({ url, query: { api_key: secret }, headers: { authorization: secret } })
    expect(trial.rows).toEqual([])
    expect(trial.error).toMatch(message)
    expect(JSON.stringify(trial)).not.toContain(secret)
  })

  test('rejects an invalid importer with its path, before anything is fetched', async () => {
    await expect(runTrial({ url: 'http://169.254.169.254/rows.csv' })).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['sources', 0, 'url'] }],
    })
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { zipSync } from 'fflate'
import { toCsv, good, hashRows, openImporterFixture, origin, trees, type ImporterFixture } from './testing.ts'
import { createOfSource, deleteOfSource } from '#functions/domain/file/files.ts'
import { check, create } from '../importers.ts'
import { test as tryImporter } from '../try.ts'
import { Failure } from '#functions/errors.ts'
import type { NewImporter } from '#functions/shapes/importer.ts'
import { expandUrlTemplate } from '#functions/engine/import/url-template.ts'

let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
})
afterAll(() => bed.close())

const buildRequest = (sourceId: string, rest: Record<string, unknown> = {}) => ({
  params: { sourceId, ...rest },
  options: {},
  placeId: 'oakton',
})
const admin = () => bed.world.as('content_admin', { files: bed.system().files })

async function upload(sourceId: string, content: BlobPart, name: string, type = 'text/csv'): Promise<string> {
  const file = new File([content], name, { type })
  return (await createOfSource(admin(), { ...buildRequest(sourceId), data: { file } })).id
}

const buildImporter = (...sources: object[]) =>
  ({ name: 'Trees', mode: 'upsert', sources }) as unknown as NewImporter
const json = (...sources: object[]) => ({ sources: JSON.stringify(sources) })

const [first, second, third] = [trees(40), trees(30, 100), trees(20, 200)]
const zipped = () => zipSync({ 'readme.txt': Buffer.from('x'), 'in/trees.csv': Buffer.from(toCsv(second)) })

describe('uploaded files as sources', () => {
  test('a table, an archive and an address with a date placeholder, one after the other', async () => {
    const id = await bed.importer()
    const table = await upload(id, toCsv(first), 'trees.csv')
    const archive = await upload(id, zipped(), 'trees.zip', 'application/zip')
    const today = expandUrlTemplate('/trees-{date}.csv', new Date(), 'America/New_York')
    bed.files.set(today, toCsv(third))
    const sources = [
      { url: `file:${table}`, parser: 'csv' },
      { url: `file:${archive}`, parser: 'csv', parserOptions: { zip: true } },
      { url: `${origin}/trees-{date}.csv`, parser: 'csv' },
    ]
    const { db } = bed.system()
    await db.updateTable('place').set({ timeZone: 'America/New_York' }).where('id', '=', 'oakton').execute()
    await db
      .updateTable('importer')
      .set(json(...sources))
      .where('id', '=', id)
      .execute()
    await bed.start(id)
    // In steps of no time: each begins where the one before stopped.
    await bed.finish({ budgetMs: 0, batchRows: 10 })
    const all = [...first, ...second, ...third]
    const { status, counts } = await bed.job(id)
    expect({ status, counts }).toMatchObject({
      status: 'succeeded',
      counts: { read: 90, created: good(all).length, rejected: 90 - good(all).length },
    })
    expect((await bed.readStored(id)).hash).toBe(await hashRows(good(all)))
    expect(await bed.staged()).toBe(0)
  })

  test('can be tried like any other, and nothing of it is stored', async () => {
    const id = await bed.importer()
    const table = await upload(id, toCsv(first), 'trees.csv')
    const archive = await upload(id, zipped(), 'trees.zip', 'application/zip')
    const data = buildImporter(
      { url: `file:${table}`, parser: 'csv' },
      { url: `file:${archive}`, parser: 'csv', parserOptions: { zip: true } },
      { url: 'file:gone', parser: 'csv' },
    )
    const trial = await tryImporter(admin(), { ...buildRequest(id), data })
    expect(trial?.rows).toHaveLength(70)
    expect(trial?.rows[0]?.output).toEqual(first[0])
    expect(trial?.paths.map(({ path }) => path)).toEqual(['id', 'species', 'height'])
    expect(trial?.error).toMatch('There is no such file of this source')
    expect((await bed.readStored(id)).count).toBe(0)
  })

  test('a deleted file ends the run with a message, and existing records stay', async () => {
    const id = await bed.importer()
    const table = await upload(id, toCsv(first), 'trees.csv')
    const { db } = bed.system()
    const sources = json({ url: `file:${table}`, parser: 'csv' })
    await db.updateTable('importer').set(sources).where('id', '=', id).execute()
    await bed.start(id)
    await bed.finish()
    const before = await bed.readStored(id)
    await deleteOfSource(admin(), { ...buildRequest(id, { fileId: table }), data: undefined })
    await bed.start(id)
    await bed.finish()
    const { status, error } = await bed.job(id)
    expect({ status, error }).toEqual({
      status: 'failed',
      error: 'There is no such file of this source: it may have been deleted. Upload it again. (source 1)',
    })
    expect(await bed.readStored(id)).toEqual(before)
  })

  test('accepts only files of the very source, unchanged', async () => {
    const [id, other] = [await bed.importer(), await bed.importer()]
    const own = await upload(id, toCsv(first), 'trees.csv')
    const foreign = await upload(other, toCsv(second), 'other.csv')
    const readIssues = async (...sources: object[]) => {
      const failure = await create(admin(), { ...buildRequest(id), data: buildImporter(...sources) }).catch(
        (e: unknown) => e,
      )
      if (!(failure instanceof Failure)) throw new Error('It was taken.', { cause: failure })
      // `validate` reports the same issues.
      const data = buildImporter(...sources)
      await expect(check(admin(), { ...buildRequest(id), data })).rejects.toMatchObject({
        issues: failure.issues,
      })
      return failure.issues?.map(({ path, message }) => `${path.join('.')}: ${message}`)
    }
    expect(
      await readIssues({ url: `file:${own}`, parser: 'csv' }, { url: `file:${foreign}`, parser: 'csv' }),
    ).toEqual([
      'sources.1.url: There is no such file of this source: it may have been deleted. Upload it again.',
    ])
    expect(await readIssues({ url: 'file:///etc/passwd', parser: 'csv' })).toEqual([
      'sources.0.url: Must be file: and the id of an uploaded file.',
    ])
    const more = { query: { a: 1 }, headers: { b: 'c' }, pagination: { pageParam: 'p' } }
    expect(await readIssues({ url: `file:${own}`, parser: 'csv', ...more })).toEqual(
      ['query', 'headers', 'pagination'].map(
        (name) => `sources.0.${name}: An uploaded file is read as it is.`,
      ),
    )
    expect(await readIssues({ url: `${origin}/{nonsense}.csv`, parser: 'csv' })).toEqual([
      expect.stringMatching(/^sources\.0\.url: There is no \{nonsense\} to fill in/),
    ])
    // A source with a file of another place, inserted directly into the database, reads nothing of it.
    const sources = json({ url: `file:${foreign}`, parser: 'csv' })
    await bed.system().db.updateTable('importer').set(sources).where('id', '=', id).execute()
    await bed.start(id)
    await bed.finish()
    expect((await bed.job(id)).status).toBe('failed')
    expect((await bed.readStored(id)).count).toBe(0)
  })
})

test('a page larger than one part is stored in several, and read back whole', async () => {
  const id = await bed.importer()
  // 9 MB in 450 rows: a part of 8 MiB and the rest.
  const rows = trees(450).map((tree, i) => ({ ...tree, species: `${i}-`.padEnd(20_000, 'oak') }))
  bed.files.set('/trees.csv', toCsv(rows))
  await bed.start(id)
  await bed.finish()
  const { status, counts } = await bed.job(id)
  expect({ status, counts }).toMatchObject({
    status: 'succeeded',
    counts: { read: 450, created: good(rows).length },
  })
  expect((await bed.readStored(id)).hash).toBe(await hashRows(good(rows)))
})

describe('the path of rows in a document', () => {
  const rows = trees(5)
  async function run(id: string, document: unknown, source: object) {
    bed.files.set('/rows.json', JSON.stringify(document))
    const sources = json({ url: `${origin}/rows.json`, parser: 'json', ...source })
    await bed.system().db.updateTable('importer').set(sources).where('id', '=', id).execute()
    await bed.start(id)
    await bed.finish()
    return bed.job(id)
  }
  const buildSelectorOptions = (selector: string) => ({ parserOptions: { selector } })

  test.each(['data.rows.*', '$.data.rows[*]', 'data.rows[]', "$['data']['rows']", 'data.rows'])(
    '%s imports them',
    async (selector) => {
      const id = await bed.importer()
      expect(await run(id, { data: { rows } }, buildSelectorOptions(selector))).toMatchObject({
        status: 'succeeded',
        counts: { read: 5, created: good(rows).length },
      })
    },
  )

  test('a path without a list fails the run with the paths of existing lists, and stored records stay', async () => {
    const id = await bed.importer({ mode: 'replace' })
    await run(id, { data: { rows } }, buildSelectorOptions('data.rows.*'))
    const before = await bed.readStored(id)
    const sentence =
      'There is no list at “data.rows.*”: “data” has features. The file has lists at “data.features.*” (5 records).'
    expect(await run(id, { data: { features: rows } }, buildSelectorOptions('data.rows.*'))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(sentence) as string,
    })
    expect(await bed.readStored(id)).toEqual(before)
  })

  test('an empty list is no error: no rows, and a line in the log', async () => {
    const id = await bed.importer()
    expect(await run(id, { data: { rows: [] } }, buildSelectorOptions('$.data.rows[*]'))).toMatchObject({
      status: 'succeeded',
      counts: { read: 0 },
    })
    const log = await bed
      .system()
      .db.selectFrom('jobLog')
      .innerJoin('job', 'job.id', 'jobLog.jobId')
      .select('message')
      .where('job.importerId', '=', id)
      .execute()
    expect(log.map(({ message }) => message)).toContain(
      'The list at “$.data.rows[*]” is empty: there are no rows.',
    )
  })

  test('an answer without a list ends the paging, but fails as the first page', async () => {
    const id = await bed.importer()
    bed.files.set('/rows.json?page=1', JSON.stringify({ error: 'no more pages' }))
    bed.files.set('/rows.json?page=0', JSON.stringify({ data: rows }))
    const paged = { ...buildSelectorOptions('data.*'), pagination: { pageParam: 'page' } }
    expect(await run(id, {}, paged)).toMatchObject({ status: 'succeeded', counts: { read: 5 } })
    bed.files.set('/rows.json?page=0', JSON.stringify({ error: 'no key' }))
    expect(await run(id, {}, paged)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('it has error.') as string,
    })
  })

  test('reports a file of an archive without the list, where others have it', async () => {
    const id = await bed.importer()
    const files = (...documents: unknown[]) =>
      zipSync(
        Object.fromEntries(documents.map((each, i) => [`${i}.json`, Buffer.from(JSON.stringify(each))])),
      )
    const runArchive = async (archive: Uint8Array<ArrayBuffer>) => {
      const file = await upload(id, archive, 'rows.zip', 'application/zip')
      const options = { parserOptions: { selector: 'data.*', zip: true } }
      const sources = json({ url: `file:${file}`, parser: 'json', ...options })
      await bed.system().db.updateTable('importer').set(sources).where('id', '=', id).execute()
      await bed.start(id)
      await bed.finish({ budgetMs: 0, batchRows: 2 })
      return bed.job(id)
    }
    expect(await runArchive(files({ data: rows }, { note: 1 }))).toMatchObject({
      status: 'succeeded',
      counts: { read: 5 },
    })
    expect(await runArchive(files({ note: 1 }, { note: 2 }))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('0.json: There is no list at “data.*”') as string,
    })
  })
})

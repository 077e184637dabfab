import { sql } from 'kysely'
import { schema, type Case } from './case.testing.ts'
import { origin, type ImporterFixture } from '../job/testing.ts'
import { getColumnName, dataTable } from '#db/data-table.ts'
import { hex, sha256 } from '#functions/platform/digest.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'

/** The outcome of a file. */
export interface Outcome {
  /** Deviations from the expected outcome; empty when there are none. */
  wrong: string[]
  seeded: number
  located: number
  good: number
  /** Good rows that were stored exactly as they must be. */
  came: number
  /** Stored records that match no row of the file: silent corruption. */
  changed: number
}

/** Imports a file by a run of a separate importer, and compares the stored records and the reported issues. */
export async function runCase(bed: ImporterFixture, each: Case): Promise<Outcome> {
  const fields = each.schema ?? schema
  const id = await createImporter(bed, each, fields)
  await bed.start(id)
  await bed.finish({ batchRows: 16 })
  const job = await bed.job(id)
  const wrong: string[] = []
  const storedTexts = await readStoredRecords(bed, id, fields)
  const expected = each.good.map((record) => toCanonicalText(record as unknown as Record<string, unknown>))
  const came = expected.filter((text) => storedTexts.includes(text))
  const extraTexts = storedTexts.filter((text) => !expected.includes(text))
  for (const text of expected)
    if (!storedTexts.includes(text)) wrong.push(`is not there: ${text.slice(0, 300)}`)
  for (const text of extraTexts) wrong.push(`is there: ${text.slice(0, 300)}`)
  if (each.refused) {
    if (job.status !== 'failed' || !each.refused.test(job.error ?? ''))
      wrong.push(`${job.status}: ${job.error}`)
  } else if (job.status !== 'succeeded') wrong.push(`${job.status}: ${job.error}`)
  const rejects = await bed
    .system()
    .db.selectFrom('importReject')
    .selectAll()
    .where('jobId', '=', job.id)
    .execute()
  const located = each.faults.filter(({ row, field, line, says }) =>
    rejects.some(
      (reject) =>
        Number(reject.row) === row &&
        reject.field === field &&
        (line === undefined || Number(reject.line) === line) &&
        (!says || says.test(reject.message)),
    ),
  )
  for (const { row, field } of each.faults.filter((fault) => !located.includes(fault)))
    wrong.push(`not located: row ${row}, ${field}`)
  for (const { row, field, message, value } of rejects)
    if (!each.faults.some((fault) => fault.row === Number(row) && fault.field === field))
      wrong.push(`refused: row ${row}, ${field}: ${message} (${value?.slice(0, 60)})`)
  const { read = 0, created = 0, updated = 0, unchanged = 0, rejected = 0 } = job.counts
  if (!each.refused && read !== created + updated + unchanged + rejected)
    wrong.push(`counts ${JSON.stringify(job.counts)}`)
  if (!each.refused && rejected !== new Set(each.faults.map(({ row }) => row)).size)
    wrong.push(`${rejected} rows refused`)
  return {
    wrong,
    seeded: each.faults.length,
    located: located.length,
    good: expected.length,
    came: came.length,
    changed: extraTexts.length,
  }
}

/** A data type (one for all files with the same fields), a source and an importer. */
async function createImporter(bed: ImporterFixture, each: Case, fields: FieldSchema): Promise<string> {
  const { db } = bed.system()
  const typeId = toTypeId(hex(await sha256(JSON.stringify(fields))))
  const id = `file-${crypto.randomUUID().slice(0, 18)}`
  await db
    .insertInto('dataType')
    .values({ id: typeId, name: typeId, schema: JSON.stringify(fields), createdBy: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const own = { id, placeId: 'oakton', name: id, createdBy: null }
  await db
    .insertInto('source')
    .values({ ...own, dataTypeId: typeId, visibility: 'place' })
    .execute()
  bed.files.set(`/${id}`, each.source)
  const { parser, options: parserOptions, mapping = {}, columns } = each
  const sources = JSON.stringify([{ url: `${origin}/${id}`, parser, parserOptions }])
  await db
    .insertInto('importer')
    .values({
      ...{ ...own, sourceId: id, sources, mapping: JSON.stringify(mapping) },
      ...(columns && { columns: JSON.stringify(columns) }),
    })
    .execute()
  return id
}

const toTypeId = (hash: string) => `corpus-${hash.slice(0, 10)}`

/** The records of a source, each as a text, straight from its table. */
async function readStoredRecords(bed: ImporterFixture, id: string, fields: FieldSchema): Promise<string[]> {
  const { db } = bed.system()
  const typeId = toTypeId(hex(await sha256(JSON.stringify(fields))))
  const { tableName } = await db
    .selectFrom('dataType')
    .select('tableName')
    .where('id', '=', typeId)
    .executeTakeFirstOrThrow()
  if (!tableName) return []
  const columns = Object.entries(fields).map(([key, { type }]) => {
    const column = sql.id(getColumnName(key))
    const value =
      type === 'point' ? sql`(ST_AsGeoJSON(${column}, 15)::jsonb) -> 'coordinates'` : sql`${column}`
    return sql`${value} as ${sql.id(key)}`
  })
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(columns)} from ${dataTable(tableName)} where source_id = ${id}`.execute(
    db.withoutPlugins(),
  )
  return rows.map(toCanonicalText)
}

/** A record as canonical text: its members in order, without empty ones, dates in ISO. */
function toCanonicalText(record: Record<string, unknown>): string {
  const members = Object.entries(record)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => [key, value instanceof Date ? value.toISOString() : value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(members))
}

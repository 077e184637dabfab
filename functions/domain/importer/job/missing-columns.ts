import { sql } from 'kysely'
import type { RecordSubject } from '#functions/domain/records/change.ts'
import type { Column } from '#functions/domain/records/columns.ts'
import { quoteNames } from '../unknown-fields.ts'
import { RunRefusal } from './errors.ts'
import type { LogLine, Run } from './run.ts'
import { dataTable } from '#db/data-table.ts'
import { complete, fieldAt } from '#functions/engine/import/map/index.ts'
import { columnsIn } from '#functions/engine/import/profile/index.ts'
import type { SourceRow } from '#functions/engine/import/row.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { isPlainObject, getOwnProperty } from '#functions/shapes/fields/plain.ts'
import { splitKeyPath, type Mapping } from '#functions/shapes/importer-mapping.ts'

/** All columns that a mapping uses for the fields of a data type, without duplicates. */
export function columnsOfMapping(mapping: Mapping, schema: FieldSchema): string[] {
  const targets = Object.entries(complete(mapping, schema)).filter(([name]) =>
    fieldAt(schema, splitKeyPath(name)),
  )
  return [...new Set(targets.flatMap(([, value]) => columnsIn(value)))]
}

/** The columns that occur in none of the rows, not even empty. */
export function unseenIn(columns: readonly string[], rows: readonly SourceRow[]): string[] {
  return columns.filter((column) => {
    const keys = splitKeyPath(column)
    return !rows.some(({ value }) => hasPath(value, keys))
  })
}

function hasPath(row: unknown, keys: readonly string[]): boolean {
  let value = row
  for (const key of keys) {
    if (!isPlainObject(value) && !Array.isArray(value)) return false
    if (!Object.hasOwn(value, key)) return false
    value = getOwnProperty(value as Record<string, unknown>, key)
  }
  return true
}

/**
 * A warning about columns that occurred in no row, at the end of reading; null where there are none. Throws RunRefusal
 * where records of the source would lose their values: otherwise a renamed column would empty a field in a seemingly
 * successful run. A dry run reports it, and whoever commits it has seen that.
 */
export async function findMissingColumns(
  run: Run,
  subject: RecordSubject,
  columns: readonly Column[],
): Promise<LogLine | null> {
  const { unseen } = run.cursor
  if (!unseen?.length || run.counts.read === 0) return null
  const { schema } = subject
  const goneColumns = new Set(unseen)
  const emptyKeys = Object.entries(complete(run.plan.mapping, schema))
    .filter(([name, value]) => {
      const paths = columnsIn(value)
      return (
        fieldAt(schema, splitKeyPath(name)) &&
        paths.length > 0 &&
        paths.every((path) => goneColumns.has(path))
      )
    })
    .map(([name]) => name)
  const sentence = explainMissingColumns(unseen)
  if (run.plan.mode !== 'append' && run.job.kind === 'run') {
    const candidates = columns.filter(({ key }) => emptyKeys.includes(key))
    const lostColumns = await withValues(run, subject, candidates)
    if (lostColumns.length)
      throw new RunRefusal(
        `${sentence} Records that are there would lose ${quoteNames(lostColumns.map(({ field }) => field.name))}: nothing was changed. Correct the mapping, or commit a dry run if it is meant so.`,
      )
  }
  return { level: 'warn', message: sentence }
}

/** The message about columns that occur in no row. */
export const explainMissingColumns = (paths: readonly string[]) =>
  `No row has ${paths.length === 1 ? 'the column' : 'the columns'} ${quoteNames(paths)}.`

/** Returns those of the columns in which a record of the source has a value. */
async function withValues({ ctx, job }: Run, { table }: RecordSubject, columns: Column[]): Promise<Column[]> {
  const matches: Column[] = []
  for (const column of columns) {
    const { rows } = await sql`
      select from ${dataTable(table)} where source_id = ${job.sourceId} and ${column.name} is not null limit 1`.execute(
      // Columns are named like fields, so their names must not be converted to snake case.
      ctx.db.withoutPlugins(),
    )
    if (rows.length) matches.push(column)
  }
  return matches
}

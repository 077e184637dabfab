import { sql } from 'kysely'
import { analytics } from './dataset.ts'
import { countTotal } from './total.ts'
import { buildLineSql, partsIn, rowLine, type Column, type Line } from './export-lines.ts'
import { streamRows, type RowQuestion } from './export-walk.ts'
import { compileRows, type Dataset, type Scope } from './open.ts'
import { findSortKeys } from './order.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type {
  FileAbout,
  FileColumn,
  FileRow,
  FileSource,
  LineKind,
  Shapes,
} from '#functions/engine/export/file.ts'
import { findBucketSpan } from '#functions/engine/export/spans.ts'
import type { ExportOptions } from '#functions/shapes/datum.ts'
import type { ExportFormat } from '#functions/shapes/export-format.ts'
import { mergeExtents } from '#functions/shapes/fields/extent.ts'
import type { Geometry } from '#functions/shapes/fields/geometry.ts'

/** A file's rows; `hasBegun` once the first of them have been read. */
export type Rows = FileSource & { hasBegun(): boolean }

/** The options of the query, without those of the file. */
function questionIn({ format: _f, fields: _c, names: _n, bom: _b, excel: _e, ...query }: ExportOptions) {
  return query
}

/** Whether the export is of an aggregated answer, not of records. */
export function isAnalytics({ aggregations, groupings }: ExportOptions): boolean {
  const asks = (clause: unknown) => (Array.isArray(clause) ? clause.length > 0 : Boolean(clause))
  return asks(aggregations) || asks(groupings)
}

/** The rows of an aggregated answer, limited like any answer; `fields` are its aliases. */
export async function answerSource(
  ctx: Context,
  scope: Scope,
  options: ExportOptions,
  about: FileAbout,
): Promise<Rows> {
  const { results, output } = await analytics(ctx, scope, questionIn(options))
  const all = Object.entries(output.schema).map(([key, field]) => {
    const { name, type, precision, items } = field
    return { key, name, type, precision, items, bucket: findBucketSpan(field) }
  })
  const columns =
    options.fields?.map((alias, i) => {
      const row = all.find(({ key }) => key === alias)
      return row ?? refuseField(alias, i)
    }) ?? all
  const rows = results.map((data): FileRow => ({ id: null, data, geometry: null }))
  async function* pages() {
    yield rows
  }
  return { about, columns, count: rows.length, extent: null, pages, lines: () => null, hasBegun: () => true }
}

/**
 * The matching records: by id, or, where a limit selects some of them, in the order of a list, so that they
 * are the same ones. GPX leaves out records without a geometry.
 */
export async function recordSource(
  ctx: Context,
  dataset: Dataset,
  format: ExportFormat,
  options: ExportOptions,
  about: FileAbout,
): Promise<Rows> {
  const { aggregations: _a, groupings: _g, ...query } = questionIn(options)
  const row = compileRows(dataset, query)
  if ('union' in row && row.union !== undefined)
    throw new Failure('invalid', {
      issues: [
        { path: ['joins'], message: 'A file of records is of one side: join with aggregations, or not.' },
      ],
    })
  const { orderBy, limit, offset, excluded } = row
  const where = [...row.where, ...(format === 'gpx' ? [sql<boolean>`t.geometry is not null`] : [])]
  const keys = options.fields?.map((name, i) => toFieldKey(dataset, name, i)) ?? Object.keys(dataset.schema)
  const parts = partsIn(
    dataset,
    keys.filter((key) => !excluded.has(`data.${key}`)),
  )
  const total = await countTotal(ctx, dataset, where)
  const count = Math.max(0, Math.min(limit, total - offset))
  const isOrdered = Array.isArray(query.orderings) && query.orderings.length > 0
  const isPart = query.limit !== undefined || offset > 0
  const order = { keys: findSortKeys(dataset, query.orderings), orderBy: sql.join([...orderBy, sql`t.id`]) }
  const request: RowQuestion = { dataset, where, order: isOrdered || isPart ? order : null, offset, count }
  let hasBegun = false

  async function* texts(line: Line, separator: string) {
    for await (const { text, rows } of streamRows(ctx, request, line, separator)) {
      hasBegun = true
      if (rows > 0) yield text
    }
    hasBegun = true
  }
  async function* pages(shapes: Shapes) {
    for await (const text of texts(rowLine(parts, shapes), ',')) {
      yield (JSON.parse(`[${text}]`) as unknown[][]).map((values) => toFileRow(parts.columns, values))
    }
  }
  function lines(kind: LineKind, separator: string, timeZone: string) {
    const line = buildLineSql(kind, parts, timeZone)
    return line && texts(line, separator)
  }
  const fileColumns = parts.columns.map(({ key }) => fileColumn(dataset, key))
  const extents = dataset.sources.flatMap(({ stat }) => (stat.extent ? [stat.extent] : []))
  const extent = isPart || where.length > 0 ? null : mergeExtents(extents)
  return { about, columns: fileColumns, count, extent, pages, lines, hasBegun: () => hasBegun }
}

/** Parses a row of `rowLine`; fields without a value are left out. */
function toFileRow(columns: Column[], [id, geometry, ...values]: unknown[]): FileRow {
  const data: Record<string, unknown> = {}
  columns.forEach(({ key }, i) => {
    const value = values[i]
    if (value !== null && value !== undefined) data[key] = value
  })
  return { id: String(id), data, geometry: (geometry ?? null) as Geometry | null }
}

/** A field of a dataset as a column of a file. */
export function fileColumn({ schema }: Pick<Dataset, 'schema'>, key: string): FileColumn {
  const field = schema[key]
  return {
    key,
    name: field?.name ?? key,
    type: field?.type,
    precision: field?.precision,
    items: field?.items,
    field,
  }
}

function toFieldKey({ schema }: Dataset, name: string, index: number): string {
  const key = name.startsWith('data.') ? name.slice('data.'.length) : name
  return Object.hasOwn(schema, key) ? key : refuseField(name, index)
}

function refuseField(value: string, index: number): never {
  throw new Failure('invalid', {
    issues: [{ path: ['fields', index], value, message: 'Field does not exist.' }],
  })
}

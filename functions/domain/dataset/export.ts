import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { Download } from '#functions/shapes/download.ts'
import { exportFormats, type ExportFormat, type ExportOptions } from '#functions/shapes/datum.ts'
import { analytics, totalOf } from '../dataset.ts'
import { dataOf, rowColumns, type Row } from '../records/read.ts'
import { open, rowsOf, run, type Dataset, type Scope } from './open.ts'
import { writerFor, type FileRow } from './writers.ts'

/** Rows read from the database at a time. */
const pageRows = 5000

/** The most rows of one export. */
const maxRows = 100_000_000

/**
 * Records as a file, all that match. Nothing of it is held back: rows are read page by page while they are sent. Either
 * it is complete or it breaks off with an error: when the data changes meanwhile, or a row is missing at the end.
 * Tells rows and data version in `X-Row-Count` and `X-Data-Version`.
 */
export async function exportRows(ctx: Context, scope: Scope, options: ExportOptions): Promise<Download> {
  const format = formatOf(options.format, ctx.request.headers.get('accept'))
  const dataset = await open(ctx, scope, {
    maxVisibility: options.maxVisibility,
    limits: { defaultLimit: maxRows, maxLimit: maxRows },
    question: options,
  })
  const { source, count } = await (isAnalytics(options)
    ? answerSource(ctx, scope, options)
    : recordSource(ctx, dataset, format, options))
  const writer = writerFor(format, source.columns, options)
  ctx.responseHeaders.set('x-row-count', String(count))
  ctx.responseHeaders.set('x-data-version', versionOf(dataset))
  const fileName = `${scope.sourceId ?? dataset.dataTypeId}-${ctx.now().toISOString().slice(0, 10)}.${format}`
  const checkEnd = () => stillSame(ctx, dataset)
  return new Download(writer.contentType, await streamOf(source.pages, writer, count, checkEnd), fileName)
}

/** Where the rows of a file come from, in pages. */
export interface RowSource {
  columns: { key: string; name: string; type: string | undefined }[]
  pages: AsyncIterator<FileRow[]>
}

function isAnalytics({ aggregations, groupings }: ExportOptions): boolean {
  const asks = (clause: unknown) => (Array.isArray(clause) ? clause.length > 0 : Boolean(clause))
  return asks(aggregations) || asks(groupings)
}

async function answerSource(ctx: Context, scope: Scope, options: ExportOptions) {
  const { format: _f, fields: _c, names: _n, bom: _b, excel: _e, ...query } = options
  const { results, output } = await analytics(ctx, scope, query)
  const columns = Object.entries(output.schema).map(([key, { name, type }]) => ({ key, name, type }))
  const records = results.map((data) => ({ id: null, data, geometry: null }))
  async function* pages() {
    yield records
  }
  return { source: { columns, pages: pages() }, count: results.length }
}

async function recordSource(ctx: Context, dataset: Dataset, format: ExportFormat, options: ExportOptions) {
  const {
    format: _f,
    fields,
    names: _n,
    bom: _b,
    excel: _e,
    aggregations: _a,
    groupings: _g,
    ...query
  } = options
  const { where, orderBy, limit, offset, excluded } = rowsOf(dataset, query)
  const keys = fields?.map((name, i) => keyOf(dataset, name, i)) ?? Object.keys(dataset.schema)
  const readings = keys.flatMap((key) =>
    dataset.readings.filter((r) => r.key === key && !excluded.has(`data.${key}`)),
  )
  const columns = readings.map(({ key }) => {
    const field = dataset.schema[key]
    return { key, name: field?.name ?? key, type: field?.type }
  })
  const total = await totalOf(ctx, dataset, where)
  const count = Math.max(0, Math.min(limit, total - offset))
  const isOrdered = Array.isArray(query.orderings) && query.orderings.length > 0
  const page = isOrdered || offset > 0 ? byOffset : byId
  // A map layer has no use for more; the other formats are exact.
  const digits = format === 'geojson' ? 7 : 15

  function byId(last: Row | undefined, size: number, _read: number): RawBuilder<Row> {
    const after = last ? [sql<boolean>`t.id > ${last.id}::bigint`] : []
    return select([...where, ...after], sql`t.id`, size, 0)
  }
  function byOffset(_last: Row | undefined, size: number, read: number): RawBuilder<Row> {
    return select(where, isOrdered ? sql.join(orderBy) : sql`t.id`, size, offset + read)
  }
  function select(conditions: RawBuilder<boolean>[], order: RawBuilder<unknown>, size: number, skip: number) {
    const { from, where: visible } = dataset.scope
    return sql<Row>`select ${rowColumns(readings, digits)} from ${from}
      where ${sql.join([...visible, ...conditions], sql` and `)} order by ${order} limit ${size}::int offset ${skip}::bigint`
  }
  async function* pages() {
    let last: Row | undefined
    for (let read = 0; read < count;) {
      const found = await run(ctx, page(last, Math.min(pageRows, count - read), read))
      if (found.length === 0) return
      yield found.map((row): FileRow => ({
        id: row.id,
        data: dataOf(readings, row),
        geometry: row.geometry ?? null,
      }))
      read += found.length
      last = found.at(-1)
    }
  }
  return { source: { columns, pages: pages() }, count }
}

function keyOf({ schema }: Dataset, name: string, index: number): string {
  const key = name.startsWith('data.') ? name.slice('data.'.length) : name
  if (Object.hasOwn(schema, key)) return key
  throw new Failure('invalid', {
    issues: [{ path: ['fields', index], value: name, message: 'Field does not exist.' }],
  })
}

/** The first page is read before the answer begins, so that what fails at once is a proper error. */
async function streamOf(
  pages: AsyncIterator<FileRow[]>,
  writer: ReturnType<typeof writerFor>,
  count: number,
  checkEnd: () => Promise<void>,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  let next = await pages.next()
  let written = 0
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(writer.head)),
      async pull(controller) {
        if (next.done) {
          if (written !== count) throw new Error(`An export has ${written} rows of ${count}.`)
          await checkEnd()
          controller.enqueue(encoder.encode(writer.foot))
          return controller.close()
        }
        const texts = next.value.map((record, i) => writer.row(record, written + i === 0))
        written += texts.length
        controller.enqueue(encoder.encode(texts.join('')))
        next = await pages.next()
      },
      async cancel() {
        await pages.return?.()
      },
    },
    { highWaterMark: 1 },
  )
}

/** Fails when a source has got new data, or is no longer to be seen, since the export began. */
async function stillSame(ctx: Context, { sources }: Dataset): Promise<void> {
  if (sources.length === 0) return
  const now = await ctx.db
    .selectFrom('source')
    .select(['id', 'dataVersion'])
    .where(
      'id',
      'in',
      sources.map(({ id }) => id),
    )
    .where('deletedAt', 'is', null)
    .execute()
  const versions = new Map(now.map(({ id, dataVersion }) => [id, dataVersion]))
  if (sources.some(({ id, dataVersion }) => versions.get(id) !== dataVersion)) {
    throw new Error('The data changed during an export.')
  }
}

/** The data version of one source; of several `id=version`, separated by commas. */
function versionOf({ sources }: Dataset): string {
  const [first] = sources
  if (first && sources.length === 1) return String(first.dataVersion)
  return sources.map(({ id, dataVersion }) => `${id}=${dataVersion}`).join(',')
}

const media: Record<string, ExportFormat> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/geo+json': 'geojson',
  'text/csv': 'csv',
  '*/*': 'json',
  'application/*': 'json',
  'text/*': 'csv',
}

/**
 * The format that is asked for by name, else the first of ours that the asker accepts, JSON for those who say nothing.
 * Failure `unavailable` for a format that has no writer yet, `notAcceptable` when nothing of ours is accepted.
 */
function formatOf(named: ExportOptions['format'], accept: string | null): ExportFormat {
  const known = exportFormats.find((format) => format === named)
  if (known) return known
  if (named) throw new Failure('unavailable', { say: `Files of the format ${named} cannot be made yet.` })
  const types = (accept ?? '').split(',').flatMap((part) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return type === '' || parameters.some((text) => /^q=0(\.0*)?$/.test(text)) ? [] : [type]
  })
  if (types.length === 0) return 'json'
  const found = types.find((type) => Object.hasOwn(media, type))
  if (found === undefined) throw new Failure('notAcceptable', { say: `Has ${exportFormats.join(', ')}.` })
  return media[found] as ExportFormat
}

import { sql, type RawBuilder } from 'kysely'
import {
  buildPositionConditions,
  buildOrderBy,
  buildPositionColumn,
  type Key,
  type Position,
} from '#functions/domain/noun/keyset.ts'
import type { Line } from './export-lines.ts'
import { run, type Dataset } from './open.ts'
import { selectPage } from './order.ts'
import type { Context } from '#functions/context.ts'

/** The rows to export, and their order. */
export interface RowQuestion {
  dataset: Dataset
  where: RawBuilder<boolean>[]
  /** Null: by id. `keys` null: ordered by functions, which allows paging by offset only. */
  order: { keys: Key[] | null; orderBy: RawBuilder<unknown> } | null
  offset: number
  count: number
}

/** The text of a page, and how many rows it has. */
interface TextPage {
  text: string
  rows: number
}

/** The data changed since the walk began, rows are missing, or it takes too long: the file must break off. */
export class RowStreamError extends Error {}

interface PageRow {
  n: number
  last: string | null
  text: string | null
  versions: string | null
}

type Pages = AsyncGenerator<PageRow, void>

/** Longest duration of a walk: a slower client keeps the database busy for nothing. */
const maxMinutes = 15

/** Target size of a page's text (characters), and its fewest and most rows. */
const pageBytes = 500_000
const fewestRows = 20
const maxRows = 10_000

/**
 * All rows as text, page by page: `line` formats a row, `separator` is put between rows. Each page is one
 * statement that also returns the data versions it saw. Throws `RowStreamError` where they are not those of the
 * dataset, at the end when there were fewer rows than promised, and after 15 minutes. The next page is read
 * while one is consumed. Page sizes adapt to the length of the rows.
 */
export async function* streamRows(
  ctx: Context,
  request: RowQuestion,
  line: Line,
  separator: string,
): AsyncGenerator<TextPage> {
  const pages = request.order
    ? readPagesByOrder(ctx, request, line, separator)
    : readPagesById(ctx, request, line, separator)
  const startMs = ctx.now().getTime()
  let rows = 0
  for await (const page of ahead(pages)) {
    if (ctx.now().getTime() - startMs > maxMinutes * 60_000)
      throw new RowStreamError(`An export takes longer than ${maxMinutes} minutes.`)
    rows += page.n
    yield { text: page.text ?? '', rows: page.n }
  }
  if (rows !== request.count) throw new RowStreamError(`An export has ${rows} rows of ${request.count}.`)
}

/** The same pages, each requested while the one before is consumed. */
async function* ahead(pages: Pages): Pages {
  try {
    let next = pages.next()
    for (;;) {
      const { value, done } = await next
      if (done) return
      next = pages.next()
      // If the consumer stops, nobody awaits this promise.
      next.catch(() => {})
      yield value
    }
  } finally {
    await pages.return(undefined)
  }
}

/** The number of rows of the next page, from the length of those before. */
class Size {
  rows: number

  constructor({ schema }: Dataset) {
    // A field of these types may hold megabytes.
    const isWide = Object.values(schema).some(({ type }) => /line|polygon|object|array/.test(type))
    this.rows = isWide ? 50 : 1000
  }

  learn({ n, text }: PageRow): void {
    if (n === 0) return
    const fitting = Math.round((pageBytes * n) / Math.max(1, text?.length ?? 0))
    this.rows = Math.max(fewestRows, Math.min(maxRows, fitting, this.rows * 4))
  }
}

/**
 * By id, in the order of the index. Without conditions the index alone tells where a page ends, so the next
 * page is requested before this one has arrived.
 */
async function* readPagesById(ctx: Context, request: RowQuestion, line: Line, separator: string): Pages {
  const { dataset, where, count } = request
  const size = new Size(dataset)
  const conditions = [...dataset.scope.where, ...where]
  const isIndexed = where.length === 0 && dataset.sourceIds.length === 1
  const read = (after: string, to: string | null, limit: number) => {
    const until = to === null ? [] : [sql`t.id <= ${to}::bigint`]
    const whole = sql.join([...conditions, sql`t.id > ${after}::bigint`, ...until], sql` and `)
    return page(ctx, request, line, separator, {
      last: sql`max(x.id)::text`,
      rows: sql`select ${sql.join([sql`t.id`, ...line.reads])} from ${dataset.scope.from} where ${whole}
        order by t.id limit ${limit}::int`,
    })
  }
  const end = async (after: string, rows: number) => {
    const [row] = await run(
      ctx,
      dataset,
      sql<{ id: string }>`select t.id::text as id from ${dataset.scope.from}
        where ${sql.join([...conditions, sql`t.id > ${after}::bigint`], sql` and `)}
        order by t.id offset ${rows - 1}::int limit 1`,
    )
    return row?.id ?? null
  }
  let after = '0'
  let rest = count
  while (!isIndexed && rest > 0) {
    const result = await read(after, null, Math.min(size.rows, rest))
    size.learn(result)
    rest -= result.n
    if (result.last === null) return
    after = result.last
    yield result
  }
  const waiting: Promise<PageRow>[] = []
  while (rest > 0 || waiting.length > 0) {
    if (rest > 0) {
      const rows = Math.min(size.rows, rest)
      const to = rows === rest ? null : await end(after, rows)
      const next = read(after, to, rows)
      next.catch(() => {})
      waiting.push(next)
      rest = to === null ? 0 : rest - rows
      after = to ?? after
    }
    if (rest > 0 && waiting.length < 2) continue
    const match = await waiting.shift()
    if (!match) return
    size.learn(match)
    yield match
  }
}

/**
 * In a given order: each page continues after the last row of the one before, or by offset where there are no
 * keys.
 */
async function* readPagesByOrder(ctx: Context, request: RowQuestion, line: Line, separator: string): Pages {
  const { dataset, where, count, offset, order } = request
  const size = new Size(dataset)
  const keys = order?.keys ?? null
  const position = keys ? buildPositionColumn(keys) : sql`'[]'::json`
  let read = 0
  let after: Position | null = null
  while (read < count) {
    const limit = Math.min(size.rows, count - read)
    const isBehind = keys !== null && after !== null
    const from =
      keys && after
        ? selectPage(dataset, keys, buildPositionConditions(keys, after), where, limit)
        : {
            from: sql`${dataset.scope.from} where ${sql.join([...dataset.scope.where, ...where], sql` and `)}`,
            orderBy: keys ? buildOrderBy(keys) : (order?.orderBy ?? sql`t.id`),
          }
    const skip = isBehind ? 0 : offset + read
    const row: PageRow = await page(ctx, request, line, separator, {
      last: sql`(array_agg(x.position))[count(*)::int]::text`,
      rows: sql`select ${sql.join([sql`t.id`, sql`${position} as position`, ...line.reads])} from ${from.from}
        order by ${from.orderBy} limit ${limit}::int offset ${skip}::bigint`,
    })
    if (row.last === null) return
    size.learn(row)
    read += row.n
    after = JSON.parse(row.last) as Position
    yield row
  }
}

/** Reads one page, its lines in the order of `rows`, in the same snapshot as the versions. */
async function page(
  ctx: Context,
  { dataset }: RowQuestion,
  line: Line,
  separator: string,
  { last, rows }: { last: RawBuilder<unknown>; rows: RawBuilder<unknown> },
): Promise<PageRow> {
  const ids = dataset.sourceIds
  const [row] = await run(
    ctx,
    dataset,
    sql<PageRow>`select count(*)::int as n, ${last} as last, string_agg(${line.text}, ${separator}::text) as text,
      (select string_agg(id || '=' || data_version, ',' order by id) from source
        where id = any(${ids}::text[]) and deleted_at is null) as versions
      from (${rows}) x`,
  )
  const expectedVersions = dataset.sources.map(({ id, dataVersion }) => `${id}=${dataVersion}`).join(',')
  if (!row || (row.versions ?? '') !== expectedVersions)
    throw new RowStreamError('The data changed during an export.')
  return row
}

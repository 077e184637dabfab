import { sql, type RawBuilder } from 'kysely'
import { readers, type Row, type ReaderCheck } from './readers.ts'
import type { Db } from '../schema.ts'

/** A text that occurs in exactly one column of one row, and who may read it there. */
export interface Canary {
  word: string
  table: string
  column: string
  /** The id of the row; empty where it has none. */
  id: string
  maySee: ReaderCheck
}

/** The pattern of all canaries, anywhere in a text. */
export const canaryPattern = /cnry[0-9a-f]{16}/gi

/** Columns whose values the product interprets: a canary there would change the row instead of marking it. */
const structural = new Set([
  'type',
  'role',
  'verb',
  'schedule',
  'cooldown',
  'time_zone',
  'table_name',
  'provider_id',
  'account_id',
  'auth_method',
  'version_key',
  'actor',
  'day',
  'code',
  'path',
  'key',
  'boundary_id',
  'noun',
  'language',
])

/** Tables of the product itself, the same for everyone. */
const shared = new Set([
  'boundary',
  'role',
  'operation',
  'role_operation',
  'migration',
  'migration_lock',
  'flag',
])

/** Columns whose text must have a certain form. */
const forms: Record<string, (word: RawBuilder<string>) => RawBuilder<string>> = {
  email: (word) => sql`${word} || '@example.com'`,
  to: (word) => sql`${word} || '@example.com'`,
  identifier: (word) => sql`${word} || '@example.com'`,
  url: (word) => sql`'https://example.com/' || ${word}`,
  webhook_url: (word) => sql`'https://example.com/' || ${word}`,
  attribution_url: (word) => sql`'https://example.com/' || ${word}`,
  publisher_url: (word) => sql`'https://example.com/' || ${word}`,
  licence_url: (word) => sql`'https://example.com/' || ${word}`,
  contact: (word) => sql`${word} || '@example.com'`,
  // As the identity library writes it: salt and key.
  password: (word) => sql`${word} || ':' || repeat('0', 128)`,
  image: (word) => sql`'https://example.com/' || ${word}`,
}

/** JSON columns and lists of texts, by table: a document with the canary where people would enter text. */
const documents: Record<string, Record<string, (word: RawBuilder<string>) => RawBuilder<unknown>>> = {
  source: {
    tags: (word) => sql`array[${word}]`,
    // In a field that only members of the place see (`work.ts`).
    custom_fields: (word) => sql`jsonb_build_object('internal', ${word})`,
  },
  custom_field: { choices: (word) => sql`array[${word}]` },
  insight: {
    query: (word) =>
      sql`jsonb_build_object('aggregations', jsonb_build_array(jsonb_build_object('alias', 'total', 'name', ${word}, 'value', '{"function":"count"}'::jsonb)))`,
    visualization: (word) =>
      sql`jsonb_build_object('type', 'number', 'settings', jsonb_build_object('label', ${word}))`,
  },
  insight_result: { rows: (word) => sql`json_build_array(json_build_object('total', ${word}))` },
  boundary_set: {
    fields: (word) =>
      sql`json_build_array(json_build_object('name', ${word}, 'samples', '[]'::json, 'isUnique', false))`,
    findings: (word) =>
      sql`json_build_array(json_build_object('kind', 'noted', 'message', ${word}, 'number', null))`,
  },
  boundary_set_area: { attributes: (word) => sql`json_build_object('NAME', ${word})` },
  content: { settings: (word) => sql`jsonb_build_object('html', '<p>' || ${word} || '</p>')` },
  page_version: {
    contents: (word) =>
      sql`jsonb_build_array(jsonb_build_object('id', 'part', 'kind', 'text', 'settings',
        jsonb_build_object('html', '<p>' || ${word} || '</p>')))`,
  },
  importer: {
    sources: (word) => sql`jsonb_build_array(jsonb_build_object('url', 'https://example.com/' || ${word}))`,
    mapping: (word) => sql`jsonb_build_object('type', ${word})`,
    columns: (word) => sql`jsonb_build_object(${word}, '{}'::jsonb)`,
  },
  job: {
    cursor: (word) => sql`jsonb_build_object('at', ${word})`,
    plan: (word) => sql`jsonb_build_object('name', ${word})`,
    preview: (word) =>
      sql`jsonb_set(it.preview, '{samples,removed}', jsonb_build_array(jsonb_build_object('externalId', ${word}, 'data', '{}'::jsonb)))`,
  },
  job_log: { data: (word) => sql`jsonb_build_object('at', ${word})` },
  observer: {
    filters: (word) => sql`jsonb_build_object('data.type', ${word})`,
    recipients: (word) => sql`jsonb_build_array(${word} || '@example.com')`,
  },
  place_import: { report: (word) => sql`jsonb_set(it.report, '{archive,name}', to_jsonb(${word}::text))` },
  outbox: { payload: (word) => sql`jsonb_build_object('id', ${word})` },
  data_history: { row: (word) => sql`jsonb_build_object('type', ${word})` },
}

/** A row with a canary in one of its columns. */
interface PlantedRow {
  word: string
  table: string
  column: string
  row: Row
}

/**
 * Writes a word into every text column of every row of the database (including tables added later), as the product:
 * `buildWord` returns it in SQL, by the row's `ctid`, or null to skip a column. Values that the database rejects (a check,
 * a reference, a part of a key) stay unchanged.
 */
export async function plantWords(
  db: Db,
  buildWord: (table: string, column: string) => RawBuilder<string> | null,
): Promise<PlantedRow[]> {
  const planted: PlantedRow[] = []
  for (const { table, column } of await textColumns(db)) {
    const secret = buildWord(table, column)
    if (!secret) continue
    const form = documents[table]?.[column] ?? forms[column]
    const word = sql<string>`fresh.word`
    const value = form ? form(word) : sql`coalesce(it.${sql.ref(column)}, '') || ${word}`
    try {
      const { rows } = await sql<{ word: string; row: Row }>`
        update ${sql.table(table)} as it set ${sql.ref(column)} = ${value}
        from (select ctid as at, ${secret} as word from ${sql.table(table)}) as fresh
        where it.ctid = fresh.at returning fresh.word as word, to_jsonb(it) as row`.execute(db)
      planted.push(...rows.map((each) => ({ ...each, table, column })))
    } catch (error) {
      if (!refusals.has((error as { code?: string }).code ?? '')) throw error
    }
  }
  return planted
}

/** Writes a unique word into every text column of every row. Returns the words with who may see each. */
export async function plantCanaries(db: Db, salt: string): Promise<Map<string, Canary>> {
  const planted = await plantWords(
    db,
    (table, column) =>
      sql<string>`'cnry' || substr(md5(${salt} || ${`${table}.${column}`} || ctid::text), 1, 16)`,
  )
  planted.push(...(await plantTrail(db, salt)))
  const seenBy = await readers(db)
  return new Map(
    planted.map(({ word, table, column, row }) => [
      word,
      { word, table, column, id: String(row.id ?? ''), maySee: seenBy(table, column, row) },
    ]),
  )
}

/** The audit log is append-only: adds an entry in each place, with a canary as the name of its subject. */
async function plantTrail(db: Db, salt: string) {
  const { rows } = await sql<{ word: string; row: Row }>`
    insert into activity (id, place_id, verb, target_type, target_id, target_name)
    select 'canary-' || id, id, 'updated', 'source', 'nowhere', 'cnry' || substr(md5(${salt} || 'activity' || id), 1, 16) from place
    returning target_name as word, to_jsonb(activity) as row`.execute(db)
  return rows.map((each) => ({ ...each, table: 'activity', column: 'target_name' }))
}

/** Not granted; and the constraints: check, reference, unique, generated. */
const refusals = new Set(['42501', '23514', '23503', '23505', '428C9'])

async function textColumns(db: Db): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select c.table_name as table, c.column_name as column, c.data_type as type
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('text', 'json', 'jsonb', 'ARRAY')
    order by 1, 2`.execute(db)
  return rows.filter(
    ({ table, column, type }) =>
      !shared.has(table) &&
      (type === 'text' || documents[table]?.[column]) &&
      !structural.has(column) &&
      !/(^|_)(id|by|host)$/.test(column),
  )
}

/** Whether the actor may see a canary now: rows change owners while a test writes. */
export async function maySeeNow(
  db: Db,
  { table, column, id, word }: Canary,
  actor: Parameters<ReaderCheck>[0],
): Promise<boolean> {
  const seenBy = await readers(db)
  // Restoring a version makes the page show its texts again.
  if (table === 'page_version') {
    const { rows } = await sql<{ row: Row }>`
      select to_jsonb(p) as row from page p where concat_ws(' ', p.title, p.description) ilike ${`%${word}%`}`.execute(
      db,
    )
    if (rows.some(({ row }) => seenBy('page', 'title', row)(actor))) return true
    const contents = await sql<{ row: Row }>`
      select to_jsonb(c) as row from content c where to_jsonb(c)::text ilike ${`%${word}%`}`.execute(db)
    if (contents.rows.some(({ row }) => seenBy('content', 'data', row)(actor))) return true
  }
  const of = column === 'record' ? 'source' : table
  const { rows } = await sql<{ row: Row }>`
    select to_jsonb(t) as row from ${sql.table(of)} t where to_jsonb(t) ->> 'id' = ${id}`.execute(db)
  return rows[0] !== undefined && seenBy(of, column, rows[0].row)(actor)
}

/** The canaries in a text that this actor may not see. */
export function leaks(
  text: string,
  planted: Map<string, Canary>,
  actor: Parameters<ReaderCheck>[0],
): Canary[] {
  const keys = new Set((text.match(canaryPattern) ?? []).map((word) => word.toLowerCase()))
  return [...keys].flatMap((word) => {
    const canary = planted.get(word)
    return canary && !canary.maySee(actor) ? [canary] : []
  })
}

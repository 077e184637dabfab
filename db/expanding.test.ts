import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from './migrations/index.ts'
import { freshAsOwner } from './testing.ts'

/**
 * During a deployment, and after a rollback, the previous code runs on the new schema. So migrations only
 * add: whatever the previous code reads, writes or calls must be unchanged.
 */
let owner: Kysely<unknown>
let close: () => Promise<void>
beforeAll(async () => {
  ;({ owner, close } = await freshAsOwner())
})
afterAll(() => close())

/** Migrations from this one on can be reverted, so the schema before each is known. */
const first = '0029'

/** Removals of migrations from before this test; none may be added. */
const knownRemovals: Record<string, string[]> = {
  '0040_key_scope': ["a new condition: api_key CHECK (((scope <> 'source'::text) = (user_id IS NOT NULL)))"],
  '0047_email_tokens': [
    'confirmation.expires_at is gone',
    'confirmation.token_hash is gone',
    'invite.token_hash is gone',
    'the function renew_waiting_invite(text,text) is gone or gives something else',
  ],
}

interface Column {
  table: string
  column: string
  type: string
  isNullable: boolean
  hasDefault: boolean
}

/** What code can depend on, as far as the catalog shows it. */
interface Schema {
  columns: Map<string, Column>
  /** Return types of functions, by their signatures. */
  functions: Map<string, string>
  /** Constraints, each with its table and columns. */
  constraints: Map<string, { table: string; columns: string[] }>
  /** The grants of the application's role on tables. */
  grants: Set<string>
}

async function readSchema(): Promise<Schema> {
  const columns = await sql<Column>`
    select c.relname::text as table, a.attname::text as column, format_type(a.atttypid, null) as type,
      not a.attnotnull as "isNullable", a.atthasdef or a.attidentity <> '' as "hasDefault"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`.execute(
    owner,
  )
  const functions = await sql<{ name: string; gives: string }>`
    select p.oid::regprocedure::text as name, pg_get_function_result(p.oid) as gives from pg_proc p
    where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d
        where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`.execute(owner)
  const constraints = await sql<{ id: string; table: string; columns: string[] }>`
    select c.conrelid::regclass || ' ' || pg_get_constraintdef(c.oid) as id, c.conrelid::regclass::text as table,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any(c.conkey)) as columns
    from pg_constraint c where c.connamespace = 'public'::regnamespace and c.conrelid <> 0
    union all
    select indrelid::regclass || ' ' || pg_get_indexdef(indexrelid), indrelid::regclass::text,
      array(select a.attname::text from pg_attribute a where a.attrelid = indrelid and a.attnum = any(indkey))
    from pg_index where indisunique and indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`.execute(
    owner,
  )
  const grants = await sql<{ id: string }>`
    select table_name || ' ' || privilege_type as id from information_schema.role_table_grants
    where grantee = 'commonplace_app' and table_schema = 'public'`.execute(owner)
  return {
    columns: new Map(columns.rows.map((row) => [`${row.table}.${row.column}`, row])),
    functions: new Map(functions.rows.map(({ name, gives }) => [name, gives])),
    constraints: new Map(constraints.rows.map(({ id, ...row }) => [id, row])),
    grants: new Set(grants.rows.map(({ id }) => id)),
  }
}

/** Whether a check of a column's values allows all that it allowed before, and more. */
function isWidened(before: string, after: string): boolean {
  const [was, is] = [before, after].map((id) => /^(.*ARRAY\[)(.*)(\].*)$/.exec(id))
  if (!was || !is || was[1] !== is[1] || was[3] !== is[3]) return false
  const values = new Set(is[2]?.split(', '))
  return was[2]?.split(', ').every((value) => values.has(value)) === true
}

/**
 * Returns what the previous code would miss, or be refused, in the new schema; each as a sentence, sorted.
 */
function missing(before: Schema, after: Schema): string[] {
  const sentences: string[] = []
  const tables = new Set([...before.columns.values()].map(({ table }) => table))
  for (const [name, was] of before.columns) {
    const is = after.columns.get(name)
    if (!is) sentences.push(`${name} is gone`)
    else if (is.type !== was.type) sentences.push(`${name} was ${was.type} and is ${is.type}`)
    else if (was.isNullable && !is.isNullable) sentences.push(`${name} must not be null any more`)
    else if (was.hasDefault && !is.hasDefault && !is.isNullable)
      sentences.push(`${name} has no default any more`)
  }
  for (const [name, { table, isNullable, hasDefault }] of after.columns)
    if (tables.has(table) && !before.columns.has(name) && !isNullable && !hasDefault)
      sentences.push(`${name} is new and must be given`)
  for (const [name, gives] of before.functions)
    if (after.functions.get(name) !== gives)
      sentences.push(`the function ${name} is gone or gives something else`)
  for (const [id, { table, columns }] of after.constraints) {
    const isOfNew = columns.some((column) => !before.columns.has(`${table}.${column}`))
    const isKnown =
      before.constraints.has(id) || [...before.constraints.keys()].some((was) => isWidened(was, id))
    if (tables.has(table) && !isOfNew && !isKnown) sentences.push(`a new condition: ${id}`)
  }
  for (const grant of before.grants)
    if (!after.grants.has(grant)) sentences.push(`the application may not any more: ${grant}`)
  return sentences.sort()
}

test('a migration only adds to what the previous code uses', async () => {
  const recent = Object.entries(migrations).filter(([name]) => name >= first)
  const schemas = [await readSchema()]
  for (const [, { down }] of [...recent].reverse()) {
    await down?.(owner)
    schemas.unshift(await readSchema())
  }
  const removals: Record<string, string[]> = {}
  for (const [i, [name]] of recent.entries()) {
    const [before, after] = [schemas[i], schemas[i + 1]]
    const sentences = before && after ? missing(before, after) : ['no schema']
    if (sentences.length > 0) removals[name] = sentences
  }
  expect(removals).toEqual(knownRemovals)
})

test('a check may allow more values, and none less', () => {
  const kinds = (...names: string[]) =>
    `content CHECK ((kind = ANY (ARRAY[${names.map((name) => `'${name}'::text`).join(', ')}])))`
  expect(isWidened(kinds('text', 'map'), kinds('text', 'quote', 'map'))).toBe(true)
  expect(isWidened(kinds('text', 'map'), kinds('text', 'quote'))).toBe(false)
  expect(isWidened(kinds('text'), kinds('text').replace('kind', 'type'))).toBe(false)
})

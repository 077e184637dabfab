import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#db/schema.ts'

/** The rows of a table that are replicated between two databases. */
interface Kind {
  table: string
  key: string[]
  /** A condition for the rows, by their own columns; all rows without it. */
  which?: RawBuilder<unknown>
  /** A column that is not replicated. */
  own?: string
  /** Rows that the home database does not have are deleted. */
  isExact?: boolean
  /** Rows are only added: an existing one is not changed. */
  isAddedTo?: boolean
}

/**
 * Replicates shared data to a database that some places live in: roles, data types (official ones and theirs), new
 * places themselves, their members, people who made keys there or opened them with a reason, their boundaries, usage
 * counts of fields, which are counted at home, and audit log entries about opening those places. Places are replicated
 * back to home, where lists of places are read. Equal rows are not sent. Both databases are accessed as the product.
 * Returns the number of rows sent.
 */
export async function mirror(home: Db, there: Db, places: string[]): Promise<number> {
  const ids = async (statement: RawBuilder<{ id: string }>, db = home) =>
    (await statement.execute(db)).rows.map(({ id }) => id)
  // A new password revokes the keys that a person has made, even where they do not work any more.
  const makers = await ids(
    sql`select distinct created_by as id from api_key where created_by is not null and revoked_at is null`,
    there,
  )
  const users = await ids(
    sql`select distinct user_id as id from place_user where place_id = any(${places}::text[])`,
  )
  const staff = await ids(
    sql`select distinct actor_id as id from activity where actor_id is not null and ${saysWhy(places)}`,
  )
  const boundaries = await ids(sql`
    with recursive of_places as (
      select b.id, b.parent_id from boundary b join place p on p.boundary_id = b.id where p.id = any(${places}::text[])
      union select b.id, b.parent_id from boundary b join of_places o on o.parent_id = b.id
    ) select id from of_places`)
  const those = (list: string[]) => sql`t.id = any(${list}::text[])`
  const kinds: Kind[] = [
    { table: 'role', key: ['id'] },
    { table: 'operation', key: ['id'] },
    { table: 'role_operation', key: ['role_id', 'operation_id'], isExact: true },
    { table: 'user', key: ['id'], which: those([...users, ...makers, ...staff]) },
    { table: 'boundary', key: ['id'], which: those(boundaries) },
  ]
  let rowCount = 0
  for (const kind of kinds) rowCount += await copy(home, there, kind)
  rowCount += await introduce(home, there, places)
  const theirs = sql`(t.owner_place_id is null or t.owner_place_id = any(${places}::text[]))`
  rowCount += await copy(home, there, { table: 'data_type', key: ['id'], which: theirs, own: 'table_name' })
  const typesThere = await sql<{ id: string }>`select id from data_type`.execute(there)
  const isKnownType = sql`t.data_type_id = any(${typesThere.rows.map(({ id }) => id)}::text[])`
  const use = { table: 'field_use', key: ['data_type_id', 'field', 'kind', 'day'], which: isKnownType }
  rowCount += await copy(home, there, use)
  // Support staff open places at home, where they sign in.
  rowCount += await copy(home, there, {
    table: 'activity',
    key: ['id'],
    which: saysWhy(places),
    isAddedTo: true,
  })
  rowCount += await copy(there, home, { table: 'place', key: ['id'], which: those(places) })
  const isClosed = sql`t.place_id = any(${places}::text[])`
  return rowCount + (await copy(there, home, { table: 'closed_place', key: ['place_id'], which: isClosed }))
}

/** Lines of the audit log about who opened one of the places with a reason. */
function saysWhy(places: string[]): RawBuilder<unknown> {
  return sql`place_id = any(${places}::text[]) and verb in ('accessOpened', 'accessEnded')`
}

/** Creates the rows of places that are new in their database, and queues their hubs. Returns their number. */
async function introduce(home: Db, there: Db, places: string[]): Promise<number> {
  const { rows } = await sql<{ id: string }>`select id from place where id = any(${places}::text[])`.execute(
    there,
  )
  const fresh = places.filter((place) => !rows.some(({ id }) => id === place))
  if (fresh.length === 0) return 0
  const which = sql`t.id = any(${fresh}::text[])`
  const rowCount = await copy(home, there, { table: 'place', key: ['id'], which })
  await sql`
    insert into outbox (kind, place_id, payload)
    select 'hub', id, '{}' from place where id = any(${fresh}::text[])`.execute(there)
  return rowCount
}

/** Returns the number of rows sent: none where both databases have the same. */
async function copy(from: Db, to: Db, kind: Kind): Promise<number> {
  const [here, there] = await Promise.all([readDigest(from, kind), readDigest(to, kind)])
  if (here === there) return 0
  const { table, key, own, isExact, isAddedTo } = kind
  const { rows } = await sql<{ row: string }>`
    select (${buildRowExpression(kind)})::text as row from ${sql.id(table)} t where ${kind.which ?? sql`true`}`.execute(
    from.withoutPlugins(),
  )
  const { rows: columns } = await sql<{ name: string }>`
    select attname::text as name from pg_attribute
    where attrelid = ${`public."${table}"`}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`.execute(to.withoutPlugins())
  const names = columns.map(({ name }) => sql.id(name))
  const changing = isAddedTo ? [] : columns.filter(({ name }) => !key.includes(name) && name !== own)
  const set = changing.map(({ name }) => sql`${sql.id(name)} = excluded.${sql.id(name)}`)
  const input = sql`unnest(${rows.map(({ row }) => row)}::text[]) g(row) cross join lateral (select (g.row::${sql.id(table)}).*) r`
  await sql`
    insert into ${sql.id(table)} (${sql.join(names)})
    select ${sql.join(columns.map(({ name }) => sql.ref(`r.${name}`)))} from ${input}
    on conflict (${sql.join(key.map((name) => sql.id(name)))}) do
      ${set.length > 0 ? sql`update set ${sql.join(set)}` : sql`nothing`}`.execute(to.withoutPlugins())
  if (isExact) {
    const same = key.map((name) => sql`r.${sql.id(name)} = t.${sql.id(name)}`)
    await sql`
      delete from ${sql.id(table)} t where not exists (select from ${input} where ${sql.join(same, sql` and `)})`.execute(
      to.withoutPlugins(),
    )
  }
  return rows.length
}

/** The row without columns that are not replicated. */
function buildRowExpression({ own }: Kind): RawBuilder<unknown> {
  return own === undefined ? sql`t` : sql`jsonb_populate_record(t, jsonb_build_object(${own}::text, null))`
}

async function readDigest(db: Db, kind: Kind): Promise<string | undefined> {
  const row = sql`(${buildRowExpression(kind)})::text`
  const { rows } = await sql<{ digest: string }>`
    select md5(coalesce(string_agg(${row}, ' ' order by ${row} collate "C"), '')) as digest
    from ${sql.id(kind.table)} t where ${kind.which ?? sql`true`}`.execute(db.withoutPlugins())
  return rows[0]?.digest
}

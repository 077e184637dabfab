import { sql, type RawBuilder } from 'kysely'
import { dataTable } from '#db/dataTable.ts'
import type { Tx } from '#db/schema.ts'
import { geometryFrom, type Column } from './columns.ts'
import type { Prepared } from './prepare.ts'

/** Rows a statement carries: enough to be fast, few enough for one message. */
export const rowsAStatement = 5000

/** Where records are written: one source's rows in its data type's table, and the version that writes them. */
export interface Target {
  table: string
  columns: Column[]
  sourceId: string
  placeId: string
  version: number
  /** Whether what a version replaces is kept. Not for the first one: before it there was nothing. */
  hasHistory: boolean
}

/** A record as the table had it: columns by their SQL names, geometry as GeoJSON. */
export type Image = Record<string, unknown>

/** What a statement did: ids of new records, and of replaced ones with what stood there before. */
export interface Written {
  created: string[]
  updated: { externalId: string; before: Image }[]
}

/**
 * Writes rows of different external ids: new ones are added, those that differ are replaced, equal ones are left
 * alone and are in neither list. `replaces` false leaves all that exist alone.
 */
export async function writeRows(tx: Tx, target: Target, rows: Prepared[], replaces = true): Promise<Written> {
  const { columns, sourceId, placeId } = target
  const table = dataTable(target.table)
  const names = columns.map(({ name }) => name)
  const parameters = [
    sql`${rows.map((row) => row.externalId)}::text[]`,
    sql`${rows.map((row) => row.key)}::bigint[]`,
    sql`${rows.map((row) => geometryText(row))}::text[]`,
    ...columns.map(
      ({ key, parameter, encode }) => sql`${rows.map((row) => encode(row.data[key]))}::${parameter}`,
    ),
  ]
  const rebuilt = columns.map(({ name, rebuild }) => sql`${rebuild(sql`u.${name}`)} as ${name}`)
  const differs = [...names, sql.id('geometry')].map(
    (name) => sql`d.${name} is distinct from excluded.${name}`,
  )
  const conflict = replaces
    ? sql`do update set ${sql.join([...names, sql.id('geometry'), sql.id('key')].map((name) => sql`${name} = excluded.${name}`))},
        updated_at = now() where ${sql.join(differs, sql` or `)}`
    : sql`do nothing`
  const { rows: written } = await sql<{ external_id: string; before: Image | null }>`
    with incoming as materialized (
      select ${sql.join([sql`u.external_id`, sql`u.key`, sql`${geometryFrom(sql`u.geometry`)} as geometry`, ...rebuilt])}
      from unnest(${sql.join(parameters)})
        as u(${sql.join([sql`external_id`, sql`key`, sql`geometry`, ...names])})
    ), before as materialized (
      select d.* from ${table} d join incoming i on i.external_id = d.external_id where d.source_id = ${sourceId}
    ), written as (
      insert into ${table} as d (${sql.join([sql`place_id`, sql`source_id`, sql`external_id`, sql`key`, sql`geometry`, ...names])})
      select ${placeId}, ${sourceId}, i.* from incoming i
      on conflict (source_id, external_id) ${conflict}
      returning d.external_id
    ), changed as materialized (
      select w.external_id, ${imageOf(columns, 'b')} as before
      from written w left join before b on b.external_id = w.external_id
    )${keepHistory(target, sql`changed`)}
    select external_id, before from changed`.execute(tx.withoutPlugins())
  const created: string[] = []
  const updated: Written['updated'] = []
  for (const { external_id: externalId, before } of written) {
    if (before) updated.push({ externalId, before })
    else created.push(externalId)
  }
  return { created, updated }
}

/** Removes up to one statement's worth of the source's records that are not among `kept`; gives what they were. */
export async function removeOthers(tx: Tx, target: Target, kept: string[]): Promise<Image[]> {
  const gone = sql`not exists (select from unnest(${kept}::text[]) k where k = d.external_id)`
  return remove(tx, target, gone)
}

/** Removes the records of these stable ids; gives what they were. */
export async function removeById(tx: Tx, target: Target, ids: string[]): Promise<Image[]> {
  return remove(tx, target, sql`d.id = any(${ids}::bigint[])`)
}

async function remove(tx: Tx, target: Target, which: RawBuilder<unknown>): Promise<Image[]> {
  const table = dataTable(target.table)
  const { rows } = await sql<{ before: Image }>`
    with gone as (
      delete from ${table} where id in (
        select d.id from ${table} d where d.source_id = ${target.sourceId} and ${which} limit ${rowsAStatement})
      returning *
    ), changed as materialized (
      select g.external_id, ${imageOf(target.columns, 'g')} as before from gone g
    )${keepHistory(target, sql`changed`)}
    select before from changed`.execute(tx.withoutPlugins())
  return rows.map(({ before }) => before)
}

/** Removes every record of the source, keeping their images; gives how many there were. */
export async function removeAll(tx: Tx, target: Target): Promise<number> {
  const table = dataTable(target.table)
  const { rows } = await sql<{ n: string }>`
    with gone as (
      delete from ${table} where source_id = ${target.sourceId} returning *
    ), changed as (
      select g.external_id, ${imageOf(target.columns, 'g')} as before from gone g
    )${keepHistory(target, sql`changed`)}
    select count(*) as n from gone`.execute(tx.withoutPlugins())
  return Number(rows[0]?.n ?? 0)
}

/** One more step of a statement: what the version replaced. The image of a record that is new is null. */
function keepHistory({ hasHistory, sourceId, placeId, version }: Target, changed: RawBuilder<unknown>) {
  if (!hasHistory) return sql``
  return sql`, kept as (
    insert into data_history (source_id, place_id, version, external_id, row)
    select ${sourceId}, ${placeId}, ${version}::int, external_id, before from ${changed}
  )`
}

/** A row as JSON. Geometry is written with all its digits, which the plain conversion would cut. */
function imageOf(columns: Column[], alias: string): RawBuilder<unknown> {
  const geometries = ['geometry', ...columns.filter((c) => c.isGeometry).map((c) => c.columnName)]
  const exact = geometries.flatMap((name) => [
    sql`${name}::text`,
    sql`st_asgeojson(${sql.ref(`${alias}.${name}`)}, 15)::jsonb`,
  ])
  const id = sql.ref(`${alias}.id`)
  return sql`case when ${id} is not null then to_jsonb(${sql.id(alias)}) || jsonb_build_object(${sql.join(exact)}) end`
}

function geometryText({ geometry }: Prepared): string | null {
  return geometry && JSON.stringify({ type: geometry.type, coordinates: geometry.coordinates })
}

import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from './schema.ts'

/**
 * Returns the names of all tables but PostGIS's own that contain a text in any column of any row. `db` connects as the product.
 */
export async function tablesWith(db: Db, text: string): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
      and table_name <> 'spatial_ref_sys'`.execute(db)
  expect(tables.length).toBeGreaterThan(40)
  const names: string[] = []
  for (const { schema, name } of tables) {
    const { rows } = await sql`
      select from ${sql.table(`${schema}.${name}`)} t where position(${text} in t::text) > 0 limit 1`.execute(
      db,
    )
    if (rows.length > 0) names.push(name)
  }
  return names
}

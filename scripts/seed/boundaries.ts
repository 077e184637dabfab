import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { boundaryRows } from '../tiles.ts'

const batch = 500

/** Stores all boundaries: nations, states, counties, countries. */
export async function seedBoundaries(ctx: Context, log: (line: string) => void): Promise<void> {
  const rows = boundaryRows()
  const parents = new Set(rows.flatMap((row) => row.parentId ?? []))
  // Parents first: a boundary refers to its parent.
  rows.sort(
    (a, b) =>
      Number(b.parentId === null) - Number(a.parentId === null) ||
      Number(parents.has(b.id)) - Number(parents.has(a.id)),
  )
  for (let i = 0; i < rows.length; i += batch) {
    const part = rows.slice(i, i + batch)
    await ctx.transaction(async (tx) => {
      await sql`
        insert into boundary (id, code, name, type, parent_id, area, has_all_states_boundary)
        select id, code, name, type, parent_id,
          ST_Multi(ST_CollectionExtract(ST_MakeValid(ST_SetSRID(ST_GeomFromGeoJSON(area), 4326)), 3)),
          id = any (${[...parents]}::text[])
        from unnest(
          ${part.map((row) => row.id)}::text[], ${part.map((row) => row.code)}::text[],
          ${part.map((row) => row.name)}::text[], ${part.map((row) => row.type)}::text[],
          ${part.map((row) => row.parentId)}::text[], ${part.map((row) => JSON.stringify(row.area))}::text[]
        ) as given (id, code, name, type, parent_id, area)
        on conflict (id) do nothing`.execute(tx)
    })
  }
  log(`  ${rows.length} boundaries`)
}

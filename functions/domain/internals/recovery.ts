import { sql } from 'kysely'
import { record } from '#functions/domain/activity/activity.ts'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'

/**
 * Further than anything counts between two backups. After a database was brought back, its counters give numbers a second
 * time, and what is stored under a number (a manifest, an answer, a tile, an export, the tab of an editor) is taken for the new one.
 */
export const jump = 1_000_000

/** The counters whose numbers something outside of the database remembers, by table. */
export const counters: Record<string, readonly string[]> = {
  asset: ['version'],
  asset_folder: ['version'],
  boundary_set: ['version'],
  collection: ['version'],
  collection_text: ['version'],
  content: ['version'],
  custom_field: ['version'],
  data_type: ['version'],
  error_report: ['version'],
  hub: ['allocated'],
  importer: ['version'],
  insight: ['version'],
  observer: ['version'],
  page: ['version'],
  place: ['version'],
  role: ['version'],
  source: ['version', 'data_version'],
  translation: ['version'],
}

/**
 * Makes a database that was brought back to an earlier moment fit to serve: no number is given twice, and each place is
 * marked, so that the edge is asked before it is told (`keepWithdrawn`) and every hub is made again. Done twice it does no
 * harm. Gives how many rows were raised, by table. Needs the product's own identity.
 */
export async function recover(ctx: Context): Promise<Record<string, number>> {
  return ctx.transaction(async (tx) => {
    const places = sql`select id from place where deleted_at is null`
    // Also places that were never published: what is public of them is told as well.
    await sql`
      insert into hub (place_id, restored_at) select id, now() from (${places}) place
      on conflict (place_id) do update set restored_at = excluded.restored_at`.execute(tx)
    const raisedRows: Record<string, number> = {}
    for (const [table, columns] of Object.entries(counters)) {
      const sets = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(column)} + ${jump}`)
      const { numAffectedRows } = await sql`update ${sql.table(table)} set ${sql.join(sets)}`.execute(tx)
      raisedRows[table] = Number(numAffectedRows ?? 0)
    }
    await sql`insert into outbox (kind, place_id, payload) select 'hub', id, '{}' from (${places}) place`.execute(
      tx,
    )
    return raisedRows
  })
}

/** What the edge was last told to be public of a place; null where nothing is known of it. */
export interface LastPublic {
  sources: readonly string[] | null
  insights: readonly string[] | null
  pages: readonly string[] | null
  isHub: boolean | null
  /** The manifest that is served and whole. */
  manifest: number | null
}

/**
 * Keeps withdrawn, in a database that was brought back, what was withdrawn since: what is public in it and was not when the
 * edge was told last is the organization's own, and a line of the audit log says so of each. The hub goes on with the manifest that
 * is served. Gives the names of what stays withdrawn. Needs the product's own identity.
 */
export async function keepWithdrawn(ctx: Context, placeId: string, last: LastPublic): Promise<string[]> {
  return ctx.transaction(async (tx) => {
    const names: string[] = []
    for (const [noun, knownIds] of [
      ['source', last.sources],
      ['insight', last.insights],
      ['page', last.pages],
    ] as const) {
      if (knownIds === null) continue
      for (const { id, name } of await withdraw(tx, noun, placeId, knownIds)) {
        await record(tx, ctx, { verb: 'unpublished', type: noun, id, name, placeId })
        names.push(`${noun} ${id}`)
      }
    }
    if (last.isHub === false) {
      const row = await tx
        .updateTable('place')
        .set((eb) => ({ isHub: false, version: eb('version', '+', 1) }))
        .where('id', '=', placeId)
        .where('isHub', '=', true)
        .returning('name')
        .executeTakeFirst()
      if (row) {
        await record(tx, ctx, {
          verb: 'unpublished',
          type: 'place',
          id: placeId,
          name: row.name,
          placeId,
        })
        names.push(`hub ${placeId}`)
      }
    }
    // Of which builds its pages are is not known: it is looked for.
    const manifest = sql<number>`greatest(manifest, ${last.manifest ?? 0}::int)`
    await tx
      .updateTable('hub')
      .set({ manifest, builds: [], buildsOf: null, restoredAt: null })
      .where('placeId', '=', placeId)
      .execute()
    return names
  })
}

/** Makes what is public of a place and not among those named the organization's own. */
async function withdraw(
  tx: Tx,
  noun: 'source' | 'insight' | 'page',
  placeId: string,
  knownIds: readonly string[],
) {
  const { rows } = await sql<{ id: string; name: string }>`
    update ${sql.table(noun)} set visibility = 'place', version = version + 1
    where place_id = ${placeId} and visibility = 'public' and deleted_at is null
      and id <> all (${[...knownIds]}::text[])
      ${noun === 'page' ? sql`and publish = 'published'` : sql``}
    returning id, ${noun === 'page' ? sql`title` : sql`name`} as name`.execute(tx)
  return rows
}

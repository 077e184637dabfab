import { sql } from 'kysely'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'

/**
 * More than any counter advances between two backups. After a database was restored, its counters would give out numbers
 * a second time, and what is stored under such a number (a manifest, an answer, a tile, an export, the tab of an editor)
 * would be taken for the new one.
 */
export const jump = 1_000_000

/** The counters whose numbers are stored outside of the database, by table. */
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
 * Prepares a database that was restored from a backup: counters are raised, so that no number is given out twice, and
 * each place is marked, so that the edge's state is read before it is overwritten (`reapplyWithdrawals`) and every hub is
 * rendered again. Idempotent. Returns the number of raised rows, by table. Must run as the system actor.
 */
export async function recover(ctx: Context): Promise<Record<string, number>> {
  return ctx.transaction(async (tx) => {
    const places = sql`select id from place where deleted_at is null`
    // Includes places that were never published: the edge gets their public rows as well.
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

/** The edge's last known public rows of a place; null where they are unknown. */
export interface LastPublic {
  sources: readonly string[] | null
  insights: readonly string[] | null
  pages: readonly string[] | null
  isHub: boolean | null
  /** The manifest that is published and complete. */
  manifest: number | null
}

/**
 * Keeps rows withdrawn that were withdrawn after the backup: public rows that were not public at the edge become visible
 * to the organization only, with an audit log entry each. The hub continues with the published manifest. Returns the
 * names of the rows. Must run as the system actor.
 */
export async function reapplyWithdrawals(ctx: Context, placeId: string, last: LastPublic): Promise<string[]> {
  return ctx.transaction(async (tx) => {
    const names: string[] = []
    for (const [noun, knownIds] of [
      ['source', last.sources],
      ['insight', last.insights],
      ['page', last.pages],
    ] as const) {
      if (knownIds === null) continue
      for (const { id, name } of await withdraw(tx, noun, placeId, knownIds)) {
        await recordActivity(tx, ctx, { verb: 'unpublished', type: noun, id, name, placeId })
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
        await recordActivity(tx, ctx, {
          verb: 'unpublished',
          type: 'place',
          id: placeId,
          name: row.name,
          placeId,
        })
        names.push(`hub ${placeId}`)
      }
    }
    // The builds of its pages are unknown, and will be determined.
    const manifest = sql<number>`greatest(manifest, ${last.manifest ?? 0}::int)`
    await tx
      .updateTable('hub')
      .set({ manifest, builds: [], buildsOf: null, restoredAt: null })
      .where('placeId', '=', placeId)
      .execute()
    return names
  })
}

/** Makes the public rows of a place that are not listed visible to the organization only. */
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

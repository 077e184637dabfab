import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { queueAllRegions } from '#functions/domain/data-type/regions.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import {
  readManifest,
  regionIndexKey,
  type RegionIndex,
  type TileManifest,
} from '#functions/engine/tile/manifest.ts'

/** The row for the list of the regions of all countries: unchanged, it need not be read. */
const listId = 'regions'

/**
 * Queues the regions of all records that are calculated by a set of everyone whose outlines or codes are not those of the
 * last call: a release changes some. Returns the ids of these sets; all of them for the first time. Concurrent calls queue
 * once. Does nothing before tiles were made, and while the list that the manifest names is not there. Must run as the
 * system actor.
 */
export async function queueChangedSets(ctx: Context): Promise<string[]> {
  const manifest = await readManifest(ctx.tiles)
  if (!manifest || !(await isAnyNew(ctx, hashesIn(manifest)))) return []
  const list = await regionsIn(ctx, manifest)
  if (!list) return []
  const hashes = [...hashesIn(manifest), ...list]
  const changedIds = await write(ctx, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      insert into built_in_set as known (id, hash)
      select * from unnest(${hashes.map(([id]) => id)}::text[], ${hashes.map(([, hash]) => hash)}::text[]) sent (id, hash)
      order by id
      on conflict (id) do update set hash = excluded.hash, noted_at = now() where known.hash <> excluded.hash
      returning id`.execute(tx)
    const ids = rows.map(({ id }) => id).filter((id) => id !== listId)
    if (ids.length > 0) await queueAllRegions(tx, ctx, { boundarySetIds: ids })
    return ids
  })
  if (changedIds.length > 0) ctx.wake('jobs')
  return changedIds
}

type SetHash = [id: string, hash: string]

/** The general sets by the archives that they are in, and the list of the others. */
function hashesIn({ boundaries, sets, regions }: TileManifest): SetHash[] {
  const general = boundaries.flatMap(({ id, level }): SetHash[] => {
    const archive = sets.find(({ layers }) => layers.includes(level))
    return archive ? [[id, archive.hash]] : []
  })
  return regions ? [...general, [listId, regions.hash]] : general
}

async function isAnyNew({ db }: Context, hashes: readonly SetHash[]): Promise<boolean> {
  const { rows } = await sql<{ id: string; hash: string }>`
    select id, hash from built_in_set where id = any(${hashes.map(([id]) => id)}::text[])`.execute(db)
  const hashById = new Map(rows.map(({ id, hash }) => [id, hash]))
  return hashes.some(([id, hash]) => hashById.get(id) !== hash)
}

/** The sets of the regions of countries; null while their list is not there. */
async function regionsIn({ tiles }: Context, { regions }: TileManifest): Promise<SetHash[] | null> {
  if (!regions) return []
  const object = await tiles.get(regionIndexKey(regions.hash))
  if (!object) return null
  const { sets } = await object.json<RegionIndex>()
  return sets.map(({ id, hash }) => [id, hash])
}

import { sql } from 'kysely'
import { emit } from '#functions/domain/outbox/outbox.ts'
import type { Tx } from '#db/schema.ts'

/**
 * Writes the event of a changed data type into the outbox. `placeId`: null where it concerns the sources of every place.
 * Hubs list a data type where it has a public source; without one in any place their lists stay as they are.
 */
export async function emitDataType(tx: Tx, id: string, placeId: string | null): Promise<void> {
  const { rows } = await sql<{ isListed: boolean }>`select exists (select from source
    where data_type_id = ${id} and visibility = 'public' and deleted_at is null) as is_listed`.execute(tx)
  const isListed = rows[0]?.isListed === true
  await emit(tx, { kind: 'dataType', placeId, payload: { id, ...(!isListed && { listChanged: false }) } })
}

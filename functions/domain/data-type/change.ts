import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { longestDataTypeId, withEnding } from '#functions/domain/noun/new-id.ts'
import type { DataTypeChanges } from '#functions/shapes/data-type.ts'
import type { SchemaChange } from '#functions/shapes/data-type-schema.ts'
import { asActor, asProduct } from './as-product.ts'

/** A change by an owner that sources of other places must not follow. */
type OwnerRequest =
  | { kind: 'delete' }
  | { kind: 'document'; data: DataTypeChanges }
  | { kind: 'schema'; data: SchemaChange }

/** The data type of an owner's request. */
interface OwnedType {
  id: string
  ownerPlaceId: string | null
}

/**
 * Stores a change that the owner of a data type requested, with a data type for each other place that uses it, in the
 * transaction of the request; `work.ts` does the rest. False: no other place uses it, and the caller applies the change
 * itself. A pending change is replaced. Official data types belong to no place, so nothing has to move. Locks the row of
 * the data type first, so that of two concurrent requests the second sees the first.
 */
export async function deferChange(
  tx: Tx,
  ctx: Context,
  { id, ownerPlaceId }: OwnedType,
  request: OwnerRequest,
): Promise<boolean> {
  if (ownerPlaceId === null) return false
  await asProduct(tx)
  try {
    const places = await foreignPlaces(tx, { id, ownerPlaceId })
    const open = await openChange(tx, id)
    if (places.length === 0 && !open) return false
    const change = {
      kind: request.kind,
      data: 'data' in request ? JSON.stringify(request.data) : null,
      askedBy: ctx.actor.user?.id ?? null,
    }
    const changeId = open?.id ?? crypto.randomUUID()
    if (open)
      await tx
        .updateTable('dataTypeChange')
        .set({ ...change, dueAt: sql<Date>`now()`, attempts: 0 })
        .where('id', '=', changeId)
        .execute()
    else
      await tx
        .insertInto('dataTypeChange')
        .values({ id: changeId, dataTypeId: id, placeId: ownerPlaceId, ...change })
        .execute()
    await openMoves(tx, { changeId, typeId: id }, places)
    return true
  } finally {
    await asActor(tx, ctx)
  }
}

/** The change of a data type that waits, if any; locked. Needs the product's own identity, or the owner's. */
export async function openChange(tx: Tx, typeId: string): Promise<{ id: string; kind: string } | undefined> {
  return tx
    .selectFrom('dataTypeChange')
    .select(['id', 'kind'])
    .where('dataTypeId', '=', typeId)
    .where('status', '=', 'moving')
    .forUpdate()
    .executeTakeFirst()
}

/**
 * The ids of other places that use a data type: in sources (including deleted ones, which may be restored),
 * queries, joins of queries, and observers.
 */
export async function foreignPlaces(
  tx: Tx,
  { id, ownerPlaceId }: { id: string; ownerPlaceId: string },
): Promise<string[]> {
  const { rows } = await sql<{ placeId: string }>`
    select place_id from (
      select place_id from source where data_type_id = ${id}
      union select place_id from insight where data_type_id = ${id}
      union select place_id from insight where query ? 'joins'
        and jsonb_path_exists(query, '$.joins[*] ? (@.dataTypeId == $id)', jsonb_build_object('id', ${id}::text))
      union select place_id from observer where data_type_id = ${id}
    ) used where place_id <> ${ownerPlaceId} order by place_id`.execute(tx)
  return rows.map(({ placeId }) => placeId)
}

/**
 * Creates a copy of the data type for each other place, and queues the move of its sources. A place that already has one
 * by the same change gets no second: sources it has added since follow.
 */
export async function openMoves(
  tx: Tx,
  { changeId, typeId }: { changeId: string; typeId: string },
  places: string[],
): Promise<void> {
  for (const placeId of places) {
    const { numUpdatedRows } = await tx
      .updateTable('dataTypeMove')
      .set({ status: 'copying', dueAt: sql<Date>`now()`, finishedAt: null })
      .where('placeId', '=', placeId)
      .where('fromTypeId', '=', typeId)
      .where('changeId', '=', changeId)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) continue
    const toTypeId = withEnding(typeId, longestDataTypeId)
    // In SQL, so that the copy is identical, down to the order of the fields.
    await sql`
      insert into data_type (id, name, category, notes, schema, temporal, mapping_label_schema, owner_place_id, closed_at)
      select ${toTypeId}, name, category, notes, schema, temporal, mapping_label_schema, ${placeId}, now()
      from data_type where id = ${typeId}`.execute(tx)
    await tx
      .insertInto('dataTypeMove')
      .values({ id: crypto.randomUUID(), changeId, placeId, fromTypeId: typeId, toTypeId })
      .execute()
  }
}

import type { InsertObject, UpdateObject } from 'kysely'
import { recordActivity, type Verb } from '#functions/domain/activity/activity.ts'
import { emit } from '#functions/domain/outbox/outbox.ts'
import type { DomainEvent } from '#functions/domain/outbox/events.ts'
import { guardSample } from './guard-sample.ts'
import { insertNew, type NewNoun, type NewRow } from './new-id.ts'
import { bumpVersion, conflict, expectVersion, newRowColumns, withoutUndefined } from './versions.ts'
import type { Context } from '#functions/context.ts'
import type { Failure } from '#functions/errors.ts'
import type { Tables, Tx } from '#db/schema.ts'

interface RowIdentity {
  id: string
  placeId: string | null
}

/** What a write needs to know of the stored row. */
export interface StoredRow extends RowIdentity {
  version: number
}

/** The values of a new row, without the columns that are set for every row. */
type Values<Noun extends NewNoun> = Omit<
  InsertObject<Tables, Noun>,
  'id' | 'version' | 'createdBy' | 'createdAt' | 'updatedAt' | 'deletedAt'
>
type RowChanges<Noun extends NewNoun> = UpdateObject<Tables, Noun>

/** How a new row gets its id, and the values that depend on that id. */
type IdOptions<Late> = Partial<Pick<NewRow, 'chosenId' | 'make' | 'refusal'>> & {
  withId?: (id: string) => Promise<Late>
}

/**
 * Writes the audit log entry and the event of a write, in its transaction. `row`: as it is now, or as it was when it was
 * deleted. `before`: as it was, null for a new one, undefined where that is not known.
 */
type AnnounceWrite<Announced> = (
  tx: Tx,
  ctx: Context,
  verb: Verb,
  row: Announced & RowIdentity,
  before?: Announced | null,
) => Promise<void>

/**
 * Insert, update and soft delete for a noun whose rows have a version. Each runs in the given transaction and calls
 * `announce` with the resulting row.
 */
export function versionedRows<Noun extends NewNoun, Announced extends object>(
  noun: Noun,
  announce: AnnounceWrite<Announced>,
) {
  // The columns used here are the same in all tables of nouns.
  const table = noun as 'source'
  type Row = StoredRow & Announced
  return {
    /**
     * Inserts a row and returns its id: another than the requested one where a row that is hidden from the actor has
     * that (`insertNew`).
     */
    async insert<Late extends Partial<Values<Noun>> = Record<never, never>>(
      tx: Tx,
      ctx: Context,
      values: Omit<Values<Noun>, keyof Late> & Omit<Announced, 'id'> & { placeId: string | null },
      { withId, ...naming }: IdOptions<Late> = {},
    ): Promise<string> {
      const { placeId } = values
      const id = await insertNew(tx, ctx, { noun, placeId, chosenId: undefined, ...naming }, async (free) => {
        const row = {
          ...withoutUndefined(values),
          ...newRowColumns(ctx),
          ...(await withId?.(free)),
          id: free,
        }
        return tx
          .insertInto(table)
          .values(row as InsertObject<Tables, 'source'>)
          .onConflict((c) => c.column('id').doNothing())
          .executeTakeFirst()
      })
      await announce(tx, ctx, 'created', { ...values, id, placeId } as Announced & RowIdentity, null)
      return id
    },

    /** Updates a row; `conflict` where it has changed since it was read. Undefined values leave the column unchanged. */
    async update(
      tx: Tx,
      ctx: Context,
      row: Row,
      changes: RowChanges<Noun>,
      verb: Verb = 'updated',
    ): Promise<void> {
      await updateRow(tx, ctx, noun, row, changes)
      await announce(tx, ctx, verb, { ...row, ...withoutUndefined(changes) }, row)
    },

    /**
     * Soft delete: marks a row as deleted, even if it has changed since it was read, unless the client sent its version
     * in `If-Match`: `conflict` where that is not the stored one. `also`: more columns to write. The stored version is
     * incremented, not the one that was read, so that an update based on either of them conflicts.
     */
    async softDelete(tx: Tx, ctx: Context, row: Row, also: RowChanges<Noun> = {}): Promise<void> {
      const isOfVersion = expectVersion(ctx, undefined, row)
      const deleted = await tx
        .updateTable(table)
        .set((eb) => ({
          ...also,
          deletedAt: ctx.now(),
          updatedAt: ctx.now(),
          version: eb('version', '+', 1),
        }))
        .where('id', '=', row.id)
        .$if(isOfVersion, (query) => query.where('version', '=', row.version))
        .returning('version')
        .executeTakeFirst()
      if (isOfVersion && !deleted) throw conflict(row.version, null)
      const isAsRead = deleted?.version === row.version + 1
      await announce(tx, ctx, 'deleted', row, isAsRead ? row : undefined)
    },
  }
}

/** Tables whose rows carry a version. */
type VersionedTable = NewNoun | 'place' | 'asset' | 'assetFolder' | 'role' | 'operation' | 'errorReport'

/** The versioned tables without `updatedAt`. */
const tablesWithoutDates: ReadonlySet<VersionedTable> = new Set(['role', 'operation'])

/**
 * Updates a row and increments its version; `conflict` where it has changed since it was read. Undefined values leave
 * the column unchanged.
 */
export async function updateRow<Table extends VersionedTable>(
  tx: Tx,
  ctx: Context,
  table: Table,
  row: { id: string; version: number },
  changes: UpdateObject<Tables, Table>,
): Promise<void> {
  await guardSample(tx, table, row.id, changes)
  const { numUpdatedRows } = await tx
    .updateTable(table as 'source')
    .set({
      ...withoutUndefined(changes),
      ...(tablesWithoutDates.has(table) ? { version: row.version + 1 } : bumpVersion(ctx, row)),
    })
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .executeTakeFirstOrThrow()
  if (!numUpdatedRows) throw conflict(row.version, null)
}

/**
 * An update with optimistic locking: reads the row by `get`, compares the version that the client sent, calls `change`
 * with the row and the changes (without their version) and returns the row as `get` reads it afterwards. Undefined where
 * `get` finds none, `conflict` on another version.
 */
export async function updateKnown<Row extends { version: number }, Changes extends object>(
  ctx: Context,
  data: Changes & KnownVersion,
  get: () => Promise<Row | undefined>,
  change: (row: Row, changes: Changes) => Promise<void>,
): Promise<Row | undefined> {
  const row = await get()
  if (!row) return undefined
  expectVersion(ctx, data.version, row)
  await change(row, { ...data, version: undefined })
  return get()
}

/** The version that the client based its change on. */
export interface KnownVersion {
  version?: number | undefined
}

/** Inserts a row under an id that the client chose; throws `refusal` where the id is taken. */
export async function insertNamed<Table extends 'place' | 'role' | 'operation'>(
  tx: Tx,
  table: Table,
  values: InsertObject<Tables, Table>,
  refusal: Failure,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto(table as 'role')
    .values(values as InsertObject<Tables, 'role'>)
    .onConflict((c) => c.column('id').doNothing())
    .executeTakeFirst()
  if (!numInsertedOrUpdatedRows) throw refusal
}

/**
 * An `announce` that writes an audit log entry, and an event where one is given. `isListed`: whether visitors find a row in
 * lists. The lists stay as they are when they had a row neither before nor after the write; by default they have every row.
 */
export function announceAs<Announced>(
  noun: NewNoun,
  getName: (row: Announced) => string,
  event?: Pick<DomainEvent, 'kind'> & { isListed?: (row: Announced) => boolean },
): AnnounceWrite<Announced> {
  return async (tx, ctx, verb, row, before) => {
    const { id, placeId } = row
    await recordActivity(tx, ctx, { verb, type: noun, id, name: getName(row), placeId })
    if (!event) return
    const { kind, isListed = () => true } = event
    const listChanged = before === undefined || isListed(row) || (before !== null && isListed(before))
    await emit(tx, { kind, placeId, payload: { id, ...(!listChanged && { listChanged }) } })
  }
}

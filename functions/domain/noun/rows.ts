import type { InsertObject, UpdateObject } from 'kysely'
import { record, type Verb } from '#functions/domain/activity/activity.ts'
import { emit } from '#functions/domain/outbox/outbox.ts'
import type { DomainEvent } from '#functions/domain/outbox/events.ts'
import { insertNew, type NewNoun, type NewRow } from './newId.ts'
import { bumpVersion, conflict, fresh, withoutUndefined } from './versions.ts'
import type { Context } from '#functions/context.ts'
import type { Tables, Tx } from '#db/schema.ts'

interface Identified {
  id: string
  placeId: string | null
}

/** What of a row its writes have to know. */
export interface StoredRow extends Identified {
  version: number
}

/** A new row without what every row carries. */
type Values<Noun extends NewNoun> = Omit<
  InsertObject<Tables, Noun>,
  'id' | 'version' | 'createdBy' | 'createdAt' | 'updatedAt' | 'deletedAt'
>
type Changes<Noun extends NewNoun> = UpdateObject<Tables, Noun>

/** What is written beside a new row: the id that was asked for, and whatever depends on the id it gets. */
type Naming<Late> = Partial<Pick<NewRow, 'given' | 'make' | 'refusal'>> & {
  withId?: (id: string) => Promise<Late>
}

/** Adds what others have to know of a write, in its transaction: entries of the audit log, events. */
export type Announce<Announced> = (
  tx: Tx,
  ctx: Context,
  verb: Verb,
  row: Announced & Identified,
) => Promise<void>

/**
 * The writes of a noun's rows, which all carry a version: each in the transaction given, with what `announce` adds of it, which
 * gets the row with its changes.
 */
export function versionedRows<Noun extends NewNoun, Announced extends object>(
  noun: Noun,
  announce: Announce<Announced>,
) {
  // All tables of nouns have the columns alike that are named here.
  const table = noun as 'source'
  type Row = StoredRow & Announced
  return {
    /** Adds a row; gives its id, which is another than asked for where a stranger has that (`insertNew`). */
    async insert<Late extends Partial<Values<Noun>> = Record<never, never>>(
      tx: Tx,
      ctx: Context,
      values: Omit<Values<Noun>, keyof Late> & Omit<Announced, 'id'> & { placeId: string | null },
      { withId, ...naming }: Naming<Late> = {},
    ): Promise<string> {
      const { placeId } = values
      const id = await insertNew(tx, ctx, { noun, placeId, given: undefined, ...naming }, async (free) => {
        const row = { ...withoutUndefined(values), ...fresh(ctx), ...(await withId?.(free)), id: free }
        return tx
          .insertInto(table)
          .values(row as InsertObject<Tables, 'source'>)
          .onConflict((c) => c.column('id').doNothing())
          .executeTakeFirst()
      })
      await announce(tx, ctx, 'created', { ...values, id, placeId } as Announced & Identified)
      return id
    },

    /** Changes a row that is still as it was read; else `conflict`. What is undefined stays. */
    async update(
      tx: Tx,
      ctx: Context,
      row: Row,
      changes: Changes<Noun>,
      verb: Verb = 'updated',
    ): Promise<void> {
      await updateRow(tx, ctx, noun, row, changes)
      await announce(tx, ctx, verb, { ...row, ...withoutUndefined(changes) })
    },

    /** Marks a row as deleted, whatever became of it since it was read: no list shows it any more. `also` goes with it. */
    async softDelete(tx: Tx, ctx: Context, row: Row, also: Changes<Noun> = {}): Promise<void> {
      await tx
        .updateTable(table)
        .set({ ...also, deletedAt: ctx.now(), ...bumpVersion(ctx, row) })
        .where('id', '=', row.id)
        .execute()
      await announce(tx, ctx, 'deleted', row)
    },
  }
}

/** Tables whose rows carry a version and the time of their last change. */
type VersionedTable = NewNoun | 'place' | 'asset' | 'assetFolder'

/** Changes a row that is still as it was read, and raises its version; else `conflict`. What is undefined stays. */
export async function updateRow<Table extends VersionedTable>(
  tx: Tx,
  ctx: Context,
  table: Table,
  row: { id: string; version: number },
  changes: UpdateObject<Tables, Table>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable(table as 'source')
    .set({ ...withoutUndefined(changes), ...bumpVersion(ctx, row) })
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .executeTakeFirstOrThrow()
  if (!numUpdatedRows) throw conflict(row.version, null)
}

/** An entry of the audit log for each write, and an event where others depend on the rows. */
export function announceAs<Announced>(
  noun: NewNoun,
  nameOf: (row: Announced) => string,
  event?: Pick<DomainEvent, 'kind'> & { payload?: DomainEvent['payload'] },
): Announce<Announced> {
  return async (tx, ctx, verb, row) => {
    const { id, placeId } = row
    await record(tx, ctx, { verb, type: noun, id, name: nameOf(row), placeId })
    if (event) await emit(tx, { kind: event.kind, placeId, payload: { id, ...event.payload } })
  }
}

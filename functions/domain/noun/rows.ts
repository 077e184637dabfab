import type { InsertObject, UpdateObject } from 'kysely'
import { record, type Verb } from '#functions/domain/activity/activity.ts'
import { emit } from '#functions/domain/outbox/outbox.ts'
import type { DomainEvent } from '#functions/domain/outbox/events.ts'
import { insertNew, type NewNoun, type NewRow } from './newId.ts'
import { bumpVersion, conflict, expectVersion, fresh, withoutUndefined } from './versions.ts'
import type { Context } from '#functions/context.ts'
import type { Failure } from '#functions/errors.ts'
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
type RowChanges<Noun extends NewNoun> = UpdateObject<Tables, Noun>

/** What is written beside a new row: the id that was asked for, and whatever depends on the id it gets. */
type Naming<Late> = Partial<Pick<NewRow, 'given' | 'make' | 'refusal'>> & {
  withId?: (id: string) => Promise<Late>
}

/** Adds what others have to know of a write, in its transaction: entries of the audit log, events. */
type Announce<Announced> = (tx: Tx, ctx: Context, verb: Verb, row: Announced & Identified) => Promise<void>

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
      changes: RowChanges<Noun>,
      verb: Verb = 'updated',
    ): Promise<void> {
      await updateRow(tx, ctx, noun, row, changes)
      await announce(tx, ctx, verb, { ...row, ...withoutUndefined(changes) })
    },

    /**
     * Marks a row as deleted, whatever became of it since it was read: no list shows it any more. `also` is written with it. The
     * version rises above the row's own, so that no change of what was read before goes through.
     */
    async softDelete(tx: Tx, ctx: Context, row: Row, also: RowChanges<Noun> = {}): Promise<void> {
      await tx
        .updateTable(table)
        .set((eb) => ({
          ...also,
          deletedAt: ctx.now(),
          updatedAt: ctx.now(),
          version: eb('version', '+', 1),
        }))
        .where('id', '=', row.id)
        .execute()
      await announce(tx, ctx, 'deleted', row)
    },
  }
}

/** Tables whose rows carry a version. */
type VersionedTable = NewNoun | 'place' | 'asset' | 'assetFolder' | 'role' | 'operation'

/** Of them those that do not say when they were changed last. */
const undated: ReadonlySet<VersionedTable> = new Set(['role', 'operation'])

/** Changes a row that is still as it was read, and counts its version up; else `conflict`. What is undefined stays. */
export async function updateRow<Table extends VersionedTable>(
  tx: Tx,
  ctx: Context,
  table: Table,
  row: { id: string; version: number },
  changes: UpdateObject<Tables, Table>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable(table as 'source')
    .set({
      ...withoutUndefined(changes),
      ...(undated.has(table) ? { version: row.version + 1 } : bumpVersion(ctx, row)),
    })
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .executeTakeFirstOrThrow()
  if (!numUpdatedRows) throw conflict(row.version, null)
}

/**
 * Changes a row as its sender knew it, and gives it as it is then; undefined where the actor sees none, `conflict` where the
 * sender knew another version. `get` reads the row, before and after; `change` is given it, and the changes: of their
 * version nothing is written.
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

/** The version that the sender of a change knew. */
export interface KnownVersion {
  version?: number | undefined
}

/** Adds a row whose id its sender has chosen; throws `refusal` where the id is taken. */
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

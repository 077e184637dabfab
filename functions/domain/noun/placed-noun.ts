import type { SelectQueryBuilder } from 'kysely'
import { write } from '#functions/domain/outbox/outbox.ts'
import { withIncludes } from './includes.ts'
import { listRows, type Listing } from './paging.ts'
import { param, type NounRequest } from './requests.ts'
import { restoreRow, whereDeleted } from './restore.ts'
import { updateKnown, type KnownVersion, type StoredRow } from './rows.ts'
import { whereListVisible, whereOneVisible, type PlacedNoun } from './visible.ts'
import type { Context } from '#functions/context.ts'
import type { OneOptions, RestorableOptions } from '#functions/shapes/options.ts'
import type { Tx } from '#db/schema.ts'

/** A request for one row: the id in the path and the place that permission was checked for. */
export type OneRequest = Pick<NounRequest, 'params' | 'placeId'>

interface PlacedRow extends StoredRow {
  placeId: string
}

interface Slots<Noun extends PlacedNoun, Tables, Table extends keyof Tables, Row extends PlacedRow, Changes> {
  noun: Noun
  /** A select of the shown columns, for any place and visibility. */
  select(ctx: Context): SelectQueryBuilder<Tables, Table, Row>
  listing: Omit<Listing, 'table' | 'visibility'>
  /** How its rows are written: `versionedRows`. */
  rows: {
    update(tx: Tx, ctx: Context, row: NoInfer<Row>, changes: Changes): Promise<void>
    softDelete(tx: Tx, ctx: Context, row: NoInfer<Row>): Promise<void>
  }
  /** Reads one row that the actor may see, where that takes more than the select. */
  get?(ctx: Context, request: OneRequest): Promise<Row | undefined>
}

/**
 * List, read, update, delete and restore for a noun with a place and a visibility. A row that the actor may not see gives
 * `undefined`, as a missing one does.
 */
export function createPlacedNoun<
  Noun extends PlacedNoun,
  Tables,
  Table extends keyof Tables,
  Row extends PlacedRow,
  Changes extends object,
>({ noun, select, listing, rows, get: getBy }: Slots<Noun, Tables, Table, Row, Changes>) {
  const get = (ctx: Context, request: OneRequest): Promise<Row | undefined> =>
    getBy
      ? getBy(ctx, request)
      : (select(ctx)
          .where(whereOneVisible(ctx, noun, param(request, `${noun}Id`), request.placeId))
          .executeTakeFirst() as Promise<Row | undefined>)

  return {
    /** One row without related rows. */
    get,

    /**
     * The rows of a place, or of all places; with `deleted` those of the place that the actor could restore.
     */
    async find(ctx: Context, nounRequest: NounRequest<RestorableOptions>) {
      const { includes, deleted, maxVisibility, ...request } = nounRequest.options
      const { placeId } = nounRequest.params
      const which = deleted
        ? await whereDeleted(ctx, noun, placeId)
        : whereListVisible(ctx, noun, placeId ?? null, maxVisibility)
      const page = await listRows(
        ctx,
        select(ctx).where(which),
        { ...listing, table: noun, visibility: `${noun}.visibility` },
        request,
      )
      const scope = { placeId: placeId ?? null, maxVisibility }
      return { ...page, results: await withIncludes(ctx, noun, page.results, includes, scope) }
    },

    /** One row with the requested related rows. */
    async findById(ctx: Context, request: NounRequest<OneOptions>) {
      const row = await get(ctx, request)
      if (!row) return undefined
      const scope = { placeId: request.params.placeId ?? null }
      const [result] = await withIncludes(ctx, noun, [row], request.options.includes, scope)
      return result
    },

    /** Updates a row; `conflict` where the client knew another version. */
    updateById(
      ctx: Context,
      request: NounRequest<unknown, Changes & KnownVersion>,
    ): Promise<Row | undefined> {
      return updateKnown(
        ctx,
        request.data,
        () => get(ctx, request),
        (row, changes) => write(ctx, (tx) => rows.update(tx, ctx, row, changes)),
      )
    },

    /** Marks a row as deleted; it can be restored for 30 days. Returns its id. */
    async deleteById(ctx: Context, request: NounRequest) {
      const row = await get(ctx, request)
      if (!row) return undefined
      await write(ctx, (tx) => rows.softDelete(tx, ctx, row))
      return { id: row.id }
    },

    /** Restores a row deleted up to 30 days ago; undefined when there is none. */
    async restore(ctx: Context, request: NounRequest) {
      return (await restoreRow(ctx, noun, request)) ? get(ctx, request) : undefined
    },
  }
}

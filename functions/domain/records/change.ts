import { sql } from 'kysely'
import { ChangedType, makeTable } from '#db/dataTable.ts'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { record, type Verb } from '../activity.ts'
import { tell } from '../outbox.ts'
import { columnsOf } from './columns.ts'
import type { Prepared } from './prepare.ts'
import { applyPyramid, PyramidChange } from './pyramid.ts'
import { settle } from './settle.ts'
import { Tally, type Stat } from './tally.ts'
import type { Before, Target } from './write.ts'

/** A source as its records' writer needs it. */
export interface Subject {
  sourceId: string
  placeId: string
  schema: FieldSchema
  table: string
}

/** One committed write of a source's records, while it is being made. */
export class Change {
  readonly tx: Tx
  readonly target: Target
  readonly tally: Tally
  readonly pyramid = new PyramidChange()
  /** For the trail. A record that was replaced has come and gone. */
  private arrived = 0
  private left = 0
  private replaced = 0
  hasChanged = false

  constructor(tx: Tx, target: Target, tally: Tally) {
    this.tx = tx
    this.target = target
    this.tally = tally
  }

  came(row: Prepared): void {
    this.hasChanged = true
    this.arrived += 1
    this.tally.add(row)
    this.pyramid.count(row.key, 1)
  }

  went(before: Before): void {
    this.hasChanged = true
    this.left += 1
    this.tally.remove(before)
    this.pyramid.count(before.key, -1)
  }

  /** A record took the place of what stood there. */
  turned(before: Before, row: Prepared): void {
    this.went(before)
    this.came(row)
    this.replaced += 1
  }

  /** How many records the write made, changed and removed. */
  counts() {
    const { arrived, left, replaced } = this
    return { created: arrived - replaced, updated: replaced, removed: left - replaced }
  }

  /** Everything went, `count` records: what is kept starts anew. */
  async emptied(count: number): Promise<void> {
    const { tx, target, tally } = this
    this.hasChanged = true
    this.left += count
    tally.clear()
    await tx.deleteFrom('clusterPyramid').where('sourceId', '=', target.sourceId).execute()
  }
}

/** The source and its table, made or widened when needed. Undefined: no such source that the actor may see. */
export async function subjectOf(ctx: Context, sourceId: string): Promise<Subject | undefined> {
  const found = await typeOf(ctx, sourceId)
  if (!found) return undefined
  const { placeId, schema } = found
  try {
    return { sourceId, placeId, schema, table: await makeTable(ctx.db, found) }
  } catch (error) {
    if (error instanceof ChangedType) throw new Failure('conflict', { say: error.message, cause: error })
    throw error
  }
}

/** The place of a source and its data type; undefined: no such source that the actor may see. */
export async function typeOf(ctx: Context, sourceId: string) {
  const source = await ctx.db
    .selectFrom('source')
    .innerJoin('dataType', 'dataType.id', 'source.dataTypeId')
    .select(['source.placeId', 'dataType.id', 'dataType.schema', 'dataType.temporal', 'dataType.tableName'])
    .where('source.id', '=', sourceId)
    .where('source.deletedAt', 'is', null)
    .executeTakeFirst()
  return source && { ...source, schema: source.schema as unknown as FieldSchema }
}

/**
 * Runs a write of a source's records and, in the same transaction, brings what is kept about them up to date: counts,
 * extent, field stats, cluster counts, the data version and a message to whoever waits for news. A write that changes
 * nothing leaves the version as it is. Only one runs at a time for a source. The trail gets one line for the whole
 * write, with `verb` and the counts. Gives the version that holds now.
 */
export async function change(
  ctx: Context,
  subject: Subject,
  work: (change: Change) => Promise<void>,
  verb: Verb = 'updated',
): Promise<number> {
  const { sourceId, placeId, schema, table } = subject
  const { version, hasChanged } = await ctx.transaction(async (tx) => {
    const source = await tx
      .selectFrom('source')
      .select(['dataVersion', 'name'])
      .where('id', '=', sourceId)
      .where('deletedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!source) throw new Failure('notFound')
    const next = source.dataVersion + 1
    const target = {
      table,
      columns: columnsOf(schema),
      sourceId,
      placeId,
      version: next,
      hasHistory: next > 1,
    }
    const made = new Change(tx, target, new Tally(schema, await statOf(tx, sourceId)))
    await work(made)
    if (!made.hasChanged) return { version: source.dataVersion, hasChanged: false }
    await settle(tx, target, made.tally)
    await keepStat(tx, subject, made.tally.stat())
    await applyPyramid(tx, subject, made.pyramid)
    await tx
      .updateTable('source')
      .set({ dataVersion: next, dataUpdatedAt: sql<Date>`now()` })
      .where('id', '=', sourceId)
      .execute()
    const { name } = source
    await record(tx, ctx, { verb, type: 'source', id: sourceId, name, placeId, counts: made.counts() })
    await tell(tx, { kind: 'data', placeId, payload: { sourceId, version: next } })
    return { version: next, hasChanged: true }
  })
  if (hasChanged) ctx.wake()
  return version
}

async function statOf(tx: Tx, sourceId: string): Promise<Stat | null> {
  const row = await tx
    .selectFrom('sourceStat')
    .select(['count', 'extent', 'fields'])
    .where('sourceId', '=', sourceId)
    .executeTakeFirst()
  return row ? (row as unknown as Stat) : null
}

/** Stores what is kept of a source's records, in place of what was. */
export async function keepStat(
  tx: Tx,
  { sourceId, placeId }: Pick<Subject, 'sourceId' | 'placeId'>,
  { count, extent, fields }: Stat,
) {
  const kept = {
    count,
    extent: extent && JSON.stringify(extent),
    fields: JSON.stringify(fields),
    updatedAt: sql<Date>`now()`,
  }
  await tx
    .insertInto('sourceStat')
    .values({ sourceId, placeId, ...kept })
    .onConflict((conflict) => conflict.column('sourceId').doUpdateSet(kept))
    .execute()
}

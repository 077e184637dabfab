import { sql } from 'kysely'
import { ChangedType, makeTable } from '#db/dataTable.ts'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Conversions } from '#functions/engine/import/map/conversions.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { record, type Verb } from '#functions/domain/activity/activity.ts'
import { emit } from '#functions/domain/outbox/outbox.ts'
import { allowStatements } from '#functions/domain/noun/statement-timeout.ts'
import { columnsOf } from './columns.ts'
import { candidates, keptFacets, turnFacets } from './facets.ts'
import { applyPyramid, clearPyramid, PyramidChange } from './pyramid.ts'
import { countCells } from './pyramidCount.ts'
import { keepReadAsEmpty } from './profile/readAsEmpty.ts'
import { settle } from './settle.ts'
import { Tally, type CountedRecord, type Stat } from './tally.ts'
import { noteVersion } from './version.ts'
import { isEmpty, type Before, type WriteTarget } from './write.ts'

/** A source as its records' writer needs it. */
export interface RecordSubject {
  sourceId: string
  placeId: string
  schema: FieldSchema
  table: string
  /** The data type that has this schema, and its version. */
  typeId: string
  typeVersion: number
}

/** With fewer rows it is not worth asking whether the source is empty. */
const manyRows = 500

/** One committed write of a source's records, while it is being made. */
export class Change {
  readonly tx: Tx
  readonly target: WriteTarget
  readonly tally: Tally
  readonly pyramid: PyramidChange
  /** The facets that the source could have. */
  private readonly facets: string[]
  /** Whether there was nothing before, so that what came is all there is. */
  isWhole: boolean
  /** For the trail. A record that was replaced has come and gone. */
  private arrived = 0
  private left = 0
  private replaced = 0
  private foundEmpty: boolean | null = null
  hasChanged = false
  /** Whether all it did was to add records that had never been there: their ids are larger than all before. */
  onlyAdds = true
  /** What an import read as no value; null: what is known of the one before does not hold any more. Undefined: it still does. */
  readAsEmpty: Conversions['emptied'] | null | undefined = undefined
  /** Of an import: how many rows it refused. */
  refused: number | null = null

  /** `keptFacets`: those of the map that are counted whole so far. */
  constructor(tx: Tx, target: WriteTarget, tally: Tally, schema: FieldSchema, keptFacets: string[]) {
    this.tx = tx
    this.target = target
    this.tally = tally
    this.facets = candidates(schema)
    this.isWhole = tally.count === 0
    this.pyramid = new PyramidChange(this.isWhole ? this.facets : keptFacets)
  }

  /**
   * Whether the source has had no record before this write: all that comes is new. Asked of the table once, before the
   * first rows, and not for a few of them; `rows`: how many there are, at least.
   */
  async isFirst(rows: number): Promise<boolean> {
    if (!this.isWhole || this.target.hasHistory) return false
    if (this.foundEmpty === null && rows < manyRows) return false
    return (this.foundEmpty ??= this.arrived === 0 && (await isEmpty(this.tx, this.target)))
  }

  came(row: CountedRecord): void {
    this.hasChanged = true
    this.arrived += 1
    this.tally.add(row)
    this.pyramid.count(row.key, 1, row.data)
  }

  /** A record that was there before an earlier version is there again, with its id. */
  cameBack(row: CountedRecord): void {
    this.onlyAdds = false
    this.came(row)
  }

  went(before: Before): void {
    this.hasChanged = true
    this.onlyAdds = false
    this.left += 1
    this.tally.remove(before)
    this.pyramid.count(before.key, -1, before.data)
  }

  /** A record took the place of what stood there. */
  turned(before: Before, row: CountedRecord): void {
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
    const { tx, target, tally, pyramid, facets } = this
    this.hasChanged = true
    this.onlyAdds = false
    this.left += count
    tally.clear()
    pyramid.restart(facets)
    this.isWhole = true
    await clearPyramid(tx, target.sourceId)
  }
}

/** The source and its table, made or widened when needed. Undefined: no such source that the actor may see. */
export async function subjectOf(ctx: Context, sourceId: string): Promise<RecordSubject | undefined> {
  const row = await typeOf(ctx, sourceId)
  if (!row) return undefined
  const { id: typeId, placeId, schema, typeVersion } = row
  try {
    return { sourceId, placeId, schema, typeId, typeVersion, table: await makeTable(ctx.db, row) }
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
    .select('dataType.version as typeVersion')
    .where('source.id', '=', sourceId)
    .where('source.deletedAt', 'is', null)
    .executeTakeFirst()
  return source
}

/**
 * Runs a write of a source's records and, in the same transaction, brings what is kept about them up to date: counts,
 * extent, field stats, cluster counts, the data version and a message to whoever waits for news. A write that changes
 * nothing leaves the version as it is. Only one runs at a time for a source. The trail gets one line for the whole
 * write, with `verb` and the counts. Gives the version that holds now.
 */
export async function change(
  ctx: Context,
  subject: RecordSubject,
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
    const tally = new Tally(schema, await statOf(tx, subject))
    const kept = await keptFacets(tx, sourceId)
    const made = new Change(tx, target, tally, schema, kept)
    await work(made)
    if (!made.hasChanged) return { version: source.dataVersion, hasChanged: false }
    await settle(tx, target, made.tally)
    await keepStat(tx, subject, made.tally.stat())
    if (!made.onlyAdds) await noteChanged(tx, sourceId, next)
    if (made.tally.count === 0) made.readAsEmpty ??= null
    if (made.readAsEmpty !== undefined) await keepReadAsEmpty(tx, sourceId, made.readAsEmpty ?? {})
    const { pyramid, isWhole } = made
    if (pyramid.isLost) await countAnew(tx, target)
    const facets = await turnFacets(tx, target, schema, { tally, change: pyramid, kept, isWhole })
    await applyPyramid(tx, subject, pyramid, facets)
    await tx
      .updateTable('source')
      .set({ dataVersion: next, dataUpdatedAt: sql<Date>`now()` })
      .where('id', '=', sourceId)
      .execute()
    const { name } = source
    await noteVersion(tx, { sourceId, placeId, version: next }, made.counts(), { refused: made.refused })
    await record(tx, ctx, { verb, type: 'source', id: sourceId, name, placeId, counts: made.counts() })
    await emit(tx, { kind: 'data', placeId, payload: { sourceId, version: next } })
    return { version: next, hasChanged: true }
  })
  if (hasChanged) ctx.wake()
  return version
}

/** A count of the map cells of so many records takes seconds for each million of them. */
const countTimeout = '15min'

async function countAnew(tx: Tx, target: WriteTarget): Promise<void> {
  await allowStatements(tx, countTimeout)
  await clearPyramid(tx, target.sourceId)
  await countCells(tx, target)
}

/**
 * What is kept of a locked source's records; null when nothing is. Failure `conflict` when its data type has changed
 * since the subject was read: the columns may be others, and a change of them has waited for no one who held no lock.
 */
async function statOf(tx: Tx, { sourceId, typeId, typeVersion }: RecordSubject): Promise<Stat | null> {
  const row = await tx
    .selectFrom('source')
    .innerJoin('dataType', 'dataType.id', 'source.dataTypeId')
    .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select(['dataType.id as typeId', 'dataType.version', 'count', 'extent', 'reach', 'fields'])
    .where('source.id', '=', sourceId)
    .executeTakeFirstOrThrow()
  requireSameType(row.typeId, typeId)
  requireSame(row.version, typeVersion)
  const { count, extent, reach, fields } = row
  return count === null || fields === null ? null : { count, extent, reach, fields }
}

/** Refuses to go on with the schema of an older version of a data type. */
export function requireSame(version: number, known: number): void {
  if (version === known) return
  throw new Failure('conflict', { say: 'The fields of the data type have changed in the meantime.' })
}

/** Refuses to write where a source's records are no more: it has moved to another data type since. */
export function requireSameType(id: string, known: string): void {
  if (id === known) return
  throw new Failure('unavailable', {
    say: 'The source has just moved to another data type. Nothing was written: send it again.',
  })
}

/** Notes that a version did not only add records: what is known of those before has to be found out anew. */
export async function noteChanged(tx: Tx, sourceId: string, version: number): Promise<void> {
  await tx
    .updateTable('sourceStat')
    .set({ changedVersion: version })
    .where('sourceId', '=', sourceId)
    .execute()
}

/** Stores what is kept of a source's records, in place of what was. */
export async function keepStat(
  tx: Tx,
  { sourceId, placeId }: Pick<RecordSubject, 'sourceId' | 'placeId'>,
  { count, extent, reach, fields }: Stat,
) {
  const kept = {
    count,
    extent: extent && JSON.stringify(extent),
    reach: reach && JSON.stringify(reach),
    fields: JSON.stringify(fields),
    updatedAt: sql<Date>`now()`,
  }
  await tx
    .insertInto('sourceStat')
    .values({ sourceId, placeId, ...kept })
    .onConflict((conflict) => conflict.column('sourceId').doUpdateSet(kept))
    .execute()
}

import type { Context } from '#functions/context.ts'
import {
  mergeConversions,
  countConversion,
  createEmptyConversions,
  type Conversions,
} from '#functions/engine/import/map/conversions.ts'
import { complete, mapper, type MapRow } from '#functions/engine/import/map/index.ts'
import { showValue, type NoPlace } from '#functions/engine/import/map/reading.ts'
import { readGazetteer } from '#functions/engine/gazetteer/read.ts'
import { createAreaSets } from '../area-sets.ts'
import { mergeMedia, findMedia, type MediaAddress } from './check-media.ts'
import { mergeNoPlaceCounts, countNoPlaces, type NoPlaceCounts } from './no-places.ts'
import type { Batch, Place, Reject, SourceRow } from '#functions/engine/import/row.ts'
import type { RecordSubject } from '#functions/domain/records/change.ts'
import { buildColumns, type Column } from '#functions/domain/records/columns.ts'
import { findOwnId } from '#functions/domain/records/identity.ts'
import { rowsChecker, type RejectedRow } from '#functions/domain/records/prepare.ts'
import { invalidShapes } from '#functions/domain/records/validity.ts'
import { columnsOfMapping, unseenIn } from './missing-columns.ts'
import type { Run } from './run.ts'
import { idsText, stagedBoth, stagedBytes, stagedText, type StagingBatch } from './staging.ts'

/** How rows of a source become records. */
export interface Checker {
  subject: RecordSubject
  columns: Column[]
  map: MapRow
  /** Validates records made by `map` beyond the types of their fields. */
  check: ReturnType<typeof rowsChecker>
  /** The columns that are mapped to fields. */
  sought: string[]
  /** The id of a rejected row; null where ids are not needed. */
  findRecordId: ((row: SourceRow) => string | null) | null
  /** The versions of the boundary sets that the mapping finds areas of; null: none. */
  setsVersion: string | null
}

export async function createChecker({ ctx, plan, job }: Run, subject: RecordSubject): Promise<Checker> {
  const { schema } = subject
  const timeZone = await readTimeZone(ctx, job.placeId)
  const sets = createAreaSets(ctx, job.placeId)
  const options = {
    ...{ timeZone, columns: plan.columns ?? {} },
    ...{ gazetteer: () => readGazetteer(ctx.tiles), areas: sets.read },
  }
  const map = await mapper(plan.mapping, schema, options)
  const { id } = complete(plan.mapping, schema)
  const idField = schema.id
  let findRecordId: Checker['findRecordId'] = null
  if (plan.mode === 'replace' && id !== undefined && idField) {
    const only = { id: idField }
    const mapId = await mapper({ id }, only, options)
    findRecordId = (row) => {
      const mapping = mapId(row)
      return mapping && 'value' in mapping ? findOwnId(mapping.value, only) : null
    }
  }
  const sought = columnsOfMapping(plan.mapping, schema)
  const check = rowsChecker(schema, true)
  return {
    subject,
    columns: buildColumns(schema),
    map,
    check,
    sought,
    findRecordId,
    setsVersion: sets.version(),
  }
}

async function readTimeZone(ctx: Context, placeId: string): Promise<string> {
  const { timeZone } = await ctx.db
    .selectFrom('place')
    .select('timeZone')
    .where('id', '=', placeId)
    .executeTakeFirstOrThrow()
  return timeZone
}

/** The checked rows of one batch or of several; `rows`: their approximate number. */
export interface BatchReport extends Pick<Batch, 'notices' | 'cursor' | 'rejects'> {
  rows: number
  staged: StagingBatch
  /** In the texts of the staged rows. */
  characters: number
  skipped: number
  accepted: number
  conversions: Conversions
  noPlaces: NoPlaceCounts
  /** URLs whose extension does not reveal their type. */
  media: MediaAddress[]
  /** Columns that no row had so far. */
  unseen: string[]
}

/**
 * Yields checked rows, in portions that are stored together. They are checked in the smaller batches of the parser: of
 * waiting rows only texts remain, which keeps memory and garbage collection small.
 */
export async function* checkedRows(
  run: Run,
  batches: AsyncIterable<Batch> | undefined,
  checker: Checker,
): AsyncGenerator<BatchReport> {
  let batchSum: BatchReport | null = null
  let unseen = run.cursor.unseen ?? checker.sought
  for await (const batch of batches ?? []) {
    unseen = unseenIn(unseen, batch.rows)
    const result = { ...(await checkBatch(run, batch, checker)), unseen }
    batchSum = batchSum ? mergeReports(batchSum, result) : result
    if (batchSum.rows < run.work.batchRows && batchSum.characters < stagedBytes) continue
    yield batchSum
    batchSum = null
  }
  if (batchSum) yield batchSum
}

async function checkBatch(run: Run, batch: Batch, checker: Checker): Promise<Omit<BatchReport, 'unseen'>> {
  const { ctx, lease } = run
  const { subject, columns, map, check, findRecordId } = checker
  lease.beat()
  const { base } = run.cursor
  const toSequenceNumber = (at: Place) => base + at.row
  const rejects: Reject[] = [...batch.rejects]
  const seqs: number[] = []
  const ids: string[] = []
  const externalIds: string[] = []
  let first = Infinity
  // Two lists in the same order: valid rows, and their records.
  const good: SourceRow[] = []
  const mappedRows: Record<string, unknown>[] = []
  const keepsRecord = (row: SourceRow, externalId: string | null | undefined) => {
    if (!externalId) return
    first = Math.min(first, toSequenceNumber(row.at))
    externalIds.push(externalId)
  }
  let skipped = 0
  // By the index of the row among the valid ones: reported only for rows that are imported.
  const noPlaces: NoPlaceAt[] = []
  const conversions = createEmptyConversions()
  for (const row of batch.rows) {
    const mapping = map(
      row,
      (field, from, to) => countConversion(conversions, field, { from, to, row: toSequenceNumber(row.at) }),
      (field, why) => noPlaces.push({ index: good.length, field, why }),
    )
    if (mapping === null) skipped += 1
    else if ('value' in mapping) {
      good.push(row)
      mappedRows.push(mapping.value)
    } else {
      rejects.push(...mapping.rejects)
      keepsRecord(row, findRecordId?.(row))
    }
  }
  const result = await check(mappedRows)
  const badShapes = await invalidShapes(ctx.db, columns, result.rows)
  for (const refusal of [...result.rejected, ...badShapes]) {
    const row = good[refusal.index]
    if (!row) continue
    rejects.push(...toRejects(refusal, row.at))
    if (findRecordId) keepsRecord(row, findOwnId(mappedRows[refusal.index], subject.schema))
  }
  const badIndexes = new Set(badShapes.map(({ index }) => index))
  const texts: string[] = []
  for (const { index, externalId, data } of result.rows) {
    const row = good[index]
    if (!row || badIndexes.has(index)) continue
    const seq = toSequenceNumber(row.at)
    seqs.push(seq)
    ids.push(externalId)
    texts.push(stagedText(seq, externalId, data))
  }
  const acceptedNoPlaces = dropRejectedRows(noPlaces, [...result.rejected, ...badShapes])
  rejects.push(...toNoPlaceRejects(acceptedNoPlaces, good))
  const text = texts.join(',')
  const staged: StagingBatch = {
    first: Math.min(first, seqs[0] ?? Infinity),
    ...{ seqs, ids: idsText(ids), texts: text ? [text] : [], externalIds: idsText(externalIds) },
  }
  const { notices, cursor } = batch
  const rows = batch.rows.length + batch.rejects.length
  return {
    notices,
    cursor,
    rows,
    rejects: copyRejects(rejects),
    staged,
    characters: text.length,
    skipped,
    accepted: good.length - result.rejected.length - badShapes.length,
    conversions,
    noPlaces: countNoPlaces(acceptedNoPlaces.map(({ why }) => why)),
    media: findMedia(subject.schema, result.rows),
  }
}

/** A place name without a unique point, in the valid row at an index. */
interface NoPlaceAt {
  index: number
  field: string
  why: NoPlace
}

/** Only those of rows that are not rejected for another reason. */
function dropRejectedRows(noPlaces: NoPlaceAt[], refusals: readonly { index: number }[]): NoPlaceAt[] {
  const indexes = new Set(refusals.map(({ index }) => index))
  return noPlaces.filter(({ index }) => !indexes.has(index))
}

/** Issues of rows that are imported without a point. */
const toNoPlaceRejects = (noPlaces: NoPlaceAt[], good: SourceRow[]): Reject[] =>
  noPlaces.flatMap(({ index, field, why }) => {
    const at = good[index]?.at
    return at ? [{ at, field, message: why.message, value: showValue(why.value), isTaken: true }] : []
  })

/** Copies the issues: a substring of a page would keep the whole page in memory. */
const copyRejects = (rejects: Reject[]): Reject[] =>
  rejects.length ? (JSON.parse(JSON.stringify(rejects)) as Reject[]) : rejects

function mergeReports(a: BatchReport, b: BatchReport): BatchReport {
  return {
    notices: [...a.notices, ...b.notices],
    cursor: b.cursor,
    rows: a.rows + b.rows,
    rejects: [...a.rejects, ...b.rejects],
    staged: stagedBoth(a.staged, b.staged),
    characters: a.characters + b.characters,
    skipped: a.skipped + b.skipped,
    accepted: a.accepted + b.accepted,
    conversions: mergeConversions(a.conversions, b.conversions),
    noPlaces: mergeNoPlaceCounts(a.noPlaces, b.noPlaces),
    media: mergeMedia(a.media, b.media),
    unseen: b.unseen,
  }
}

/** The issues of a row in the form of importers. */
export const toRejects = ({ issues }: RejectedRow, at: Place): Reject[] =>
  issues.map(({ path, message, value }) => ({
    at,
    field: path.length ? path.join('.') : null,
    message,
    ...(value !== undefined && { value: showValue(value) }),
  }))

import { emit, emitFilesStale } from '#functions/domain/outbox/outbox.ts'
import type { OpenEvent } from '#functions/domain/outbox/outbox-reader.ts'
import { publishVersion } from '#functions/domain/source/publish-version.ts'
import { writeColumnFile } from './column-file.ts'
import { exportRows } from './export.ts'
import type { Context } from '#functions/context.ts'
import {
  columnFileKey,
  fileKey,
  manifestKey,
  preparedFormats,
  getKeyPrefix,
  readManifest,
  stateIn,
  stateName,
  type Manifest,
  type PreparedFormat,
} from '#functions/engine/export/prepared/manifest.ts'
import { storeStream } from '#functions/engine/export/prepared/store.ts'
import { isGeometryType } from '#functions/shapes/field.ts'

/** Most records of a source whose files are prepared; those of larger ones are generated on request. */
const maxRows = 2_000_000
/**
 * These formats are prepared up to `maxBulkyRows` only: they hold the same data as others at several times
 * the size.
 */
const bulky: readonly PreparedFormat[] = ['xlsx', 'json']
const maxBulkyRows = 200_000
/**
 * How many states of a source keep their files: the current one, and the one before for downloads in
 * progress.
 */
const keptStates = 2

type ReadEvent = Pick<OpenEvent, 'kind' | 'payload'>

/** Events read per batch, and most sources of a place per message. */
const eventsAtOnce = 500
const sourcesAtOnce = 10

/**
 * Sends messages that request the files of sources changed since the last call, separate for each place, so
 * that one place does not delay another. Events are marked after sending; sending twice does no harm because
 * existing files are not made again. Must run as the system actor.
 */
export async function queueStaleExports(
  ctx: Context,
  send: (sourceIds: string[]) => Promise<unknown>,
): Promise<void> {
  for (let isMore = true; isMore;) {
    const events = await ctx.db
      .selectFrom('outbox')
      .select(['id', 'kind', 'payload'])
      .where('preparedAt', 'is', null)
      .where('kind', 'in', ['data', 'source', 'dataType'])
      .orderBy('id')
      .limit(eventsAtOnce)
      .execute()
    if (events.length === 0) return
    for (const sources of await groupByPlace(ctx, await staleSources(ctx, events)))
      for (let i = 0; i < sources.length; i += sourcesAtOnce) await send(sources.slice(i, i + sourcesAtOnce))
    await ctx.db
      .updateTable('outbox')
      .set({ preparedAt: ctx.now() })
      .where(
        'id',
        'in',
        events.map(({ id }) => id),
      )
      .execute()
    isMore = events.length === eventsAtOnce
  }
}

/** Groups sources by place; sources that no longer exist form a group of their own. */
async function groupByPlace(ctx: Context, ids: string[]): Promise<string[][]> {
  if (ids.length === 0) return []
  const rows = await ctx.db.selectFrom('source').select(['id', 'placeId']).where('id', 'in', ids).execute()
  const placeBySource = new Map(rows.map(({ id, placeId }) => [id, placeId]))
  const places = new Map<string, string[]>()
  for (const id of ids) {
    const place = placeBySource.get(id) ?? ''
    places.set(place, [...(places.get(place) ?? []), id])
  }
  return [...places.values()]
}

/**
 * Ids of the sources whose files these events may have made stale: events of records, of the source itself,
 * of its data type.
 */
export async function staleSources(ctx: Context, events: ReadEvent[]): Promise<string[]> {
  const pickEventIds = (kind: string, key: string) =>
    events.flatMap(({ kind: is, payload }) =>
      is === kind && typeof payload[key] === 'string' ? [payload[key]] : [],
    )
  const ids = new Set([...pickEventIds('data', 'sourceId'), ...pickEventIds('source', 'id')])
  const dataTypes = pickEventIds('dataType', 'id')
  if (dataTypes.length > 0) {
    const rows = await ctx.db.selectFrom('source').select('id').where('dataTypeId', 'in', dataTypes).execute()
    for (const { id } of rows) ids.add(id)
  }
  return [...ids].sort()
}

/**
 * Prepares the missing files of the public ones among these sources and deletes those of the others. Failures
 * are reported and skipped: those files are generated on request. Must run as the system actor.
 */
export async function prepareSources(ctx: Context, sourceIds: string[]): Promise<void> {
  for (const sourceId of sourceIds) {
    try {
      await prepareSource(ctx, sourceId)
    } catch (error) {
      ctx.report(error, { sourceId, during: 'prepareSources' })
    }
  }
}

/**
 * Updates the prepared files of one source. Returns the manifest of its state; null when it has no files: it
 * is not public, too large, or not in this database (whose files are then left alone).
 */
export async function prepareSource(ctx: Context, sourceId: string): Promise<Manifest | null> {
  const source = await ctx.db
    .selectFrom('source')
    .innerJoin('dataType', 'dataType.id', 'source.dataTypeId')
    .innerJoin('place', 'place.id', 'source.placeId')
    .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select([
      'place.timeZone',
      'source.placeId',
      'source.visibility',
      'source.dataVersion',
      'source.licence',
      'sourceStat.count',
    ])
    .select(['dataType.version as dataTypeVersion', 'dataType.schema'])
    .select(['source.deletedAt', 'dataType.deletedAt as typeDeletedAt'])
    .where('source.id', '=', sourceId)
    .executeTakeFirst()
  if (!source) return null
  if (source.visibility !== 'public' || source.deletedAt || source.typeDeletedAt) {
    await removeStates(ctx, sourceId, null)
    return null
  }
  const rows = source.count ?? 0
  if (rows > maxRows) {
    await publishVersion(ctx, sourceId, null)
    return null
  }
  const state = stateName(source.dataVersion, source.dataTypeVersion, source.timeZone)
  const oldManifest = await readManifest(ctx.files, sourceId, state)
  const lostFormats = oldManifest ? await lostFiles(ctx.files, oldManifest, state) : []
  const hasColumns = oldManifest !== null && (await ctx.files.head(columnFileKey(sourceId, state))) !== null
  if (oldManifest && lostFormats.length === 0 && hasColumns) {
    await publishManifest(ctx, oldManifest, state)
    return oldManifest
  }
  const schema = source.schema as Schema
  // Files that are made again are of the same state, and so have the same bytes.
  const manifest: Manifest = oldManifest ?? {
    sourceId,
    placeId: source.placeId,
    version: source.dataVersion,
    rows,
    columns: Object.keys(schema),
    licence: source.licence,
    generatedAt: ctx.now().toISOString(),
    files: {},
    columnFile: null,
  }
  for (const format of oldManifest ? lostFormats : choosePreparedFormats(schema, rows))
    manifest.files[format] = await prepareFile(ctx, manifest, state, format)
  if (!hasColumns) manifest.columnFile = await prepareColumns(ctx, manifest, state)
  // Before the manifest, without which everything would be made again.
  await publishManifest(ctx, manifest, state)
  await ctx.files.put(manifestKey(sourceId, state), JSON.stringify(manifest), {
    httpMetadata: { contentType: 'application/json' },
  })
  await removeStates(ctx, sourceId, state)
  // Rebuilding existing files is not an event.
  if (oldManifest) return manifest
  // Hub pages state the sizes of files and were made before them. No wake-up: the next change or the next
  // minute of cron handles the event.
  await ctx.transaction((tx) =>
    emit(tx, { kind: 'files', placeId: source.placeId, payload: { id: sourceId } }),
  )
  return manifest
}

/** Publishes the data version of a state, with the checksum of its CSV. */
function publishManifest(ctx: Context, { sourceId, files }: Manifest, state: string): Promise<void> {
  return publishVersion(ctx, sourceId, files.csv ? { ...files.csv, state } : null)
}

type Schema = Record<string, { type: string }>

/** The formats in which this many rows of a data type are prepared. */
function choosePreparedFormats(schema: Schema, rows: number): PreparedFormat[] {
  const hasShapes = Object.values(schema).some(({ type }) => isGeometryType(type))
  return preparedFormats.filter(
    (format) => (format !== 'geojson' || hasShapes) && !(bulky.includes(format) && rows > maxBulkyRows),
  )
}

/** The formats whose files are in the manifest but missing in storage. */
async function lostFiles(
  files: R2Bucket,
  { sourceId, files: listedFiles }: Manifest,
  state: string,
): Promise<PreparedFormat[]> {
  const there = new Set(await listKeys(files, `${getKeyPrefix(sourceId)}${state}/`))
  return preparedFormats.filter(
    (format) => listedFiles[format] && !there.has(fileKey(sourceId, state, format)),
  )
}

/** Generates a file with the function that also answers requests for all records, and stores it. */
async function prepareFile(
  ctx: Context,
  { sourceId, version, rows }: Manifest,
  state: string,
  format: PreparedFormat,
) {
  const request = { ...ctx, responseHeaders: new Headers() }
  const { body, contentType } = await exportRows(request, { sourceId }, { format, maxVisibility: 'public' })
  const headers = [request.responseHeaders.get('x-data-version'), request.responseHeaders.get('x-row-count')]
  if (!(body instanceof ReadableStream) || headers.join() !== `${version},${rows}`)
    throw new Error('The data changed meanwhile.')
  return storeStream(ctx.files, fileKey(sourceId, state, format), body, contentType)
}

/**
 * Stores the column file that answers tables of a hub; null (and an empty file) when its records are too
 * long.
 */
async function prepareColumns(ctx: Context, { sourceId, version, rows }: Manifest, state: string) {
  const file = await writeColumnFile(ctx, sourceId, { version, rows })
  await ctx.files.put(columnFileKey(sourceId, state), file ?? new Uint8Array())
  return file && { bytes: file.length }
}

/**
 * Deletes files of a source except those of the newest states; `current` is the newest. Null: deletes all.
 */
async function removeStates(ctx: Context, sourceId: string, current: string | null): Promise<void> {
  const keys = await listKeys(ctx.files, getKeyPrefix(sourceId))
  const states = [...new Set(keys.flatMap((key) => stateIn(key)?.state ?? []))]
  // Time zones have no order: between states that differ in nothing else, the current one counts as newer.
  const order = (state: string) => {
    const [data = 0, dataType = 0, edition = 1] = state.split('.').slice(0, 3).map(Number)
    return [data, dataType, edition, Number(state === current)]
  }
  states.sort((a, b) => {
    const own = order(a)
    return order(b).reduce((by, n, i) => by || n - (own[i] ?? 0), 0)
  })
  const oldStates = new Set(current === null ? states : states.slice(keptStates))
  const old = keys.filter((key) => oldStates.has(stateIn(key)?.state ?? ''))
  if (old.length > 0) await ctx.files.delete(old)
}

/** Most sources whose files the daily run makes itself. */
const maxAtOnce = 20

/**
 * Once a day: deletes files of sources that are no longer public, and makes missing files of up to 20 sources
 * (a message or the files were lost, making them failed, or the format has changed); the others get a
 * message. Returns the number of sources of each.
 */
export async function maintainExports(ctx: Context): Promise<{ removed: number; made: number }> {
  const sources = await ctx.db
    .selectFrom('source')
    .innerJoin('dataType', 'dataType.id', 'source.dataTypeId')
    .innerJoin('place', 'place.id', 'source.placeId')
    .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select([
      'place.timeZone',
      'source.placeId',
      'source.id',
      'source.dataVersion',
      'source.visibility',
      'source.deletedAt',
    ])
    .select(['dataType.version', 'dataType.schema', 'sourceStat.count'])
    .execute()
  const there = new Set(await listKeys(ctx.files, getKeyPrefix()))
  const withFiles = new Set([...there].map((key) => stateIn(key)?.sourceId))
  const isShown = ({ visibility, deletedAt }: (typeof sources)[number]) =>
    visibility === 'public' && !deletedAt
  const getStateName = ({ dataVersion, version, timeZone }: (typeof sources)[number]) =>
    stateName(dataVersion, version, timeZone)
  const hiddenSources = sources.filter((source) => !isShown(source) && withFiles.has(source.id))
  const missing = sources.filter((source) => {
    const isLeft = (source.count ?? 0) <= maxRows && isShown(source)
    return isLeft && !there.has(manifestKey(source.id, getStateName(source)))
  })
  const isLost = (source: (typeof sources)[number]) => {
    const { id, count, schema } = source
    const state = getStateName(source)
    const isMade = there.has(manifestKey(id, state))
    const keys = choosePreparedFormats(schema as Schema, count ?? 0).map((format) =>
      fileKey(id, state, format),
    )
    return isMade && [...keys, columnFileKey(id, state)].some((key) => !there.has(key))
  }
  missing.push(...sources.filter((source) => isShown(source) && isLost(source)))
  const next = [...hiddenSources, ...missing.slice(0, maxAtOnce)]
  await ctx.transaction((tx) => emitFilesStale(tx, ctx.now(), missing.slice(maxAtOnce)))
  await prepareSources(
    ctx,
    next.map(({ id }) => id),
  )
  return { removed: hiddenSources.length, made: next.length - hiddenSources.length }
}

async function listKeys(files: R2Bucket, prefix: string): Promise<string[]> {
  const keys: string[] = []
  let cursor: string | undefined
  do {
    const listing = await files.list({ prefix, ...(cursor && { cursor }) })
    keys.push(...listing.objects.map(({ key }) => key))
    cursor = listing.truncated ? listing.cursor : undefined
  } while (cursor)
  return keys
}

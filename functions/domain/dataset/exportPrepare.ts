import { emit, emitFilesStale } from '#functions/domain/outbox/outbox.ts'
import type { OpenEvent } from '#functions/domain/outbox/outbox-reader.ts'
import { publishVersion } from '#functions/domain/source/publishVersion.ts'
import { writeColumnFile } from './columnFile.ts'
import { exportRows } from './export.ts'
import type { Context } from '#functions/context.ts'
import {
  columnFileKey,
  fileKey,
  manifestKey,
  preparedFormats,
  prefixOf,
  readManifest,
  stateIn,
  stateName,
  type Manifest,
  type PreparedFormat,
} from '#functions/engine/export/prepared/manifest.ts'
import { storeStream } from '#functions/engine/export/prepared/store.ts'
import { isGeometryType } from '#functions/shapes/field.ts'

/** Larger sources are not prepared: their files are made when they are asked for. */
const mostRows = 2_000_000
/** Of larger ones these formats are not prepared: they say what the others say, at several times their size. */
const bulky: readonly PreparedFormat[] = ['xlsx', 'json']
const mostBulkyRows = 200_000
/** How many states of a source keep their files: the one that is read, and the one before for who is still reading it. */
const keptStates = 2

type ReadEvent = Pick<OpenEvent, 'kind' | 'payload'>

/** How many events are looked at in one go, and how many sources of a place a message names. */
const eventsAtOnce = 500
const sourcesAtOnce = 10

/**
 * Asks for the files of the sources that have changed since it last did, by place: what fails or takes long of one holds up
 * no other's. Events are marked when it was asked; done twice it asks twice, and what is there is not made again. Needs the
 * product's own identity.
 */
export async function askForStale(
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
    for (const sources of await byPlace(ctx, await staleSources(ctx, events)))
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

/** Sources, those of each place together; what is in no place here is one of them. */
async function byPlace(ctx: Context, ids: string[]): Promise<string[][]> {
  if (ids.length === 0) return []
  const rows = await ctx.db.selectFrom('source').select(['id', 'placeId']).where('id', 'in', ids).execute()
  const placeOf = new Map(rows.map(({ id, placeId }) => [id, placeId]))
  const places = new Map<string, string[]>()
  for (const id of ids) {
    const place = placeOf.get(id) ?? ''
    places.set(place, [...(places.get(place) ?? []), id])
  }
  return [...places.values()]
}

/** The sources whose files events may have made stale, by id: of records, of the source itself, of its data type. */
export async function staleSources(ctx: Context, events: ReadEvent[]): Promise<string[]> {
  const idsOf = (kind: string, key: string) =>
    events.flatMap(({ kind: is, payload }) =>
      is === kind && typeof payload[key] === 'string' ? [payload[key]] : [],
    )
  const named = new Set([...idsOf('data', 'sourceId'), ...idsOf('source', 'id')])
  const dataTypes = idsOf('dataType', 'id')
  if (dataTypes.length > 0) {
    const rows = await ctx.db.selectFrom('source').select('id').where('dataTypeId', 'in', dataTypes).execute()
    for (const { id } of rows) named.add(id)
  }
  return [...named].sort()
}

/**
 * Makes the files of those of some sources that are public, and removes those of the others. Only what is not there yet
 * is made, so doing it again does nothing. What fails is reported and left out: its files are made when someone asks
 * for them. Needs the product's own identity.
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
 * Brings the prepared files of one source up to date. Gives the manifest of its state; null when it has no files: it is
 * not public, or large, or not in this database, which then has no say in its files.
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
  if (rows > mostRows) {
    await publishVersion(ctx, sourceId, null)
    return null
  }
  const state = stateName(source.dataVersion, source.dataTypeVersion, source.timeZone)
  const known = await readManifest(ctx.files, sourceId, state)
  const lost = known ? await lostFiles(ctx.files, known, state) : []
  const hasColumns = known !== null && (await ctx.files.head(columnFileKey(sourceId, state))) !== null
  if (known && lost.length === 0 && hasColumns) {
    await publishOf(ctx, known, state)
    return known
  }
  const schema = source.schema as Schema
  // What is made again is of the same state, and so the same bytes.
  const manifest: Manifest = known ?? {
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
  for (const format of known ? lost : formatsOf(schema, rows))
    manifest.files[format] = await prepareFile(ctx, manifest, state, format)
  if (!hasColumns) manifest.columnFile = await prepareColumns(ctx, manifest, state)
  // Before the manifest: where that is missing all is made again.
  await publishOf(ctx, manifest, state)
  await ctx.files.put(manifestKey(sourceId, state), JSON.stringify(manifest), {
    httpMetadata: { contentType: 'application/json' },
  })
  await removeStates(ctx, sourceId, state)
  // Nothing is new of what was only made again.
  if (known) return manifest
  // Pages say how large the files are, and were made before them. There is no hurry: the next change, or minute, tells it.
  await ctx.transaction((tx) =>
    emit(tx, { kind: 'files', placeId: source.placeId, payload: { id: sourceId } }),
  )
  return manifest
}

/** The version of a state, with the checksum of its CSV. */
function publishOf(ctx: Context, { sourceId, files }: Manifest, state: string): Promise<void> {
  return publishVersion(ctx, sourceId, files.csv ? { ...files.csv, state } : null)
}

type Schema = Record<string, { type: string }>

/** The formats that so many rows of a data type are prepared in. */
function formatsOf(schema: Schema, rows: number): PreparedFormat[] {
  const hasShapes = Object.values(schema).some(({ type }) => isGeometryType(type))
  return preparedFormats.filter(
    (format) => (format !== 'geojson' || hasShapes) && !(bulky.includes(format) && rows > mostBulkyRows),
  )
}

/** The files that a manifest names and the storage has lost. */
async function lostFiles(
  files: R2Bucket,
  { sourceId, files: named }: Manifest,
  state: string,
): Promise<PreparedFormat[]> {
  const there = new Set(await keysOf(files, `${prefixOf(sourceId)}${state}/`))
  return preparedFormats.filter((format) => named[format] && !there.has(fileKey(sourceId, state, format)))
}

/** The file that who asks for all records gets, by the function that makes it for them. */
async function prepareFile(
  ctx: Context,
  { sourceId, version, rows }: Manifest,
  state: string,
  format: PreparedFormat,
) {
  const request = { ...ctx, responseHeaders: new Headers() }
  const { body, contentType } = await exportRows(request, { sourceId }, { format, maxVisibility: 'public' })
  const shown = [request.responseHeaders.get('x-data-version'), request.responseHeaders.get('x-row-count')]
  if (!(body instanceof ReadableStream) || shown.join() !== `${version},${rows}`)
    throw new Error('The data changed meanwhile.')
  return storeStream(ctx.files, fileKey(sourceId, state, format), body, contentType)
}

/** The file of columns, which tables of a hub are answered from; null when its records are too long for one. */
async function prepareColumns(ctx: Context, { sourceId, version, rows }: Manifest, state: string) {
  const file = await writeColumnFile(ctx, sourceId, { version, rows })
  await ctx.files.put(columnFileKey(sourceId, state), file ?? new Uint8Array())
  return file && { bytes: file.length }
}

/** Removes the files of a source: those of the newest states stay, of which `current` is the newest. Null: none stay. */
async function removeStates(ctx: Context, sourceId: string, current: string | null): Promise<void> {
  const keys = await keysOf(ctx.files, prefixOf(sourceId))
  const states = [...new Set(keys.flatMap((key) => stateIn(key)?.state ?? []))]
  // Zones have no order: of two states that differ in nothing else, the one of now is the newer one.
  const order = (state: string) => {
    const [data = 0, dataType = 0, edition = 1] = state.split('.').slice(0, 3).map(Number)
    return [data, dataType, edition, Number(state === current)]
  }
  states.sort((a, b) => {
    const own = order(a)
    return order(b).reduce((by, n, i) => by || n - (own[i] ?? 0), 0)
  })
  const deleted = new Set(current === null ? states : states.slice(keptStates))
  const old = keys.filter((key) => deleted.has(stateIn(key)?.state ?? ''))
  if (old.length > 0) await ctx.files.delete(old)
}

/** How many sources the daily look makes the files of by itself. */
const mostAtOnce = 20

/**
 * Once a day: removes the files of sources of this database that are no longer public, and makes those of up to 20 sources that are
 * missing, because their message or they themselves were lost, their making failed, or files are made otherwise than before;
 * those of the others are asked for. Gives how many sources of each.
 */
export async function tendExports(ctx: Context): Promise<{ removed: number; made: number }> {
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
  const there = new Set(await keysOf(ctx.files, prefixOf()))
  const withFiles = new Set([...there].map((key) => stateIn(key)?.sourceId))
  const isShown = ({ visibility, deletedAt }: (typeof sources)[number]) =>
    visibility === 'public' && !deletedAt
  const stateOf = ({ dataVersion, version, timeZone }: (typeof sources)[number]) =>
    stateName(dataVersion, version, timeZone)
  const deleted = sources.filter((source) => !isShown(source) && withFiles.has(source.id))
  const missing = sources.filter((source) => {
    const isLeft = (source.count ?? 0) <= mostRows && isShown(source)
    return isLeft && !there.has(manifestKey(source.id, stateOf(source)))
  })
  const isLost = (source: (typeof sources)[number]) => {
    const { id, count, schema } = source
    const state = stateOf(source)
    const isMade = there.has(manifestKey(id, state))
    const keys = formatsOf(schema as Schema, count ?? 0).map((format) => fileKey(id, state, format))
    return isMade && [...keys, columnFileKey(id, state)].some((key) => !there.has(key))
  }
  missing.push(...sources.filter((source) => isShown(source) && isLost(source)))
  const next = [...deleted, ...missing.slice(0, mostAtOnce)]
  await ctx.transaction((tx) => emitFilesStale(tx, ctx.now(), missing.slice(mostAtOnce)))
  await prepareSources(
    ctx,
    next.map(({ id }) => id),
  )
  return { removed: deleted.length, made: next.length - deleted.length }
}

async function keysOf(files: R2Bucket, prefix: string): Promise<string[]> {
  const keys: string[] = []
  let cursor: string | undefined
  do {
    const listed = await files.list({ prefix, ...(cursor && { cursor }) })
    keys.push(...listed.objects.map(({ key }) => key))
    cursor = listed.truncated ? listed.cursor : undefined
  } while (cursor)
  return keys
}

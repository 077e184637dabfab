import type { Context } from '#functions/context.ts'
import * as assetFolders from '#functions/domain/asset/assetFolders.ts'
import * as collectionInsights from '#functions/domain/collection/collectionInsights.ts'
import * as collectionTexts from '#functions/domain/collection/collectionTexts.ts'
import * as collections from '#functions/domain/collection/collections.ts'
import { aboutOf } from '#functions/domain/dataset/exportAbout.ts'
import { recordSource } from '#functions/domain/dataset/exportSource.ts'
import { open } from '#functions/domain/dataset/open.ts'
import * as dataTypes from '#functions/domain/dataType/dataTypes.ts'
import { chunksOf } from '#functions/domain/importer/job/objects.ts'
import * as insights from '#functions/domain/insight/insights.ts'
import * as contents from '#functions/domain/page/contents.ts'
import * as pages from '#functions/domain/page/pages.ts'
import * as places from '#functions/domain/place/places.ts'
import * as sources from '#functions/domain/source/sources.ts'
import { writers } from '#functions/engine/export/formats.ts'
import { Sha256 } from '#functions/engine/export/hash.ts'
import type { ZipEntry } from '#functions/engine/export/zip.ts'
import { Failure } from '#functions/errors.ts'
import { hex } from '#functions/platform/digest.ts'
import {
  archiveFormat,
  archiveVersion,
  noCounts,
  type ArchivedMedia,
  type ArchiveCounts,
  type ArchiveManifest,
} from '#functions/shapes/archive.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'

/** More than any source has. */
const allRows = 100_000_000

type Piece = Uint8Array | string
type Pieces = Iterable<Piece> | AsyncIterable<Piece>

/** What is known of an archive while it is written. */
export interface Written {
  counts: ArchiveCounts
  /** Files that are in it. */
  files: ArchiveManifest['files']
}

/**
 * The files of the archive of a place, as they are to be written, the manifest last: it names all others with their checksums. Each
 * is read when it is its turn, and only that one is held in memory: of a page all of its contents, of records some thousand.
 * What names something that is not in the archive is left out of it, and the manifest says so. Needs the product's own
 * identity: it reads what only admins of the place may.
 */
export async function* archiveEntries(
  ctx: Context,
  placeId: string,
  written: Written,
): AsyncGenerator<ZipEntry> {
  const { counts, files } = written
  const leftOut: ArchiveManifest['leftOut'] = []
  const leave = (noun: string, id: string, why: string) => void leftOut.push({ noun, id, why })
  const list = <Row>(find: Find<Row>, params: Record<string, string> = {}) =>
    rowsOf(ctx, find, placeId, params)

  function entry(name: string, pieces: Pieces): ZipEntry {
    return { name, pieces: measured(name, pieces, files) }
  }
  const document = (name: string, value: unknown) => entry(name, [`${JSON.stringify(value, null, 1)}\n`])

  const place = await places.findById(ctx, { params: { placeId }, placeId, options: {}, data: undefined })
  if (!place) throw new Failure('notFound')
  yield document('place.json', place)

  for await (const row of list(dataTypes.find)) {
    yield document(`types/${row.id}.json`, {
      ...row,
      schema: withoutRegions(row.schema as FieldSchema, row.id, leave),
    })
    counts.dataTypes += 1
  }
  const sourceIds = new Set<string>()
  for await (const row of list(sources.find)) {
    sourceIds.add(row.id)
    yield document(`sources/${row.id}.json`, row)
    yield entry(`records/${row.id}.ndjson`, recordLines(ctx, row.id, counts))
    counts.sources += 1
  }
  const insightIds = new Set<string>()
  for await (const row of list(insights.find)) {
    const missing = row.sourceId !== null && !sourceIds.has(row.sourceId)
    if (missing) {
      leave('insight', row.id, 'It asks a source that is not there any more.')
      continue
    }
    if (asksBoundaries(row.query)) {
      leave('insight', row.id, 'It asks for areas of a boundary set, and archives have no boundary sets.')
      continue
    }
    insightIds.add(row.id)
    yield document(`insights/${row.id}.json`, { ...withoutSet(row, leave), output: null })
    counts.insights += 1
  }
  for await (const row of list(collections.find)) {
    const within = { collectionId: row.id }
    const collected = await all(list(collectionInsights.find, within))
    const texts = await all(list(collectionTexts.find, within))
    yield document(`collections/${row.id}.json`, {
      ...row,
      insights: collected
        .filter(({ id }) => insightIds.has(id))
        .map(({ id, position, notes }) => ({ id, position, notes })),
      texts: texts.map(({ id, title, html, position }) => ({ id, title, html, position })),
    })
    counts.collections += 1
  }
  for await (const row of list(pages.find)) {
    const parts = await all(list(contents.find, { pageId: row.id }))
    const kept = parts.filter(({ id, settings }) => {
      const { insightId, sourceId } = settings as { insightId?: string; sourceId?: string }
      const isThere =
        (insightId === undefined || insightIds.has(insightId)) &&
        (sourceId === undefined || sourceIds.has(sourceId))
      if (!isThere) leave('content', id, `It shows what is not in the archive, on the page ${row.id}.`)
      return isThere
    })
    yield document(`pages/${row.id}.json`, {
      ...row,
      contents: kept.map(({ id, kind, settings, position }) => ({ id, kind, settings, position })),
    })
    counts.pages += 1
  }
  yield* mediaEntries()
  const manifest: ArchiveManifest = {
    ...{ format: archiveFormat, version: archiveVersion },
    exportedAt: ctx.now().toISOString(),
    instance: ctx.site.origin,
    place: { id: place.id, name: place.name },
    ...{ counts, leftOut, files },
  }
  yield { name: 'manifest.json', pieces: [`${JSON.stringify(manifest, null, 1)}\n`] }

  async function* mediaEntries(): AsyncGenerator<ZipEntry> {
    const folders = await all(list(assetFolders.find, { assetsId: placeId }))
    yield document('folders.json', inOrder(folders))
    for await (const media of mediaOf(ctx, placeId)) {
      const stored = await ctx.files.get(media.key)
      if (!stored) {
        leave('media', media.about.id, 'Its bytes are missing.')
        continue
      }
      yield document(`media/${media.about.id}.json`, media.about)
      yield entry(`media/${media.about.id}`, chunksOf(stored.body as ReadableStream<Uint8Array>))
      counts.media += 1
    }
  }
}

/** How many files an archive will have, as far as it is known before it is written. */
export async function countFiles(ctx: Context, placeId: string): Promise<number> {
  const count = async (table: 'source' | 'insight' | 'collection' | 'page') => {
    const { n } = await ctx.db
      .selectFrom(table as 'source')
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .where('placeId', '=', placeId)
      .where('deletedAt', 'is', null)
      .executeTakeFirstOrThrow()
    return Number(n)
  }
  const { n: media } = await mediaRows(ctx, placeId)
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  const types = await dataTypes.find(ctx, {
    ...{ params: { placeId }, placeId, data: undefined },
    options: { limit: 1 },
  })
  const others = (await count('insight')) + (await count('collection')) + (await count('page'))
  // The place, the folders; a source and a file of media are two files each.
  return 2 + types.meta.total + 2 * (await count('source')) + others + 2 * Number(media)
}

/** A list of `/v1`, as far as it is read here. */
type Find<Row> = (
  ctx: Context,
  request: { params: Record<string, string>; placeId: string; options: Paging; data: undefined },
) => Promise<{ results: Row[]; meta: { next?: string } } | undefined>
interface Paging {
  limit: number
  next?: string
}

/** All rows of a list, page by page. */
async function* rowsOf<Row>(
  ctx: Context,
  find: Find<Row>,
  placeId: string,
  params: Record<string, string>,
): AsyncGenerator<Row> {
  let next: string | undefined
  do {
    const options = { limit: 100, ...(next !== undefined && { next }) }
    const page = await find(ctx, { params: { placeId, ...params }, placeId, options, data: undefined })
    yield* page?.results ?? []
    next = page?.meta.next
  } while (next !== undefined)
}

async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const list: Row[] = []
  for await (const row of rows) list.push(row)
  return list
}

/** The pieces of a file, and in `files` what it was once all of them were taken. */
async function* measured(
  name: string,
  pieces: Pieces,
  files: ArchiveManifest['files'],
): AsyncGenerator<Uint8Array> {
  const hash = new Sha256()
  const encoder = new TextEncoder()
  let bytes = 0
  for await (const piece of pieces) {
    const part = typeof piece === 'string' ? encoder.encode(piece) : piece
    hash.update(part)
    bytes += part.length
    yield part
  }
  files.push({ name, bytes, sha256: hex(hash.digest()) })
}

/** The records of a source, a line of JSON each, in the order in which they came. */
async function* recordLines(
  ctx: Context,
  sourceId: string,
  counts: ArchiveCounts,
): AsyncGenerator<Uint8Array | string> {
  const limits = { defaultLimit: allRows, maxLimit: allRows }
  const scope = { sourceId }
  const dataset = await open(ctx, scope, { limits, question: {} })
  const about = await aboutOf(ctx, dataset, scope)
  const source = await recordSource(ctx, dataset, 'ndjson', {}, about)
  counts.records += source.count
  yield* writers.ndjson(source, { names: false, bom: false, excel: false, timeZone: 'UTC' })
}

/** Fields without how they are calculated: the set of areas is not in the archive. The values are. */
function withoutRegions(
  schema: FieldSchema,
  id: string,
  leave: (noun: string, id: string, why: string) => void,
): FieldSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([key, field]) => {
      if (!field.regionOf) return [key, field]
      const { regionOf: _region, ...rest } = field
      leave('field', `${id}.${key}`, 'How it is calculated; its values are in the archive.')
      return [key, rest]
    }),
  )
}

/** An insight without the boundary set of the place that its map is coloured by. */
function withoutSet<Row extends { id: string; visualization: { settings?: { boundarySetId?: string } } }>(
  row: Row,
  leave: (noun: string, id: string, why: string) => void,
): Row {
  const { settings } = row.visualization
  if (settings?.boundarySetId === undefined) return row
  const { boundarySetId: _set, ...rest } = settings
  leave('insight', row.id, 'Which boundary set its map is divided by; the insight is in the archive.')
  return { ...row, visualization: { ...row.visualization, settings: rest } }
}

/** Whether a question names a boundary set. */
function asksBoundaries(query: unknown): boolean {
  if (typeof query !== 'object' || query === null) return false
  return Object.entries(query).some(
    ([name, value]) => (name === 'boundarySetId' && typeof value === 'string') || asksBoundaries(value),
  )
}

/** Folders, parents before what stands in them. */
function inOrder(folders: { id: string; parentId: string | null; name: string }[]) {
  const placed = new Set<string>()
  const sorted: { id: string; parentId: string | null; name: string }[] = []
  for (let left = folders; left.length > 0;) {
    const next = left.filter(({ parentId }) => parentId === null || placed.has(parentId))
    if (next.length === 0) break
    for (const { id, parentId, name } of next) {
      placed.add(id)
      sorted.push({ id, parentId, name })
    }
    left = left.filter(({ id }) => !placed.has(id))
  }
  return sorted
}

const mediaRows = (ctx: Context, placeId: string) =>
  ctx.db
    .selectFrom('asset')
    .where('asset.placeId', '=', placeId)
    .where('asset.purpose', 'in', ['library', 'place'])
    .where('asset.state', '=', 'ready')
    .where('asset.deletedAt', 'is', null)

/** The files of the media library and the pictures of the theme, by id. */
async function* mediaOf(
  ctx: Context,
  placeId: string,
): AsyncGenerator<{ key: string; about: ArchivedMedia }> {
  for (let after = ''; ;) {
    const rows = await mediaRows(ctx, placeId)
      .select(['asset.id', 'asset.purpose', 'asset.folderId', 'asset.name', 'asset.type', 'asset.size'])
      .select(['asset.key', 'asset.alt', 'asset.focalX', 'asset.focalY'])
      .where('asset.id', '>', after)
      .orderBy('asset.id')
      .limit(100)
      .execute()
    for (const { key, ...row } of rows)
      yield {
        key,
        about: { ...row, purpose: row.purpose as ArchivedMedia['purpose'], size: Number(row.size) },
      }
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

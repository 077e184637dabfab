import type { Context } from '#functions/context.ts'
import * as assetFolders from '#functions/domain/asset/asset-folders.ts'
import * as collectionInsights from '#functions/domain/collection/collection-insights.ts'
import * as collectionTexts from '#functions/domain/collection/collection-texts.ts'
import * as collections from '#functions/domain/collection/collections.ts'
import * as boundarySets from '#functions/domain/boundary/sets.ts'
import { readFileMetadata } from '#functions/domain/dataset/export-about.ts'
import { recordSource } from '#functions/domain/dataset/export-source.ts'
import { open } from '#functions/domain/dataset/open.ts'
import * as dataTypes from '#functions/domain/data-type/data-types.ts'
import { readChunks } from '#functions/domain/importer/job/objects.ts'
import { parseFileId } from '#functions/domain/importer/stored.ts'
import * as importers from '#functions/domain/importer/importers.ts'
import * as insights from '#functions/domain/insight/insights.ts'
import * as observers from '#functions/domain/observer/observers.ts'
import * as contents from '#functions/domain/page/contents.ts'
import * as pages from '#functions/domain/page/pages.ts'
import * as places from '#functions/domain/place/places.ts'
import * as customFields from '#functions/domain/source/custom-fields.ts'
import * as sources from '#functions/domain/source/sources.ts'
import { writers } from '#functions/engine/export/formats.ts'
import { Sha256 } from '#functions/engine/export/hash.ts'
import type { ZipEntry } from '#functions/engine/export/zip.ts'
import { Failure } from '#functions/errors.ts'
import { hex } from '#functions/platform/digest.ts'
import {
  archiveFormat,
  archiveVersion,
  type ArchiveCounts,
  type ArchiveManifest,
} from '#functions/shapes/archive.ts'
import { listNamedSets } from '#functions/shapes/importer-mapping.ts'
import type { ImporterSource } from '#functions/shapes/importer-source.ts'
import type { CustomFields } from '#functions/shapes/custom-field.ts'
import { maxSetBytes } from '#functions/shapes/boundary-set.ts'
import { isBuiltInSet } from '#functions/shapes/region-sets.ts'
import { listMedia, mediaRows } from './export-media.ts'
import { parentsFirst } from './parents-first.ts'
import { archivedSet, readSetAreas, estimateMaxBytes, withArchivedSets, withoutSet } from './export-sets.ts'
import { readTranslations } from './export-translations.ts'
import { usesOff } from './review-items.ts'
import { setAsked } from './set-uses.ts'

const noFields: CustomFields = { version: 0, fields: [] }

const waitsForReview = 'What it used of a boundary set: it waits for the review of the import before.'

/** More than any source has. */
const allRows = 100_000_000

type Piece = Uint8Array | string
type Pieces = Iterable<Piece> | AsyncIterable<Piece>

/** The state of an archive while it is written. */
export interface Progress {
  counts: ArchiveCounts
  /** Files that are in it. */
  files: ArchiveManifest['files']
}

/**
 * The files of a place's archive in writing order, the manifest last: it lists all others with their checksums. Files
 * are read one at a time, and only one is held in memory: a page with all of its contents, or some thousand records.
 * References to something that is not in the archive are removed, and the manifest says so. Must run as the system
 * actor: it reads what only admins of the place may see.
 */
export function archiveEntries(ctx: Context, placeId: string, progress: Progress): AsyncGenerator<ZipEntry> {
  return new Exporting(ctx, placeId, progress).entries()
}

class Exporting {
  private readonly leftOut: ArchiveManifest['leftOut'] = []
  private readonly sourceIds = new Set<string>()
  private readonly insightIds = new Set<string>()
  private readonly setIds = new Set<string>()
  /** The archived things that have texts, by noun and id. */
  private readonly reported = new Set<string>()

  constructor(
    private readonly ctx: Context,
    private readonly placeId: string,
    private readonly progress: Progress,
  ) {}

  async *entries(): AsyncGenerator<ZipEntry> {
    const { ctx, placeId, leftOut } = this
    const { counts, files } = this.progress
    const place = await places.findById(ctx, { params: { placeId }, placeId, options: {}, data: undefined })
    if (!place) throw new Failure('notFound')
    yield this.document('place.json', place)
    for (const { noun, id } of await usesOff(ctx, placeId)) this.recordOmission(noun, id, waitsForReview)
    yield* this.boundarySets()
    yield* this.dataTypes()
    yield* this.customFields()
    yield* this.sources()
    yield* this.insights()
    yield* this.collections()
    yield* this.pages()
    yield* this.importers()
    yield* this.observers()
    yield* this.media()
    yield this.entry('translations.ndjson', this.translations())
    const manifest: ArchiveManifest = {
      ...{ format: archiveFormat, version: archiveVersion },
      exportedAt: ctx.now().toISOString(),
      instance: ctx.site.origin,
      place: { id: place.id, name: place.name },
      ...{ counts, leftOut, files },
    }
    yield { name: 'manifest.json', pieces: [`${JSON.stringify(manifest, null, 1)}\n`] }
  }

  /** The sets of the place with the areas that they have now. */
  private async *boundarySets(): AsyncGenerator<ZipEntry> {
    const rows = await collectRows(this.list(boundarySets.find))
    const large = new Set<string>()
    for (const row of rows) if ((await estimateMaxBytes(this.ctx, row)) > maxSetBytes) large.add(row.id)
    for (const row of rows) {
      if (large.has(row.id)) {
        this.recordOmission(
          'boundarySet',
          row.id,
          'Its areas are more than a file that is brought in may have: 25 MB.',
        )
        continue
      }
      const above = row.parentId !== null && large.has(row.parentId) ? null : row.parentId
      this.setIds.add(row.id)
      yield this.document(`boundarySets/${row.id}.json`, archivedSet({ ...row, parentId: above }))
      yield this.entry(`boundarySets/${row.id}.geojson`, readSetAreas(this.ctx, row))
      this.progress.counts.boundarySets += 1
    }
  }

  private async *dataTypes(): AsyncGenerator<ZipEntry> {
    for await (const row of this.list(dataTypes.find)) {
      this.reported.add(`dataType ${row.id}`)
      const schema = withArchivedSets(row, this.setIds, this.recordOmission)
      yield this.document(`types/${row.id}.json`, { ...row, schema })
      this.progress.counts.dataTypes += 1
    }
  }

  /**
   * The metadata fields that the organization has defined for its sources. Values of removed fields are hidden and not
   * archived.
   */
  private async *customFields(): AsyncGenerator<ZipEntry> {
    const { ctx, placeId } = this
    const request = { params: { placeId }, placeId, options: {}, data: undefined }
    const { version, fields, removed = [] } = (await customFields.find(ctx, request)) ?? noFields
    for (const { key, values = 0 } of removed)
      this.recordOmission(
        'field',
        key,
        `It was removed. What ${values} of the sources say in it is not in the archive.`,
      )
    if (fields.length > 0) yield this.document('fields.json', { version, fields })
  }

  private async *sources(): AsyncGenerator<ZipEntry> {
    const { ctx, progress } = this
    for await (const row of this.list(sources.find)) {
      this.sourceIds.add(row.id)
      this.reported.add(`source ${row.id}`)
      yield this.document(`sources/${row.id}.json`, row)
      yield this.entry(`records/${row.id}.ndjson`, recordLines(ctx, row.id, progress.counts))
      progress.counts.sources += 1
    }
  }

  private async *insights(): AsyncGenerator<ZipEntry> {
    for await (const row of this.list(insights.find)) {
      if (row.sourceId !== null && !this.sourceIds.has(row.sourceId)) {
        this.recordOmission('insight', row.id, 'It asks a source that is not there any more.')
      } else if (!this.hasSet(setAsked(row.query))) {
        this.recordOmission(
          'insight',
          row.id,
          'It asks for areas of a boundary set that is not in the archive.',
        )
      } else {
        this.insightIds.add(row.id)
        this.reported.add(`insight ${row.id}`)
        const drawnBy = row.visualization.settings?.boundarySetId ?? null
        const archivedRow = this.hasSet(drawnBy) ? row : withoutSet(row, this.recordOmission)
        yield this.document(`insights/${row.id}.json`, { ...archivedRow, output: null })
        this.progress.counts.insights += 1
      }
    }
  }

  private async *collections(): AsyncGenerator<ZipEntry> {
    for await (const row of this.list(collections.find)) {
      const within = { collectionId: row.id }
      const collectionParts = await collectRows(this.list(collectionInsights.find, within))
      const texts = await collectRows(this.list(collectionTexts.find, within))
      this.reported.add(`collection ${row.id}`)
      for (const { id } of texts) this.reported.add(`collectionText ${id}`)
      yield this.document(`collections/${row.id}.json`, {
        ...row,
        insights: collectionParts
          .filter(({ id }) => this.insightIds.has(id))
          .map(({ id, position, notes }) => ({ id, position, notes })),
        texts: texts.map(({ id, title, html, position }) => ({ id, title, html, position })),
      })
      this.progress.counts.collections += 1
    }
  }

  private async *pages(): AsyncGenerator<ZipEntry> {
    for await (const row of this.list(pages.find)) {
      const parts = await collectRows(this.list(contents.find, { pageId: row.id }))
      const partsIn = parts.filter(({ id, settings }) => {
        const isThere = this.hasShown(settings)
        if (!isThere)
          this.recordOmission('content', id, `It shows what is not in the archive, on the page ${row.id}.`)
        return isThere
      })
      this.reported.add(`page ${row.id}`)
      for (const { id } of partsIn) this.reported.add(`content ${id}`)
      yield this.document(`pages/${row.id}.json`, {
        ...row,
        contents: partsIn.map(({ id, kind, settings, position }) => ({ id, kind, settings, position })),
      })
      this.progress.counts.pages += 1
    }
  }

  private hasShown(settings: Record<string, unknown>): boolean {
    const { insightId, sourceId } = settings
    return (
      (typeof insightId !== 'string' || this.insightIds.has(insightId)) &&
      (typeof sourceId !== 'string' || this.sourceIds.has(sourceId))
    )
  }

  /** Importers without their secrets and their last state. */
  private async *importers(): AsyncGenerator<ZipEntry> {
    for (const sourceId of this.sourceIds)
      for await (const row of this.list(importers.find, { sourceId })) {
        if (row.sources.some(({ url }) => parseFileId(url) !== null)) {
          this.recordOmission(
            'importer',
            row.id,
            'It reads an uploaded file; its records are in the archive.',
          )
          continue
        }
        if (!listNamedSets(row.mapping).every(({ boundarySetId }) => this.hasSet(boundarySetId))) {
          this.recordOmission(
            'importer',
            row.id,
            'It finds points by a boundary set that is not in the archive.',
          )
          continue
        }
        const open = withoutSecrets(row.sources)
        if (open.hadSecrets)
          this.recordOmission('importer', row.id, 'What is secret in it; the importer is in the archive.')
        const { sources: _sources, failures: _failures, nextRunAt: _next, ...rest } = row
        const settings = { ...rest, sources: open.sources, failures: 0, nextRunAt: null }
        yield this.document(`importers/${row.id}.json`, settings)
        this.progress.counts.importers += 1
      }
  }

  /** Observers without their recipients, which are people and secret URLs, and without their state. */
  private async *observers(): AsyncGenerator<ZipEntry> {
    for await (const row of this.list(observers.find)) {
      if (row.sourceId !== null && !this.sourceIds.has(row.sourceId)) {
        this.recordOmission('observer', row.id, 'It watches a source that is not there any more.')
        continue
      }
      if (row.channels.length > 0)
        this.recordOmission('observer', row.id, 'Whom it tells; the observer is in the archive.')
      yield this.document(`observers/${row.id}.json`, {
        ...row,
        ...{ channels: [], recipients: [], webhookUrl: null, isCrossed: false, evaluatedAt: null },
        ...{ lastValue: null, lastAlertAt: null, dueAt: null, error: null, unreadCount: 0 },
      })
      this.progress.counts.observers += 1
    }
  }

  private async *media(): AsyncGenerator<ZipEntry> {
    const { ctx, placeId } = this
    const folders = await collectRows(this.list(assetFolders.find, { assetsId: placeId }))
    const { sorted } = parentsFirst(folders.map(({ id, parentId, name }) => ({ id, parentId, name })))
    yield this.document('folders.json', sorted)
    for await (const { key, about } of listMedia(ctx, placeId)) {
      const object = await ctx.files.get(key)
      if (!object) {
        this.recordOmission('media', about.id, 'Its bytes are missing.')
        continue
      }
      yield this.document(`media/${about.id}.json`, about)
      yield this.entry(`media/${about.id}`, readChunks(object.body as ReadableStream<Uint8Array>))
      this.progress.counts.media += 1
    }
  }

  private async *translations(): AsyncGenerator<string> {
    const { ctx, placeId, progress, recordOmission } = this
    const isIn = (noun: string, id: string) => noun === 'place' || this.reported.has(`${noun} ${id}`)
    for await (const row of readTranslations(ctx, placeId, isIn, recordOmission)) {
      progress.counts.translations += 1
      yield `${JSON.stringify(row)}\n`
    }
  }

  /** Whether a boundary set is in the archive, or one that everyone has; so is none. */
  private hasSet(id: string | null): boolean {
    return id === null || this.setIds.has(id) || isBuiltInSet(id)
  }

  private list<Row>(find: FindEndpoint<Row>, params: Record<string, string> = {}): AsyncGenerator<Row> {
    return readRows(this.ctx, find, this.placeId, params)
  }

  private readonly recordOmission = (noun: string, id: string, why: string): void =>
    void this.leftOut.push({ noun, id, why })

  private document(name: string, value: unknown): ZipEntry {
    return this.entry(name, [`${JSON.stringify(value, null, 1)}\n`])
  }

  private entry(name: string, pieces: Pieces): ZipEntry {
    return { name, pieces: withChecksum(name, pieces, this.progress.files) }
  }
}

/**
 * Removes secret values from the sources of an importer. An OAuth grant is useless without its secrets, so it is removed
 * as a whole.
 */
function withoutSecrets(sources: ImporterSource[]): { sources: ImporterSource[]; hadSecrets: boolean } {
  let hadSecrets = false
  const open = (values: ImporterSource['query']) =>
    values &&
    Object.fromEntries(
      Object.entries(values).filter(([, value]) => {
        const isSecret = typeof value === 'object'
        hadSecrets ||= isSecret
        return !isSecret
      }),
    )
  const openSources = sources.map(({ query, headers, oauth, ...rest }) => {
    hadSecrets ||= oauth !== undefined
    const parts = { query: open(query), headers: open(headers) }
    return {
      ...rest,
      ...(parts.query && { query: parts.query }),
      ...(parts.headers && { headers: parts.headers }),
    }
  })
  return { sources: openSources, hadSecrets }
}

/** An estimate of the number of files in an archive, before it is written. */
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
  const hasFields = (await customFields.listMetadataFields(ctx, placeId)).length > 0
  // The place, the folders, the fields of sources; a source and a file of media are two files each.
  return 2 + (hasFields ? 1 : 0) + types.meta.total + 2 * (await count('source')) + others + 2 * Number(media)
}

/** A list endpoint of `/v1`, with the parts that are used here. */
type FindEndpoint<Row> = (
  ctx: Context,
  request: { params: Record<string, string>; placeId: string; options: PageOptions; data: undefined },
) => Promise<{ results: Row[]; meta: { next?: string } } | undefined>
interface PageOptions {
  limit: number
  next?: string
}

/** All rows of a list, page by page. */
async function* readRows<Row>(
  ctx: Context,
  find: FindEndpoint<Row>,
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

async function collectRows<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const list: Row[] = []
  for await (const row of rows) list.push(row)
  return list
}

/** Passes on the chunks of a file, and adds its size and checksum to `files` after the last one. */
async function* withChecksum(
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
  const about = await readFileMetadata(ctx, dataset, scope)
  const source = await recordSource(ctx, dataset, 'ndjson', {}, about)
  counts.records += source.count
  yield* writers.ndjson(source, { names: false, bom: false, excel: false, timeZone: 'UTC' })
}

import type * as v from 'valibot'
import type { Context } from '#functions/context.ts'
import { isBuiltInSet } from '#functions/shapes/region-sets.ts'
import { checkedSchema } from '#functions/domain/data-type/data-type-schema.ts'
import { withEnding } from '#functions/domain/noun/new-id.ts'
import { Failure } from '#functions/errors.ts'
import {
  ArchivedFolders,
  ArchivedSet,
  ArchivedSource,
  createZeroCounts,
  type ArchiveReport,
  type ArchiveCountName,
  type ReviewedNoun,
} from '#functions/shapes/archive.ts'
import { DataTypeRow, NewDataType } from '#functions/shapes/data-type.ts'
import { NewBoundarySet, type BoundarySetRow } from '#functions/shapes/boundary-set.ts'
import { Importer, NewImporter } from '#functions/shapes/importer.ts'
import type { SetUse } from '#functions/shapes/import-review.ts'
import { InsightRow, NewInsight } from '#functions/shapes/insight.ts'
import { NewObserver, ObserverRow } from '#functions/shapes/observer.ts'
import { NewPage } from '#functions/shapes/page.ts'
import { PlaceChanges, themeImages } from '#functions/shapes/place.ts'
import { NewSource } from '#functions/shapes/source.ts'
import {
  ArchivedCollection,
  ArchivedPage,
  ArchivedPlace,
  restrictVisibility,
  isOfficial,
  pick,
} from './documents.ts'
import { importFields } from './import-fields.ts'
import { forgetMedia, importMedia, type StoredBytes } from './import-media.ts'
import {
  areasIn,
  resolveBoundaries,
  resolveVisualization,
  requireSaid,
  sortSets,
  withSetsHere,
} from './import-sets.ts'
import { importRecords } from './import-records.ts'
import { importTranslations } from './import-translations.ts'
import { refusal, runWithPath, type ArchiveFile, type DocumentFolder } from './read.ts'
import { References, type ReferencedNoun } from './references.ts'
import { joinFields, splitFields, splitQuery, stateWith } from './set-uses.ts'
import { Refusals, type CallEndpoint, type ImportCall } from './writer.ts'

/**
 * One import of an archive into a new organization that exists already. Everything is created by its `/v1` endpoint;
 * what refers to a rejected thing is rejected as well. Ids that are free here are kept, others are replaced, also in
 * references. Nothing imported is public or enabled.
 */
export class Importing {
  private readonly refusals = new Refusals()
  private readonly references: References
  private readonly counts = createZeroCounts()
  private readonly renamed: ArchiveReport['renamed'] = []
  private readonly switchedOff: ArchiveReport['switchedOff'] = []
  private readonly leftOut: ArchiveReport['leftOut'] = []
  private readonly bytes: StoredBytes[] = []
  private readonly uses = new Map<string, SetUse>()

  constructor(
    private readonly file: ArchiveFile,
    private readonly call: CallEndpoint,
    private readonly place: { id: string; name: string },
  ) {
    this.references = new References(file.manifest.instance)
  }

  get refusedRows(): ArchiveReport['refused'] {
    return this.refusals.list
  }

  /** Imports everything, in an order in which referenced things come first. */
  async make(ctx: Context): Promise<void> {
    await this.folders(ctx)
    for (const id of this.file.ids('media')) await this.media(ctx, id)
    await this.refusals.attempt(ctx, 'boundarySets', () => this.boundarySets(ctx))
    await this.each(ctx, 'types', (id, name) => this.dataType(ctx, id, name))
    const { file, call } = this
    const fields = () => importFields(ctx, { file, call, placeId: this.place.id })
    await this.refusals.attempt(ctx, 'fields.json', fields)
    await this.each(ctx, 'sources', (id, name) => this.source(ctx, id, name))
    for (const name of this.file.under('records/')) await this.records(ctx, name)
    await this.each(ctx, 'insights', (id, name) => this.insight(ctx, id, name))
    await this.each(ctx, 'pages', (id, name) => this.page(ctx, id, name))
    await this.each(ctx, 'collections', (id, name) => this.collection(ctx, id, name))
    // Pages link to each other: all of them have their ids by now.
    await this.each(ctx, 'pages', (id, name) => this.contents(ctx, id, name))
    await this.each(ctx, 'importers', (id, name) => this.importer(ctx, id, name))
    await this.each(ctx, 'observers', (id, name) => this.observer(ctx, id, name))
    await this.refusals.attempt(ctx, 'place.json', () => this.placeItself(ctx))
    await this.refusals.attempt(ctx, 'translations.ndjson', () => this.translations(ctx))
    this.compareCounts()
  }

  report(isImported: boolean, fileId: string | null): ArchiveReport {
    const { exportedAt, instance, leftOut } = this.file.manifest
    const { counts, renamed, switchedOff, place } = this
    const lists = { refused: this.refusedRows, renamed, switchedOff }
    return {
      ...{ isImported, place, exportedAt, instance, counts, ...lists, fileId },
      leftOut: [...leftOut, ...this.leftOut],
    }
  }

  failure(): Failure {
    const [first] = this.refusedRows
    const more = this.refusedRows.length - 1
    return new Failure('invalid', {
      message: `The archive cannot be imported: ${first?.path.join('.')}: ${first?.message}${more > 0 ? ` (and ${more} more)` : ''}`,
      issues: this.refusedRows.map(({ path, message }) => ({ path, message })),
    })
  }

  /** Removes bytes of media that were stored for rows which are not there after all. */
  async forgetBytes(ctx: Context): Promise<void> {
    await forgetMedia(ctx, this.bytes)
  }

  private async each(
    ctx: Context,
    folder: DocumentFolder,
    make: (id: string, name: string) => Promise<unknown>,
  ): Promise<void> {
    for (const id of this.file.ids(folder)) {
      const name = `${folder}/${id}.json`
      await this.refusals.attempt(ctx, name, () => make(id, name))
    }
  }

  /** Reads a document and checks that its id matches its file name and its place, if it has one, the archive's. */
  private async read<Shape extends v.GenericSchema<unknown, { id: string; placeId?: string }>>(
    name: string,
    id: string,
    shape: Shape,
  ): Promise<v.InferOutput<Shape>> {
    const row = await this.file.document(name, shape)
    if (row.id !== id) throw refusal([name, 'id'], 'It is not the id that its file is named by.')
    if (row.placeId !== undefined && row.placeId !== this.file.manifest.place.id)
      throw refusal([name, 'placeId'], 'It is of another organization than the archive.')
    return row
  }

  /** Creates something under its original id, or under another where that is taken here; returns the id. */
  private async createWithId(
    ctx: Context,
    name: ImportCall,
    params: Record<string, string>,
    { noun, id }: { noun: string; id: string },
    { id: _id, ...data }: Record<string, unknown>,
  ): Promise<string> {
    const create = (newId: string | undefined) =>
      ctx.transaction(() =>
        this.call(ctx, name, params, { ...data, ...(newId !== undefined && { id: newId }) }),
      )
    const result = await create(id).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.kind !== 'conflict') throw error
      return create(noun === 'dataType' ? withEnding(id, 63) : undefined)
    })
    if (result.id !== id) this.renamed.push({ noun, id: result.id, from: id })
    return result.id
  }

  private count(counter: ArchiveCountName, noun: ReferencedNoun, from: string, to: string): void {
    this.references.set(noun, from, to)
    this.counts[counter] += 1
  }

  /** Notes what its review has to restore: its former state, '' for none, and the sets that it used. */
  private off(noun: ReviewedNoun, id: string, name: string, state: string, uses?: SetUse): void {
    const was = stateWith(uses, state)
    if (was === '') return
    if (uses) this.uses.set(`${noun} ${id}`, uses)
    this.switchedOff.push({ noun, id, name, was })
  }

  /** What a thing used of boundary sets, which it gets back once they are public. */
  readonly findUses = (noun: ReviewedNoun, id: string): SetUse | undefined => this.uses.get(`${noun} ${id}`)

  private async folders(ctx: Context): Promise<void> {
    const name = 'folders.json'
    if (!this.file.has(name)) return
    await this.refusals.attempt(ctx, name, async () => {
      for (const [i, folder] of (await this.file.document(name, ArchivedFolders)).entries()) {
        const parentId =
          folder.parentId && this.references.get('folder', folder.parentId, [name, i, 'parentId'])
        const params = { assetsId: this.place.id }
        const thing = { noun: 'folder', id: folder.id }
        const { name: folderName } = folder
        const newId = await runWithPath([name, i], () =>
          this.createWithId(ctx, 'assets.folder.create', params, thing, { name: folderName, parentId }),
        )
        this.references.set('folder', folder.id, newId)
      }
    })
  }

  private async media(ctx: Context, id: string): Promise<void> {
    const name = `media/${id}.json`
    await this.refusals.attempt(ctx, name, async () => {
      const { file, call, references, bytes } = this
      const assetId = await importMedia(ctx, { file, call, references, bytes, placeId: this.place.id }, id)
      if (assetId !== id) this.renamed.push({ noun: 'media', id: assetId, from: id })
      this.counts.media += 1
    })
  }

  /** Boundary sets with their areas, parents first. None is public, so no regions are calculated by them yet. */
  private async boundarySets(ctx: Context): Promise<void> {
    requireSaid(this.file)
    const rows: ArchivedSet[] = []
    for (const id of this.file.ids('boundarySets'))
      rows.push(await this.read(`boundarySets/${id}.json`, id, ArchivedSet))
    for (const row of sortSets(rows))
      await this.refusals.attempt(ctx, `boundarySets/${row.id}.json`, () => this.boundarySet(ctx, row))
  }

  private async boundarySet(ctx: Context, row: ArchivedSet): Promise<void> {
    const name = `boundarySets/${row.id}.json`
    const { nameField, codeField } = row
    const newId = await this.createWithId(
      ctx,
      'place.boundarySet.create',
      this.params(),
      { noun: 'boundarySet', id: row.id },
      {
        ...{ ...pick(row, NewBoundarySet.entries), visibility: restrictVisibility(row.visibility) },
        axes: 'asRead',
        parentId:
          row.parentId === null || isBuiltInSet(row.parentId)
            ? row.parentId
            : this.references.get('boundarySet', row.parentId, [name, 'parentId']),
        file: await areasIn(this.file, row.id),
      },
    )
    const params = { ...this.params(), boundarySetId: newId }
    const setRow = await this.call<v.InferOutput<typeof BoundarySetRow>>(
      ctx,
      'place.boundarySet.updateById',
      params,
      {
        ...{ nameField, codeField },
      },
    )
    if (setRow.areaCount !== row.areaCount)
      throw refusal([name, 'areaCount'], `It has ${setRow.areaCount} areas.`)
    if (row.visibility === 'public') this.off('boundarySet', newId, row.name, row.visibility)
    this.count('boundarySets', 'boundarySet', row.id, newId)
  }

  private async translations(ctx: Context): Promise<void> {
    const { file, call, references, refusals, place } = this
    const from = { file, call, references, refusals, placeId: place.id }
    this.counts.translations += await importTranslations(ctx, from)
  }

  /** An official data type with the same fields is reused; every other one becomes the organization's own. */
  private async dataType(ctx: Context, id: string, name: string): Promise<void> {
    const row = await this.read(name, id, DataTypeRow)
    if (row.ownerPlaceId === null && (await isOfficial(ctx, row)))
      return this.count('dataTypes', 'dataType', id, id)
    const { schema, fields } = splitFields(row.schema, (setId, path) =>
      this.references.get('boundarySet', setId, [name, 'schema', ...path]),
    )
    checkedSchema({ ...pick(row, NewDataType.entries), schema: joinFields(schema, fields) })
    const data = { ...pick(row, NewDataType.entries), schema, ownerPlaceId: this.place.id }
    const newId = await this.createWithId(ctx, 'dataType.create', {}, { noun: 'dataType', id }, data)
    if (Object.keys(fields).length > 0) this.off('dataType', newId, row.name, '', { fields })
    this.count('dataTypes', 'dataType', id, newId)
  }

  private async source(ctx: Context, id: string, name: string): Promise<void> {
    const row = await this.read(name, id, ArchivedSource)
    const dataTypeId = this.references.get('dataType', row.dataTypeId, [name, 'dataTypeId'])
    const { placeId: _place, ...data } = pick(row, NewSource.entries)
    const newId = await this.createWithId(
      ctx,
      'place.source.create',
      this.params(),
      { noun: 'source', id },
      {
        ...{ ...data, dataTypeId, visibility: restrictVisibility(row.visibility) },
      },
    )
    if (row.visibility === 'public') this.off('source', newId, row.name, row.visibility)
    this.count('sources', 'source', id, newId)
  }

  private async records(ctx: Context, name: string): Promise<void> {
    const { file, references, refusals, counts } = this
    await refusals.attempt(ctx, name, () =>
      importRecords(ctx, { file, references, refusals }, name, (created) => (counts.records += created)),
    )
  }

  private async insight(ctx: Context, id: string, name: string): Promise<void> {
    const row = await this.read(name, id, InsightRow)
    const { placeId: _place, ...data } = pick(row, NewInsight.entries)
    const { references } = this
    const recordOmission = (why: string) => void this.leftOut.push({ noun: 'insight', id, why })
    const { query, within: areas } = splitQuery(references, row.query, [name, 'query'])
    const newId = await this.createWithId(
      ctx,
      'insight.create',
      {},
      { noun: 'insight', id },
      {
        ...{ ...data, placeId: this.place.id, visibility: restrictVisibility(row.visibility) },
        dataTypeId: references.get('dataType', row.dataTypeId, [name, 'dataTypeId']),
        sourceId: row.sourceId && references.get('source', row.sourceId, [name, 'sourceId']),
        query: references.question(query, [name, 'query']),
        visualization: await resolveVisualization(ctx, references, row.visualization, name, recordOmission),
      },
    )
    const state = row.visibility === 'public' ? row.visibility : ''
    this.off('insight', newId, row.name, state, areas && { within: areas })
    this.count('insights', 'insight', id, newId)
  }

  private async page(ctx: Context, id: string, name: string): Promise<void> {
    const row = await this.read(name, id, ArchivedPage)
    const newId = await this.createWithId(
      ctx,
      'place.page.create',
      this.params(),
      { noun: 'page', id },
      {
        ...pick(row, NewPage.entries),
        ...{ visibility: restrictVisibility(row.visibility), publish: 'draft' },
      },
    )
    const isOff = row.visibility === 'public' || row.publish === 'published'
    if (isOff) this.off('page', newId, row.title, `${row.publish}, ${row.visibility}`)
    this.count('pages', 'page', id, newId)
  }

  private async contents(ctx: Context, id: string, name: string): Promise<void> {
    // Its rejection has been reported already.
    if (!this.references.has('page', id)) return
    const row = await this.read(name, id, ArchivedPage)
    const { references } = this
    const params = { ...this.params(), pageId: references.get('page', id, [name]) }
    for (const [i, part] of row.contents.entries()) {
      const path = [name, 'contents', i, 'settings']
      const settings = Object.fromEntries(
        Object.entries(part.settings).map(([key, value]) => {
          if (typeof value !== 'string') return [key, value]
          if (key === 'insightId') return [key, references.get('insight', value, [...path, key])]
          if (key === 'sourceId') return [key, references.get('source', value, [...path, key])]
          if (key === 'html') return [key, references.html(value)]
          return [key, key === 'url' ? references.address(value) : value]
        }),
      )
      const { kind } = part
      const contentId = await runWithPath([name, 'contents', i], () =>
        this.createWithId(
          ctx,
          'place.page.content.create',
          params,
          { noun: 'content', id: part.id },
          {
            ...{ kind, settings },
          },
        ),
      )
      references.set('content', part.id, contentId)
    }
  }

  private async collection(ctx: Context, id: string, name: string): Promise<void> {
    const row = await this.read(name, id, ArchivedCollection)
    const { references } = this
    const data = { name: row.name, notes: row.notes, visibility: restrictVisibility(row.visibility) }
    const newId = await this.createWithId(
      ctx,
      'place.collection.create',
      this.params(),
      { noun: 'collection', id },
      data,
    )
    const params = { ...this.params(), collectionId: newId }
    for (const [i, entry] of row.insights.entries()) {
      const path = [name, 'insights', i]
      const insightId = references.get('insight', entry.id, [...path, 'id'])
      const { position, notes } = entry
      await runWithPath(path, () =>
        this.call(ctx, 'place.collection.insight.updateById', { ...params, insightId }, { position, notes }),
      )
    }
    for (const [i, { id: textId, title, html, position }] of row.texts.entries()) {
      const madeText = await runWithPath([name, 'texts', i], () =>
        this.createWithId(
          ctx,
          'place.collection.text.create',
          params,
          { noun: 'text', id: textId },
          {
            ...{ title, position, html: references.html(html) },
          },
        ),
      )
      references.set('collectionText', textId, madeText)
    }
    if (row.visibility === 'public') this.off('collection', newId, row.name, row.visibility)
    this.count('collections', 'collection', id, newId)
  }

  /** Stays disabled until someone has reviewed it and entered its secrets. */
  private async importer(ctx: Context, id: string, name: string): Promise<void> {
    const row = await this.read(name, id, Importer)
    const params = { sourceId: this.references.get('source', row.sourceId, [name, 'sourceId']) }
    const newId = await this.createWithId(
      ctx,
      'source.importer.create',
      params,
      { noun: 'importer', id },
      {
        ...pick(row, NewImporter.entries),
        mapping: withSetsHere(this.references, row.mapping, name),
        enabled: false,
      },
    )
    if (row.enabled) this.off('importer', newId, row.name, 'enabled')
    this.counts.importers += 1
  }

  private async observer(ctx: Context, id: string, name: string): Promise<void> {
    const row = await this.read(name, id, ObserverRow)
    const { references } = this
    if (row.recipients.length > 0 || row.webhookUrl !== null)
      throw refusal([name], 'An archive tells nobody whom an observer writes to or calls.')
    const newId = await this.createWithId(
      ctx,
      'place.observer.create',
      this.params(),
      { noun: 'observer', id },
      {
        ...pick(row, NewObserver.entries),
        ...{ enabled: false, channels: [] },
        dataTypeId: references.get('dataType', row.dataTypeId, [name, 'dataTypeId']),
        sourceId: row.sourceId && references.get('source', row.sourceId, [name, 'sourceId']),
        filters: references.question(row.filters, [name, 'filters']),
        condition: references.question(row.condition, [name, 'condition']),
      },
    )
    if (row.enabled) this.off('observer', newId, row.name, 'enabled')
    this.counts.observers += 1
  }

  /** The settings of the organization. Its hub is off until someone has reviewed the import. */
  private async placeItself(ctx: Context): Promise<void> {
    const name = 'place.json'
    const row = await this.file.document(name, ArchivedPlace)
    if (row.id !== this.file.manifest.place.id)
      throw refusal([name, 'id'], 'It is another organization than the manifest says.')
    const { references } = this
    const theme = Object.fromEntries(
      Object.entries(row.theme).map(([key, value]) => [
        key,
        (themeImages as readonly string[]).includes(key) ? references.address(value) : value,
      ]),
    )
    const { now, uses } = await resolveBoundaries(ctx, { file: this.file, references }, row, this.leftOut)
    const { version: _version, name: _name, ...data } = pick(row, PlaceChanges.entries)
    await this.call(ctx, 'place.updateById', this.params(), {
      ...{ ...data, ...now, theme, isHub: false },
      ...{ about: references.html(row.about), privacy: references.html(row.privacy) },
    })
    const isUsing = Object.keys(uses).length > 0
    this.off('place', this.place.id, row.displayName, row.isHub ? 'hub' : '', isUsing ? uses : undefined)
  }

  /** Compares the number of created things with the manifest, where nothing was rejected. */
  private compareCounts(): void {
    if (this.refusedRows.length > 0) return
    for (const [noun, count] of Object.entries(this.file.manifest.counts))
      if (this.counts[noun as ArchiveCountName] !== count)
        this.refusals.add(
          ['manifest.json', 'counts', noun],
          `The archive has ${this.counts[noun as ArchiveCountName]}.`,
        )
  }

  private params() {
    return { placeId: this.place.id }
  }
}

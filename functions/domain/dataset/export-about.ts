import { fileColumn } from './export-source.ts'
import { open, type Dataset, type Scope } from './open.ts'
import type { Context } from '#functions/context.ts'
import { hex, sha256 } from '#functions/platform/digest.ts'
import { isShape, type FileAbout } from '#functions/engine/export/file.ts'
import { dataPackage, type Resource } from '#functions/engine/export/table-schema.ts'
import type { DataPackage } from '#functions/shapes/data-package.ts'
import type { FieldsOptions } from '#functions/shapes/datum.ts'
import { exportFiles, type ExportFormat } from '#functions/shapes/export-format.ts'

/** The metadata of a file: that of the source, or of the data type for several sources. */
export async function readFileMetadata(
  ctx: Context,
  dataset: Dataset,
  { sourceId }: Scope,
): Promise<FileAbout> {
  const { dataTypeId } = dataset
  const none = {
    ...{ licence: null, licenceUrl: null, attribution: null, attributionUrl: null, updatedAt: null },
    ...{ publisher: null, publisherUrl: null, contactName: null, contact: null, keywords: [] },
  }
  const version = await formatDataVersion(dataset)
  if (sourceId !== undefined) {
    const source = await ctx.db
      .selectFrom('source')
      .select(['name', 'notes', 'licence', 'licenceUrl', 'attribution', 'attributionUrl', 'dataUpdatedAt'])
      .select(['publisher', 'publisherUrl', 'contactName', 'contact', 'tags'])
      .where('id', '=', sourceId)
      .executeTakeFirst()
    const { name = sourceId, notes = '', dataUpdatedAt = null, tags = [], ...value } = source ?? {}
    const updatedAt = dataUpdatedAt && new Date(dataUpdatedAt).toISOString()
    return {
      ...none,
      ...value,
      id: sourceId,
      title: name,
      description: notes,
      keywords: tags,
      version,
      updatedAt,
    }
  }
  const dataType = await ctx.db
    .selectFrom('dataType')
    .select(['name', 'notes'])
    .where('id', '=', dataTypeId)
    .executeTakeFirst()
  const { name = dataTypeId, notes = '' } = dataType ?? {}
  return { ...none, id: dataTypeId, title: name, description: notes, version }
}

/** The Data Package descriptor of some records, whose files are generated on request. */
export async function describe(ctx: Context, scope: Scope, options: FieldsOptions): Promise<DataPackage> {
  const dataset = await open(ctx, scope, options)
  const columns = Object.keys(dataset.schema).map((key) => fileColumn(dataset, key))
  const formats: ExportFormat[] = ['csv', ...(columns.some(isShape) ? (['geojson'] as const) : []), 'parquet']
  const resources = formats.map((format): Resource => {
    const mediatype = exportFiles[format].type.split(';')[0] ?? ''
    return { path: `export.${format}`, format, mediatype }
  })
  return dataPackage(await readFileMetadata(ctx, dataset, scope), columns, resources)
}

/** Longest version text, because it is sent in a header, which clients limit to some kilobytes. */
const longestVersion = 2000

/**
 * The data version of one source; for several, `id=version` separated by commas; for so many that no header
 * holds them, their number and a hash of that text.
 */
async function formatDataVersion({ sources }: Dataset): Promise<string> {
  const [first] = sources
  if (first && sources.length === 1) return String(first.dataVersion)
  const all = sources.map(({ id, dataVersion }) => `${id}=${dataVersion}`).join(',')
  if (all.length <= longestVersion) return all
  return `sources=${sources.length},sha256=${hex(await sha256(all))}`
}

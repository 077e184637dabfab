import type { Context } from '#functions/context.ts'
import { pointTiles } from '#functions/domain/dataset/tile-source.ts'
import type { MapKeys } from '#functions/engine/picture/map.ts'

/** The query of an insight and what it reads. */
export interface Question {
  placeId: string
  dataTypeId: string
  sourceId: string | null
  visibility: string
  query: Record<string, unknown>
}

/** Tiles equivalent to a map's rows, and how their features relate to the rows of the list. */
export interface MapTiles {
  address: string
  /** The column with the record's id, and the property of a feature that holds it. */
  idAlias: string
  idProperty: string
  nameProperty: string
  /** The fields in the pop-up of a record besides its name. */
  popup: { property: string; label: string }[]
}

/** Below so many rows one file is smaller than the tiles of a view, and the browser clusters points itself. */
const fewRows = 2000
/** Members of a query that keep one row per record. */
const harmless = ['aggregations', 'groupings', 'orderings', 'limit', 'filters', 'timezone']

/**
 * The record tiles for a map that shows single records as points. Null for few rows, or if the rows are not plain records of public
 * sources: the map then has its rows in a file. Tiles show every record, also beyond the limit of the query.
 */
export async function mapTiles(
  ctx: Context,
  question: Question,
  keys: MapKeys,
  popup: readonly { alias: string; label: string }[],
): Promise<MapTiles | null> {
  const { placeId, dataTypeId, sourceId, visibility, query } = question
  if (keys.kind !== 'points' || keys.rows.length < fewRows || visibility !== 'public') return null
  if (Object.keys(query).some((name) => !harmless.includes(name))) return null
  const fields = findColumnFields(query)
  const idAlias = Object.keys(fields ?? {}).find((alias) => fields?.[alias] === 'id')
  const name = fields?.[keys.nameAlias]
  if (!fields || idAlias === undefined || name === undefined) return null
  const { filters } = query
  const filterParams = filters === undefined || filters === null ? {} : { filters }
  const lines = popup.flatMap(({ alias, label }) => {
    const field = fields[alias]
    return field === undefined ? [] : [{ field, label }]
  })
  const fieldNames = [...new Set(['id', name, ...lines.map(({ field }) => field)])]
  const address = await pointTiles(ctx, {
    placeId,
    dataTypeId,
    sourceId,
    fields: fieldNames,
    ...filterParams,
  })
  if (address === null) return null
  return {
    ...{ address, idAlias, idProperty: 'data.id', nameProperty: `data.${name}` },
    popup: lines.map(({ field, label }) => ({ property: `data.${field}`, label })),
  }
}

/** The field of each column of a query that only selects fields, all of them grouped; null for other queries. */
function findColumnFields({
  aggregations,
  groupings,
}: Record<string, unknown>): Record<string, string> | null {
  if (!Array.isArray(aggregations) || !Array.isArray(groupings)) return null
  const groupFields = new Set(groupings.map((each) => (each as { field?: unknown } | null)?.field))
  const fieldKeys: Record<string, string> = {}
  for (const each of aggregations as { alias?: unknown; value?: { field?: unknown } }[]) {
    const { alias, value } = each
    const key = /^data\.([A-Za-z0-9]+)$/.exec(String(value?.field ?? ''))?.[1]
    if (typeof alias !== 'string' || key === undefined || !groupFields.has(alias) || 'filters' in each)
      return null
    fieldKeys[alias] = key
  }
  return fieldKeys
}

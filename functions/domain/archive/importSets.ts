import type { Context } from '#functions/context.ts'
import type { ArchivedSet, ArchiveReport } from '#functions/shapes/archive.ts'
import { mostSetBytes } from '#functions/shapes/boundarySet.ts'
import { readMapping, withSets } from '#functions/shapes/importerMapping.ts'
import type { PlaceChanges } from '#functions/shapes/place.ts'
import { isBuiltInSet } from '#functions/shapes/regionSets.ts'
import type { InsightRow } from '#functions/shapes/insight.ts'
import type * as v from 'valibot'
import type { ArchivedPlace } from './documents.ts'
import { parentsFirst } from './parentsFirst.ts'
import { refusal, type ArchiveFile } from './read.ts'
import type { References } from './references.ts'

/** The areas of a set as an uploaded file. Failure `invalid` where it exceeds the size limit. */
export async function areasIn(file: ArchiveFile, id: string): Promise<File> {
  const name = `boundarySets/${id}.geojson`
  if (file.size(name) > mostSetBytes) throw refusal([name], 'It is larger than a file of areas may be.')
  const chunks: BlobPart[] = []
  for await (const chunk of file.bytes(name)) chunks.push(chunk as Uint8Array<ArrayBuffer>)
  return new File(chunks, 'areas.geojson', { type: 'application/geo+json' })
}

/** Rejects areas of sets that the archive does not describe. */
export function requireSaid(file: ArchiveFile): void {
  const ids = new Set(file.ids('boundarySets'))
  for (const name of file.under('boundarySets/')) {
    const [, id] = /^boundarySets\/(.*)\.geojson$/.exec(name) ?? []
    if (id !== undefined && !ids.has(id)) throw refusal([name], 'The archive has no boundary set of this id.')
  }
}

/** Whether an id is that of a boundary set of some place: sets that come with the product have no row. */
export async function isSet(ctx: Context, id: string): Promise<boolean> {
  const row = await ctx.db.selectFrom('boundarySet').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** Sorts sets so that each comes after its parent. Failure `invalid` for a missing parent or a cycle. */
export function sortSets(rows: ArchivedSet[]): ArchivedSet[] {
  const { sorted, left } = parentsFirst(rows)
  const [first] = left
  if (!first) return sorted
  throw refusal(
    [`boundarySets/${first.id}.json`, 'parentId'],
    'The archive has no boundary set of this id, or it is a part of this one.',
  )
}

/** The shared boundaries that the organization is drawn by and that exist here; missing ones are added to `leftOut`. */
export async function boundariesOf(
  ctx: Context,
  row: v.InferOutput<typeof ArchivedPlace>,
  leftOut: ArchiveReport['leftOut'],
): Promise<Pick<PlaceChanges, 'boundaryId' | 'ownBoundary' | 'allStatesBoundaryId'>> {
  const { ownBoundary, boundaryId, allStatesBoundaryId } = row
  const isKept = ownBoundary !== null && isBuiltInSet(ownBoundary.boundarySetId)
  if (ownBoundary && !isKept)
    leftOut.push({ noun: 'boundary', id: ownBoundary.boundarySetId, why: 'Archives have no boundary sets.' })
  const here = async (id: string | null) => {
    if (id === null || isBuiltInSet(id)) return id
    const boundary = await ctx.db.selectFrom('boundary').select('id').where('id', '=', id).executeTakeFirst()
    if (!boundary) leftOut.push({ noun: 'boundary', id, why: 'There is no such boundary here.' })
    return boundary ? id : null
  }
  // A place has one boundary.
  const boundary = isKept ? { ownBoundary } : { ownBoundary: null, boundaryId: await here(boundaryId) }
  return { ...boundary, allStatesBoundaryId: await here(allStatesBoundaryId) }
}

/** The mapping of an importer, with the ids of its boundary sets here. What is no mapping is left to the endpoint to reject. */
export function withSetsHere(references: References, value: unknown, name: string): unknown {
  const { mapping, issues } = readMapping(value)
  if (issues.length > 0) return value
  return withSets(mapping, (id, path) =>
    isBuiltInSet(id) ? id : references.get('boundarySet', id, [name, 'mapping', ...path]),
  )
}

type Visualization = v.InferOutput<typeof InsightRow>['visualization']

/** The drawing of an insight, with the id of its boundary set here; built-in sets are shared by everyone. */
export async function drawnBy(
  ctx: Context,
  references: References,
  visualization: Visualization,
  name: string,
): Promise<Visualization> {
  const set = visualization.settings?.boundarySetId
  if (set === undefined) return visualization
  const path = [name, 'visualization', 'settings', 'boundarySetId']
  if (!references.has('boundarySet', set) && !(await isSet(ctx, set))) return visualization
  const boundarySetId = references.get('boundarySet', set, path)
  return { ...visualization, settings: { ...visualization.settings, boundarySetId } }
}

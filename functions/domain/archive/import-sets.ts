import type { Context } from '#functions/context.ts'
import type { ArchivedSet, ArchiveReport } from '#functions/shapes/archive.ts'
import { maxSetBytes } from '#functions/shapes/boundary-set.ts'
import { readMapping, withSets } from '#functions/shapes/importer-mapping.ts'
import type { SetUse } from '#functions/shapes/import-review.ts'
import type { PlaceChanges } from '#functions/shapes/place.ts'
import { isBuiltInSet } from '#functions/shapes/region-sets.ts'
import type { InsightRow } from '#functions/shapes/insight.ts'
import type * as v from 'valibot'
import type { ArchivedPlace } from './documents.ts'
import { parentsFirst } from './parents-first.ts'
import { refusal, type ArchiveFile } from './read.ts'
import type { References } from './references.ts'

/** The areas of a set as an uploaded file. Failure `invalid` where it exceeds the size limit. */
export async function areasIn(file: ArchiveFile, id: string): Promise<File> {
  const name = `boundarySets/${id}.geojson`
  if (file.size(name) > maxSetBytes) throw refusal([name], 'It is larger than a file of areas may be.')
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
async function isSet(ctx: Context, id: string): Promise<boolean> {
  const row = await ctx.db.selectFrom('boundarySet').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** Sorts sets so that each comes after its parent. Failure `invalid` for a missing parent or a cycle. */
export function sortSets(rows: ArchivedSet[]): ArchivedSet[] {
  // A built-in parent is here already.
  const { sorted, left } = parentsFirst(
    rows.map((row) => ({
      ...row,
      parentId: row.parentId !== null && isBuiltInSet(row.parentId) ? null : row.parentId,
    })),
  )
  const [first] = left
  const byId = new Map(rows.map((row) => [row.id, row]))
  if (!first) return sorted.flatMap(({ id }) => byId.get(id) ?? [])
  throw refusal(
    [`boundarySets/${first.id}.json`, 'parentId'],
    'The archive has no boundary set of this id, or it is a part of this one.',
  )
}

/**
 * What the organization is drawn by. `now`: the boundaries that everyone has; those in sets of the archive are `uses`,
 * since everyone sees the map of an organization, and no set is public yet. Those that there are not are added to
 * `leftOut`. Failure `invalid` for a set that the archive neither has nor says it left out.
 */
export async function resolveBoundaries(
  ctx: Context,
  { file, references }: { file: ArchiveFile; references: References },
  row: v.InferOutput<typeof ArchivedPlace>,
  leftOut: ArchiveReport['leftOut'],
): Promise<{
  now: Pick<PlaceChanges, 'boundaryId' | 'ownBoundary' | 'allStatesBoundaryId'>
  uses: Pick<SetUse, 'ownBoundary' | 'allStatesBoundaryId'>
}> {
  const { ownBoundary, boundaryId, allStatesBoundaryId } = row
  const omitBoundary = (id: string, why: string) => {
    leftOut.push({ noun: 'boundary', id, why })
    return null
  }
  // Archives had no sets at first, and too large ones are not in any.
  const isLeftOut = (id: string) =>
    file.ids('boundarySets').length === 0 ||
    file.manifest.leftOut.some((each) => each.noun === 'boundarySet' && each.id === id)
  const resolveSharedBoundary = async (id: string | null) => {
    if (id === null || isBuiltInSet(id)) return id
    const boundary = await ctx.db.selectFrom('boundary').select('id').where('id', '=', id).executeTakeFirst()
    return boundary ? id : omitBoundary(id, chooseAnother)
  }
  const setIdHere = (id: string, path: string[]) => {
    if (isLeftOut(id) && !references.has('boundarySet', id)) return omitBoundary(id, bringSet)
    return references.get('boundarySet', id, ['place.json', ...path])
  }
  const own = ownBoundary && !isBuiltInSet(ownBoundary.boundarySetId) ? ownBoundary : null
  const ownSetId = own && setIdHere(own.boundarySetId, ['ownBoundary', 'boundarySetId'])
  const isOfSet = allStatesBoundaryId !== null && references.has('boundarySet', allStatesBoundaryId)
  return {
    now: {
      // A place has one boundary.
      ...(ownBoundary && !own
        ? { ownBoundary }
        : { ownBoundary: null, boundaryId: await resolveSharedBoundary(boundaryId) }),
      allStatesBoundaryId: isOfSet ? null : await resolveSharedBoundary(allStatesBoundaryId),
    },
    uses: {
      ...(own && ownSetId !== null && { ownBoundary: { ...own, boundarySetId: ownSetId } }),
      ...(isOfSet && { allStatesBoundaryId: references.get('boundarySet', allStatesBoundaryId, []) }),
    },
  }
}

const chooseAnother = 'There is no such boundary here: choose another under Map in the settings.'
const bringSet =
  'The archive does not have this boundary set: bring it in, make it public, then choose it again under Map in the settings.'

/** The mapping of an importer, with the ids of its boundary sets here. What is no mapping is left to the endpoint to reject. */
export function withSetsHere(references: References, value: unknown, name: string): unknown {
  const { mapping, issues } = readMapping(value)
  if (issues.length > 0) return value
  return withSets(mapping, (id, path) =>
    isBuiltInSet(id) ? id : references.get('boundarySet', id, [name, 'mapping', ...path]),
  )
}

type Visualization = v.InferOutput<typeof InsightRow>['visualization']

/**
 * The drawing of an insight, with the id of its boundary set here; sets that everyone has keep theirs. One that exists
 * neither in the archive nor here is left out, which `recordOmission` is told: earlier archives kept the ids of deleted sets.
 * Failure `invalid` for one of another organization.
 */
export async function resolveVisualization(
  ctx: Context,
  references: References,
  visualization: Visualization,
  name: string,
  recordOmission: (why: string) => void,
): Promise<Visualization> {
  const { boundarySetId: set, ...others } = visualization.settings ?? {}
  if (set === undefined || isBuiltInSet(set)) return visualization
  if (references.has('boundarySet', set) || (await isSet(ctx, set))) {
    const path = [name, 'visualization', 'settings', 'boundarySetId']
    const boundarySetId = references.get('boundarySet', set, path)
    return { ...visualization, settings: { ...others, boundarySetId } }
  }
  recordOmission(
    'Which boundary set its map is divided by: there is none with this id. Choose another in the insight.',
  )
  return { ...visualization, settings: others }
}

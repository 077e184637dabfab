import { byNaturalOrder } from '#functions/domain/noun/natural-order.ts'
import { sql } from 'kysely'
import type * as v from 'valibot'
import { param, requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { sortBy, capLimit, listRows } from '#functions/domain/noun/paging.ts'
import { createPlacedNoun, type OneRequest } from '#functions/domain/noun/placed-noun.ts'
import { announceAs, updateKnown, versionedRows, type KnownVersion } from '#functions/domain/noun/rows.ts'
import { expectVersion } from '#functions/domain/noun/versions.ts'
import { whereListVisible } from '#functions/domain/noun/visible.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { dependsOn } from '#functions/platform/cache/depends.ts'
import { Failure } from '#functions/errors.ts'
import type { Context } from '#functions/context.ts'
import type {
  BoundarySetAreaOptions,
  BoundarySetAreaRow,
  BoundarySetChanges,
  NewBoundarySet,
  NewEdition,
  OfferedOptions,
} from '#functions/shapes/boundary-set.ts'
import type { Page } from '#functions/shapes/options.ts'
import { Download } from '#functions/shapes/download.ts'
import type { Extent } from '#functions/shapes/fields/extent.ts'
import type { Tx } from '#db/schema.ts'
import { isBuiltInSet } from '#functions/shapes/region-sets.ts'
import { containsPattern } from '#functions/shapes/like-pattern.ts'
import { queueAllRegions } from '#functions/domain/data-type/regions.ts'
import {
  findBuiltInSet,
  readBuiltInAreas,
  searchBuiltInSets,
} from '#functions/engine/picture/built-in-sets.ts'
import { boundaryKey } from '#functions/engine/tile/manifest.ts'
import { storeNesting, requireInside, requireParent } from './nesting.ts'
import { boundaryBoxes, keepsArea } from './place-boundary.ts'
import { refuseWhereFound, refuseWhereUsed } from './region-work.ts'
import { findOverlaps } from './overlaps.ts'
import { maxFindings, renameAreas, writeAreas } from './set-areas.ts'
import { guessFields, inspectSetFile, type BoundaryFileSummary } from './set-file.ts'
import { drawableAreas, publishShapes, withdrawShapes } from './set-shapes.ts'
import { emitColoured } from './set-tiles.ts'

const columns = [
  'boundarySet.id',
  'boundarySet.placeId',
  'boundarySet.name',
  'boundarySet.notes',
  'boundarySet.origin',
  'boundarySet.licence',
  'boundarySet.vintage',
  'boundarySet.visibility',
  'boundarySet.parentId',
  'boundarySet.nesting',
  'boundarySet.nameField',
  'boundarySet.codeField',
  'boundarySet.edition',
  'boundarySet.areaCount',
  'boundarySet.vertexCount',
  'boundarySet.bounds',
  'boundarySet.fields',
  'boundarySet.findings',
  'boundarySet.findingCount',
  'boundarySet.version',
  'boundarySet.createdAt',
  'boundarySet.updatedAt',
] as const

const announceSet = announceAs('boundarySet', ({ name }: { name: string }) => name, { kind: 'boundarySet' })

interface SetOfPlace {
  id: string
  placeId: string
  name: string
}

/** Pages with insights coloured by a set are rendered again with it. */
const rows = versionedRows('boundarySet', async (tx, ctx, verb, row: SetOfPlace) => {
  await announceSet(tx, ctx, verb, row)
  if (verb === 'created') return
  await emitColoured(tx, ctx, row)
})

const noun = createPlacedNoun({
  noun: 'boundarySet',
  select: ({ db }: Context) => db.selectFrom('boundarySet').select(columns),
  listing: { order: [sortBy('name')], searchColumns: ['boundarySet.name', 'boundarySet.origin'] },
  rows,
})

/** The boundary sets of a place by name, and one of them; undefined where there is none that the actor may see. */
export const { find, findById } = noun
type SetRow = NonNullable<Awaited<ReturnType<typeof noun.get>>>

/** Creates a set from a file or GeoJSON. Nothing is stored of a rejected one. */
export async function create(ctx: Context, request: NounRequest<unknown, NewBoundarySet>) {
  const { file, geojson, axes, id: value, visibility = 'private', ...words } = request.data
  const placeId = requirePlaceId(request)
  // Its areas would be stored under the key of a built-in set.
  if (value !== undefined && isBuiltInSet(value))
    throw new Failure('conflict', { message: 'There is a boundary set with this id.' })
  const inspection = await inspectSetFile({ file, geojson, axes }, () => listDataBoxes(ctx, placeId))
  const fields = guessFields(inspection.fields)
  const id = await write(ctx, async (tx) => {
    const values = { ...words, ...fields, ...toSummaryColumns(inspection), placeId, visibility }
    if (words.parentId) await requireParent(tx, ctx, placeId, null, words.parentId)
    const setId = await rows.insert(tx, ctx, values, { chosenId: value })
    await fill(tx, { boundarySetId: setId, placeId, edition: 1, ...fields }, inspection)
    if (words.parentId) requireInside(await storeNesting(tx, ctx, setId), words.parentId)
    return setId
  })
  return getPresented(ctx, { params: { boundarySetId: id }, placeId })
}

/** Replaces the areas of a set by those of another file, which must have its attributes for names and codes as well. */
export async function replace(ctx: Context, request: NounRequest<unknown, NewEdition>) {
  const row = await noun.get(ctx, request)
  if (!row) return undefined
  // A new version lies where the areas were.
  const inspection = await inspectSetFile(request.data, async () => [row.bounds])
  const field = 'file' in request.data && request.data.file ? 'file' : 'geojson'
  requireFields(row, inspection.fields, field)
  await write(ctx, async (tx) => {
    const edition = row.edition + 1
    await rows.update(tx, ctx, row, { ...toSummaryColumns(inspection), edition, tiles: null })
    await fill(tx, { ...row, boundarySetId: row.id, edition }, inspection)
    await tx
      .deleteFrom('boundarySetArea')
      .where('boundarySetId', '=', row.id)
      .where('edition', '<', edition)
      .execute()
    await keepsArea(tx, { ...row, edition }, [field])
    requireInside(await storeNesting(tx, ctx, row.id), row.parentId, field)
    await queueAllRegions(tx, ctx, { boundarySetIds: [row.id] })
  })
  ctx.wake('jobs')
  return getPresented(ctx, request)
}

/** Updates the description of a set, its visibility, and the attributes with the names and codes of its areas. */
export async function updateById(
  ctx: Context,
  request: NounRequest<unknown, BoundarySetChanges & KnownVersion>,
) {
  const updatedRow = await updateKnown(
    ctx,
    request.data,
    () => noun.get(ctx, request),
    async (row, changes: BoundarySetChanges) => {
      const fields = {
        nameField: changes.nameField === undefined ? row.nameField : changes.nameField || null,
        codeField: changes.codeField === undefined ? row.codeField : changes.codeField || null,
      }
      // Unchanged attributes were validated when they were chosen.
      const another = {
        nameField: fields.nameField === row.nameField ? null : fields.nameField,
        codeField: fields.codeField === row.codeField ? null : fields.codeField,
      }
      requireFields(another, row.fields, null)
      const isNamedAnew = fields.nameField !== row.nameField || fields.codeField !== row.codeField
      const isClosed = changes.visibility !== undefined && changes.visibility !== 'public'
      if (isClosed) await refuseWhereUsed(ctx.db, row, ['visibility'])
      const { parentId } = changes
      const isMoved = parentId !== undefined && parentId !== row.parentId
      const change = async (tx: Tx) => {
        if (parentId && isMoved) await requireParent(tx, ctx, row.placeId, row.id, parentId)
        await rows.update(tx, ctx, row, { ...changes, ...fields, ...(isNamedAnew ? { tiles: null } : {}) })
        if (isNamedAnew) await renameAreas(tx, { ...row, ...fields, boundarySetId: row.id })
        if (isNamedAnew) await keepsArea(tx, row, ['codeField'])
        // Its areas are listed by their names.
        const outside = isMoved || isNamedAnew ? await storeNesting(tx, ctx, row.id) : null
        if (parentId && isMoved) requireInside(outside, parentId)
        if (isClosed) await refuseWhereUsed(tx, row, ['visibility'])
        if (isNamedAnew) await queueAllRegions(tx, ctx, { boundarySetIds: [row.id] })
      }
      const writeChange = () => write(ctx, change)
      await (isClosed ? withdrawing(ctx, request, row, writeChange) : writeChange())
      if (isNamedAnew) ctx.wake('jobs')
    },
  )
  return updatedRow && getPresented(ctx, request)
}

/** Deletes a set; it can be restored for 30 days. */
export async function deleteById(ctx: Context, request: NounRequest) {
  const row = await noun.get(ctx, request)
  if (!row) return undefined
  await refuseWhereUsed(ctx.db, row, [])
  await refuseWhereFound(ctx.db, row, [])
  expectVersion(ctx, undefined, row)
  return withdrawing(ctx, request, row, () => noun.deleteById(ctx, request))
}

/**
 * Withdraws the areas of a set before a change after which they are no longer public: otherwise an error after it would
 * leave private areas readable. Publishes them again if the change fails.
 */
async function withdrawing<Result>(
  ctx: Context,
  request: OneRequest,
  { id }: SetRow,
  change: () => Promise<Result>,
): Promise<Result> {
  await withdrawShapes(ctx, id)
  try {
    return await change()
  } catch (error) {
    await getPresented(ctx, request)
    throw error
  }
}

/** Restores a set that was deleted up to 30 days ago. */
export async function restore(ctx: Context, request: NounRequest) {
  return (await noun.restore(ctx, request)) && getPresented(ctx, request)
}

/** The areas of a set in the order of its file, without their geometries. */
export async function findAreas(ctx: Context, request: NounRequest<BoundarySetAreaOptions>) {
  const setId = param(request, 'boundarySetId')
  if (isBuiltInSet(setId)) return findBuiltInAreas(ctx, setId, request.options)
  const set = await noun.get(ctx, request)
  if (!set) return undefined
  const query = ctx.db
    .selectFrom('boundarySetArea')
    .select([
      'boundarySetArea.number',
      'boundarySetArea.code',
      'boundarySetArea.name',
      'boundarySetArea.attributes',
    ])
    .where('boundarySetId', '=', set.id)
    .where('edition', '=', set.edition)
  const listing = {
    table: 'boundarySetArea',
    order: [sortBy('id', 'asc', 'integer')],
    columns: { id: 'boundarySetArea.number' },
    searchColumns: ['boundarySetArea.name', 'boundarySetArea.code'],
  }
  return listRows(ctx, query, listing, request.options)
}

/** A page of the areas of a set that everyone has, from its file. */
async function findBuiltInAreas(
  { tiles }: Context,
  setId: string,
  { search, limit: requestedLimit, offset = 0 }: BoundarySetAreaOptions,
): Promise<Page<v.InferOutput<typeof BoundarySetAreaRow>>> {
  const areas = await readBuiltInAreas(tiles, setId, search ?? '')
  const { limit, capped: limitMeta } = capLimit(requestedLimit)
  const results = areas
    .slice(offset, offset + limit)
    .map(({ number, code, name }) => ({ number, code, name, attributes: {} }))
  return { results, meta: { results: results.length, total: areas.length, ...limitMeta } }
}

/** The areas of a set for pictures; null where there is no such set that the actor may see. */
export async function findShapes(ctx: Context, id: string) {
  const set = await noun.get(ctx, { params: { boundarySetId: id }, placeId: null })
  return set ? drawableAreas(ctx, set) : null
}

const areasAtOnce = 100

/**
 * All areas of a set as GeoJSON, in full detail; of a built-in set those that maps draw. Undefined where there is no such
 * set that the actor may see.
 */
export async function geojson(ctx: Context, request: NounRequest): Promise<Download | undefined> {
  const setId = param(request, 'boundarySetId')
  if (isBuiltInSet(setId)) {
    const file = await ctx.tiles.get(boundaryKey(setId))
    return file ? new Download('application/geo+json', file.body, `${setId}.geojson`) : undefined
  }
  const set = await noun.get(ctx, request)
  if (!set) return undefined
  const { name, origin, licence, vintage } = set
  const head = JSON.stringify({ type: 'FeatureCollection', name, origin, licence, vintage })
  let number = 0
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start: (control) => control.enqueue(encoder.encode(`${head.slice(0, -1)},"features":[`)),
    async pull(control) {
      const areas = await featuresAfter(ctx, set, number)
      const text = areas.map((area) => area.feature).join(',\n')
      if (text) control.enqueue(encoder.encode(number === 0 ? text : `,\n${text}`))
      number = areas.at(-1)?.number ?? number
      if (areas.length === areasAtOnce) return
      control.enqueue(encoder.encode(']}'))
      control.close()
    },
  })
  return new Download('application/geo+json', body, `${set.id}.geojson`)
}

async function featuresAfter(ctx: Context, set: SetRow, number: number) {
  const { rows: areas } = await sql<{ number: number; feature: string }>`
    select number, json_build_object('type', 'Feature', 'id', code, 'properties', attributes,
      'geometry', ST_AsGeoJSON(area, 7)::json)::text as feature
    from boundary_set_area
    where boundary_set_id = ${set.id} and edition = ${set.edition} and number > ${number}
    order by number limit ${areasAtOnce}::int`.execute(ctx.db)
  return areas
}

/** The most sets and sources of a place that a new file's location is compared with. */
const maxKnown = 500
/** A search of at least this length also finds sets of other organizations. */
const minSearch = 2
const maxOfOthers = 50
/** What only built-in sets have. */
const uncompared = { iso: null, disputes: [], found: [] }

/**
 * Sets that maps may be coloured by and records filtered by: the public ones of the place and the shared ones, including
 * the first-level regions of countries; with a search those whose name, origin, country or areas match, and matching
 * public sets of other organizations. With an id only that set, with all of its differences from ISO 3166-2.
 */
export async function findOffered(ctx: Context, request: NounRequest<OfferedOptions>) {
  const { search = '', id } = request.options
  const placeId = requirePlaceId(request)
  const [own, builtInSets, others] = await Promise.all([
    publicSets(ctx, { placeId, search, id }),
    id === undefined ? searchBuiltInSets(ctx.tiles, search) : findBuiltInSet(ctx.tiles, id),
    id !== undefined || search.length >= minSearch
      ? publicSets(ctx, { placeId: null, search, id }, maxOfOthers)
      : [],
  ])
  const builtIn = builtInSets.map((set) => ({ ...set, placeId: null, placeName: null }))
  const sets = [
    ...own.map((set) => ({ ...set, ...uncompared })),
    ...builtIn,
    ...others.filter((set) => set.placeId !== placeId).map((set) => ({ ...set, ...uncompared })),
  ]
  return { results: sets }
}

/** Public sets whose name or origin matches a search, by name: those of a place, or of every place that still exists. */
function publicSets(
  ctx: Context,
  { placeId, search, id }: { placeId: string | null; search: string; id: string | undefined },
  most = 1000,
) {
  const like = containsPattern(search)
  const columns = ['id', 'placeId', 'name', 'origin', 'licence', 'vintage', 'areaCount'] as const
  return ctx.db
    .selectFrom('boundarySet')
    .innerJoin('place', 'place.id', 'boundarySet.placeId')
    .select(columns.map((column) => `boundarySet.${column}` as const))
    .select('place.displayName as placeName')
    .where(whereListVisible(ctx, 'boundarySet', placeId, 'public'))
    .where('place.deletedAt', 'is', null)
    .where(sql<boolean>`(boundary_set.name || ' ' || boundary_set.origin) ilike ${like}`)
    .$if(id !== undefined, (query) => query.where('boundarySet.id', '=', id ?? ''))
    .orderBy('boundarySet.name', byNaturalOrder)
    .orderBy('boundarySet.id')
    .limit(most)
    .execute()
}

/** Boxes of the data that a place has already: its boundary, its other sets, and its sources. */
async function listDataBoxes(ctx: Context, placeId: string): Promise<Extent[]> {
  const { db } = ctx
  const [boundaries, sets, sources] = await Promise.all([
    boundaryBoxes(ctx, placeId),
    db
      .selectFrom('boundarySet')
      .select('bounds')
      .where('placeId', '=', placeId)
      .where('deletedAt', 'is', null)
      .limit(maxKnown)
      .execute(),
    db
      .selectFrom('source')
      .innerJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
      .select('sourceStat.extent')
      .where('source.placeId', '=', placeId)
      .where('source.deletedAt', 'is', null)
      .where('sourceStat.extent', 'is not', null)
      .limit(maxKnown)
      .execute(),
  ])
  return [
    ...boundaries,
    ...sets.map(({ bounds }) => bounds as Extent),
    ...sources.flatMap(({ extent }) => (extent ? [extent as Extent] : [])),
  ]
}

async function fill(tx: Tx, edition: Parameters<typeof writeAreas>[1], inspection: BoundaryFileSummary) {
  const { findings, ...counts } = await writeAreas(tx, edition, inspection)
  if (counts.areaCount === 0)
    throw new Failure('invalid', {
      issues: [{ path: ['file'], message: 'Nothing in it has an area.', validator: 'areas' }],
    })
  const overlaps = await findOverlaps(tx, edition)
  await tx
    .updateTable('boundarySet')
    .set({
      areaCount: counts.areaCount,
      findings: JSON.stringify([...overlaps, ...findings].slice(0, maxFindings)),
      findingCount: counts.findingCount + overlaps.length,
    })
    .where('id', '=', edition.boundarySetId)
    .execute()
}

function toSummaryColumns({
  areaCount,
  vertexCount,
  bounds,
  fields,
  findings,
  findingCount,
}: BoundaryFileSummary) {
  return {
    ...{ areaCount, vertexCount, findingCount },
    bounds: JSON.stringify(bounds),
    fields: JSON.stringify(fields),
    findings: JSON.stringify(findings),
  }
}

/**
 * Rejects attributes that are not in the file, and a code attribute whose values are missing or not unique.
 * `path` null: the attributes are part of the request.
 */
function requireFields(
  { nameField, codeField }: Pick<SetRow, 'nameField' | 'codeField'>,
  fields: SetRow['fields'],
  path: string | null,
) {
  const options = [
    ['nameField', nameField],
    ['codeField', codeField],
  ] as const
  const issues = options.flatMap(([option, name]) => {
    if (name === null) return []
    const field = fields.find((each) => each.name === name)
    const where = [path ?? option]
    if (!field)
      return [{ path: where, value: name, message: `There is no attribute "${name}".`, validator: 'exists' }]
    if (option !== 'codeField' || field.isUnique) return []
    const { repeated } = field
    const why = repeated === undefined ? 'some have none' : `several have "${repeated}"`
    const message = `Not every area has a code of its own in "${name}": ${why}.`
    return [{ path: where, value: name, message, validator: 'unique' }]
  })
  if (issues.length) throw new Failure('invalid', { issues })
}

/** The current row; its areas are published where it is public, and withdrawn otherwise. */
async function getPresented(ctx: Context, request: OneRequest) {
  const row = await noun.get(ctx, request)
  if (row?.visibility === 'public') await publishShapes(ctx, row)
  // They may have been published meanwhile by a request that still saw it as public.
  else if (row) await withdrawShapes(ctx, row.id)
  dependsOn(ctx, { rows: { boundarySet: [param(request, 'boundarySetId')] } })
  return row
}

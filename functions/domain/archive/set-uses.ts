import * as v from 'valibot'
import { isOfSet } from '#functions/engine/query/index.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { getOwnProperty } from '#functions/shapes/fields/plain.ts'
import { NamedAreas, type SetUse } from '#functions/shapes/import-review.ts'
import { isBuiltInSet } from '#functions/shapes/region-sets.ts'
import { refusal } from './read.ts'
import type { References } from './references.ts'

type Path = (string | number)[]

/** The start of the former state of what uses a public boundary set of its organization. */
export const usedAreas = 'using areas'

/** The former state of something that may have used areas: `using areas, public`; '' where there is nothing to restore. */
export const stateWith = (uses: SetUse | undefined, was: string): string =>
  [...(uses ? [usedAreas] : []), ...(was === '' ? [] : [was])].join(', ')

/** Whether a field uses a set of an organization, as opposed to one that everyone has. */
const isOwn = (setId: string | undefined): setId is string => setId !== undefined && !isBuiltInSet(setId)

/**
 * The fields of a data type without the sets of its organization that they use, which `uses` has, for the sets with
 * `findSetId`. Undefined by `findSetId`: the field is without it.
 */
export function splitFields(
  schema: FieldSchema,
  findSetId: (setId: string, path: Path) => string | undefined,
): { schema: FieldSchema; fields: NonNullable<SetUse['fields']> } {
  const fields: NonNullable<SetUse['fields']> = {}
  const rest = Object.entries(schema).map(([key, field]) => {
    const { region, regionOf, ...others } = field
    const isOfOwn = isOwn(regionOf?.boundarySetId)
    if (!isOwn(region) && !isOfOwn) return [key, field]
    const regionHere = isOwn(region) ? findSetId(region, [key, 'region']) : undefined
    const of =
      isOfOwn && regionOf ? findSetId(regionOf.boundarySetId, [key, 'regionOf', 'boundarySetId']) : undefined
    const use = {
      ...(regionHere !== undefined && { region: regionHere }),
      ...(of !== undefined && regionOf && { regionOf: { ...regionOf, boundarySetId: of } }),
    }
    if (Object.keys(use).length > 0) fields[key] = use
    const remainingUse = {
      ...(region !== undefined && !isOwn(region) && { region }),
      ...(regionOf && !isOfOwn && { regionOf }),
    }
    return [key, { ...others, ...remainingUse }]
  })
  return { schema: Object.fromEntries(rest) as FieldSchema, fields }
}

/** The fields of a data type with what an import left out of them, where they are there and have no other since. */
export function joinFields(schema: FieldSchema, fields: NonNullable<SetUse['fields']>): FieldSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([key, field]) => {
      const use = getOwnProperty(fields, key)
      return [key, use ? { ...use, ...field } : field]
    }),
  )
}

/** Whether every such field has its set, or another, or is gone. */
export function hasJoined(schema: FieldSchema, fields: NonNullable<SetUse['fields']>): boolean {
  return Object.entries(fields).every(([key, use]) => {
    const field = getOwnProperty(schema, key)
    return !field || Object.keys(use).every((member) => Object.hasOwn(field, member))
  })
}

/** Where no record is: until its areas can be asked for, an insight shows nothing, and not the figures of everywhere. */
const nowhere = { xmin: 0, ymin: 90, xmax: 0, ymax: 90 }

/**
 * A query that asks for areas of a set of the archive, without them, and the areas with the id of the set here. Sets that
 * everyone has remain in the query. Failure `invalid` for a set that is not in the archive.
 */
export function splitQuery(
  references: References,
  query: Record<string, unknown>,
  path: Path,
): { query: Record<string, unknown>; within?: NamedAreas } {
  const { within } = query
  if (!isOfSet(within)) return { query }
  const parsed = v.safeParse(NamedAreas, within)
  if (!parsed.success)
    throw refusal([...path, 'within'], 'Must be a boundary set, and one or more of its areas.')
  const { boundarySetId: id, area } = parsed.output
  if (isBuiltInSet(id)) return { query }
  const boundarySetId = references.get('boundarySet', id, [...path, 'within', 'boundarySetId'])
  return { query: { ...query, within: nowhere }, within: { boundarySetId, area } }
}

/** The set of areas that a query asks for; null where it asks for none. */
export function setAsked({ within }: Record<string, unknown>): string | null {
  return isOfSet(within) && typeof within.boundarySetId === 'string' ? within.boundarySetId : null
}

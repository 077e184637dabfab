import type { OwnBoundary } from '#functions/shapes/place.ts'
import { nameOfSet } from '#functions/shapes/region-sets.ts'

/** The form value of an own boundary: `own/` and the set, followed by `/` and the code of one of its areas. */
const prefix = 'own/'

/** The form value for areas of a set; `area` null: all of them. */
export const toAreaValue = (boundarySetId: string, area: string | null) =>
  `${prefix}${boundarySetId}${area === null ? '' : `/${area}`}`

/** The form value for the boundary of a place; null for none. */
export function toBoundaryValue({
  boundaryId,
  ownBoundary,
}: {
  boundaryId: string | null
  ownBoundary: OwnBoundary | null
}): string | null {
  return ownBoundary ? toAreaValue(ownBoundary.boundarySetId, ownBoundary.area) : boundaryId
}

/** Parses the form value of a boundary; null for none. */
export function readBoundaryValue(value: string | null): {
  boundaryId: string | null
  ownBoundary: OwnBoundary | null
} {
  if (!value?.startsWith(prefix)) return { boundaryId: value, ownBoundary: null }
  const [boundarySetId = '', ...code] = value.slice(prefix.length).split('/')
  return { boundaryId: null, ownBoundary: { boundarySetId, area: code.length > 0 ? code.join('/') : null } }
}

/** A boundary that is chosen and not there any more, as after a change of codes: kept in the form, which says so. */
export function buildMissingBoundary(id: string, { ownBoundary }: { ownBoundary: OwnBoundary | null }) {
  const code = ownBoundary?.area ?? id
  const goneFrom = ownBoundary ? nameOfSet(ownBoundary.boundarySetId) : 'the boundaries that everyone has'
  return { id, name: code, code, type: 'area', outline: null, goneFrom }
}

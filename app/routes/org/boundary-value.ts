import type { OwnBoundary } from '#functions/shapes/place.ts'

/** How a form names a boundary out of a set of the organization: `own/` and the set, with `/` and the code of one of its areas. */
const prefix = 'own/'

/** Gives what a form says for areas of a set; `area` null: all of them together. */
export const ownValue = (boundarySetId: string, area: string | null) =>
  `${prefix}${boundarySetId}${area === null ? '' : `/${area}`}`

/** Gives what a form says for the boundary of a place; null: it has none. */
export function boundaryValueOf({
  boundaryId,
  ownBoundary,
}: {
  boundaryId: string | null
  ownBoundary: OwnBoundary | null
}): string | null {
  return ownBoundary ? ownValue(ownBoundary.boundarySetId, ownBoundary.area) : boundaryId
}

/** Reads what a form says of the boundary of a place; null: none. */
export function readBoundaryValue(value: string | null): {
  boundaryId: string | null
  ownBoundary: OwnBoundary | null
} {
  if (!value?.startsWith(prefix)) return { boundaryId: value, ownBoundary: null }
  const [boundarySetId = '', ...code] = value.slice(prefix.length).split('/')
  return { boundaryId: null, ownBoundary: { boundarySetId, area: code.length > 0 ? code.join('/') : null } }
}

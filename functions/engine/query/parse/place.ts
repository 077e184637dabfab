import { isPlainObject } from '#functions/shapes/fields/plain.ts'
import type { Issues, Path } from '../error.ts'
import type { Box, LentSet, Region } from '../types.ts'
import { asNumber } from '#functions/shapes/fields/constants.ts'

/** A box in degrees; undefined for none. */
function parseBox(input: unknown, path: Path, issues: Issues): Box | undefined {
  if (isAbsent(input)) return undefined
  if (!isPlainObject(input)) return issues.add(path, 'Must be an object.', input)
  const xmin = longitude(input.xmin, [...path, 'xmin'], issues)
  const ymin = latitude(input.ymin, [...path, 'ymin'], issues)
  const xmax = longitude(input.xmax, [...path, 'xmax'], issues)
  const ymax = latitude(input.ymax, [...path, 'ymax'], issues)
  if (xmin === undefined || ymin === undefined || xmax === undefined || ymax === undefined) return undefined
  return { xmin, ymin, xmax, ymax }
}

/** The most areas in `within`. */
const maxAreas = 100

/** Whether `within` is of areas of a set, and not a box. */
export function isOfSet(input: unknown): input is { boundarySetId: unknown; area?: unknown } {
  return isPlainObject(input) && Object.hasOwn(input, 'boundarySetId')
}

/** The codes in such a `within`, as texts; invalid ones are left out. */
export function getAreaCodes({ area }: { area?: unknown }): string[] {
  return (Array.isArray(area) ? area : [area]).slice(0, maxAreas).flatMap((code) => toCodeText(code) ?? [])
}

/** Parses `within`: a box in degrees, or areas of the caller's boundary set; undefined for neither. */
export function parseWithin(
  input: unknown,
  path: Path,
  issues: Issues,
  set: LentSet | undefined,
): Box | Region | undefined {
  if (!isOfSet(input)) return parseBox(input, path, issues)
  const { boundarySetId, area } = input
  if (!set || set.id !== boundarySetId)
    return issues.add([...path, 'boundarySetId'], 'There is no such public boundary set.', boundarySetId)
  const areas: unknown[] = Array.isArray(area) ? area : [area]
  if (areas.length === 0 || areas.length > maxAreas)
    return issues.add([...path, 'area'], `Must be a code, or a list of 1 to ${maxAreas}.`, area)
  const isEach = areas.map((code, i) => {
    const at = Array.isArray(area) ? [...path, 'area', i] : [...path, 'area']
    const text = toCodeText(code)
    if (text === undefined) return issues.add(at, 'Must be the code of an area.', code)
    return set.codes.has(text) || issues.add(at, 'The set has no area with this code.', code)
  })
  return isEach.every((is) => is === true) ? set.region : undefined
}

/** Codes of a query string are texts, those of JSON may be numbers. */
function toCodeText(code: unknown): string | undefined {
  if (typeof code === 'number' && Number.isFinite(code)) return String(code)
  return typeof code === 'string' && code !== '' ? code : undefined
}

/** Parses the point of `intersects`, in degrees; undefined for none. */
export function parsePoint(input: unknown, path: Path, issues: Issues): { x: number; y: number } | undefined {
  if (isAbsent(input)) return undefined
  if (!isPlainObject(input)) return issues.add(path, 'Must be an object.', input)
  const x = longitude(input.x, [...path, 'x'], issues)
  const y = latitude(input.y, [...path, 'y'], issues)
  return x === undefined || y === undefined ? undefined : { x, y }
}

/** Whether an option counts as absent. */
export function isAbsent(input: unknown): boolean {
  return input === undefined || input === null || input === ''
}

function longitude(input: unknown, path: Path, issues: Issues): number | undefined {
  const number = asNumber(input)
  if (number === undefined) return issues.add(path, `Longitude not a number, got ${typeof input}`, input)
  if (number < -180) return issues.add(path, 'Longitude less than -180', input)
  return number > 180 ? issues.add(path, 'Longitude greater than 180', input) : number
}

function latitude(input: unknown, path: Path, issues: Issues): number | undefined {
  const number = asNumber(input)
  if (number === undefined) return issues.add(path, `Latitude not a number, got ${typeof input}`, input)
  if (number > 90) return issues.add(path, 'Latitude greater than 90', input)
  return number < -90 ? issues.add(path, 'Latitude less than -90', input) : number
}

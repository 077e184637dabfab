import type { Issues, Path } from '../error.ts'
import type { Box } from '../types.ts'
import { asNumber } from './constants.ts'
import { isObject } from './value.ts'

/** The box of `within`, in degrees; undefined for none. */
export function parseBox(input: unknown, path: Path, issues: Issues): Box | undefined {
  if (isAbsent(input)) return undefined
  if (!isObject(input)) return issues.add(path, 'Must be an object.', input)
  const xmin = longitude(input.xmin, [...path, 'xmin'], issues)
  const ymin = latitude(input.ymin, [...path, 'ymin'], issues)
  const xmax = longitude(input.xmax, [...path, 'xmax'], issues)
  const ymax = latitude(input.ymax, [...path, 'ymax'], issues)
  if (xmin === undefined || ymin === undefined || xmax === undefined || ymax === undefined) return undefined
  return { xmin, ymin, xmax, ymax }
}

/** The point of `intersects`, in degrees; undefined for none. */
export function parsePoint(input: unknown, path: Path, issues: Issues): { x: number; y: number } | undefined {
  if (isAbsent(input)) return undefined
  if (!isObject(input)) return issues.add(path, 'Must be an object.', input)
  const x = longitude(input.x, [...path, 'x'], issues)
  const y = latitude(input.y, [...path, 'y'], issues)
  return x === undefined || y === undefined ? undefined : { x, y }
}

/** Whether an option counts as not given. */
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

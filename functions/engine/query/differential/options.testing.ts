import { Instant, refuse, Shape, type GeoJson } from './cells.testing.ts'
import { parseLooseDate, parseNumber } from './constants.testing.ts'
import type { Test } from './filters.testing.ts'
import { doIntersect } from './plane.testing.ts'
import type { FieldInfo } from './values.testing.ts'
import { getCell, isPlainObject } from './values.testing.ts'

const isAbsent = (input: unknown) => input === undefined || input === null || input === ''

/** Whether a row matches `search`, `before`, `after`, `within` and `intersects`. */
export function meetsOptions(
  { search, before, after, within, intersects }: Record<string, unknown>,
  fields: readonly FieldInfo[],
): (Test | undefined)[] {
  return [
    buildSearchTest(search, fields),
    buildDateTest(before, fields, (at, limit) => at < limit),
    buildDateTest(after, fields, (at, limit) => at > limit),
    touches(isAbsent(within) ? undefined : parseBox(within)),
    touches(isAbsent(intersects) ? undefined : parsePoint(intersects)),
  ]
}

/** "Trimmed, then case-insensitive contains over all searchable columns." */
function buildSearchTest(input: unknown, fields: readonly FieldInfo[]): Test | undefined {
  if (isAbsent(input)) return undefined
  if (typeof input !== 'string') return refuse('no text')
  const text = input.trim().toLowerCase()
  const searchableFields = fields.filter(({ searchable }) => searchable)
  if (text === '') return undefined
  return ({ plain }) =>
    searchableFields.some(
      ({ path }) => typeof plain[path] === 'string' && plain[path].toLowerCase().includes(text),
    )
}

/** "Rows whose createdAt or updatedAt is < / > the value (either one matching is enough)." */
function buildDateTest(
  input: unknown,
  fields: readonly FieldInfo[],
  is: (at: number, limit: number) => boolean,
): Test | undefined {
  if (isAbsent(input)) return undefined
  const limit = parseLooseDate(input) ?? refuse('no date')
  const dates = fields.filter(({ path }) => path === 'createdAt' || path === 'updatedAt')
  return ({ plain }) =>
    dates.some((field) => {
      const at = getCell(plain, { known: field, deeper: [] })
      return at instanceof Instant && is(at.ms, limit.ms)
    })
}

function degrees(input: unknown, most: number): number {
  const number = parseNumber(input)
  return number !== undefined && Math.abs(number) <= most ? number : refuse('no degrees')
}

function parseBox(input: unknown): GeoJson {
  if (!isPlainObject(input)) return refuse('no box')
  const [x1, y1] = [degrees(input.xmin, 180), degrees(input.ymin, 90)]
  const [x2, y2] = [degrees(input.xmax, 180), degrees(input.ymax, 90)]
  const ring = [
    [x1, y1],
    [x1, y2],
    [x2, y2],
    [x2, y1],
    [x1, y1],
  ]
  return { type: 'Polygon', coordinates: [ring] }
}

function parsePoint(input: unknown): GeoJson {
  if (!isPlainObject(input)) return refuse('no point')
  return { type: 'Point', coordinates: [degrees(input.x, 180), degrees(input.y, 90)] }
}

function touches(shape: GeoJson | undefined): Test | undefined {
  if (!shape) return undefined
  return ({ plain }) => {
    const geometry = getCell(plain, { known: { path: 'geometry', type: 'geometry' }, deeper: [] })
    return geometry instanceof Shape && doIntersect(geometry.geo, shape)
  }
}

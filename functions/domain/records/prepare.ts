import type { FieldSchema } from '#functions/shapes/field.ts'
import { calculatedKeys } from './regions.ts'
import type { Geometry } from '#functions/shapes/fields/geometry.ts'
import { isPlainObject, jsonForm } from '#functions/shapes/fields/plain.ts'
import { recordChecker } from '#functions/shapes/fields/record.ts'
import { primaryGeometry, storable, storableMade } from '#functions/shapes/fields/storable.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { contentId, maxIdLength, findOwnId } from './identity.ts'
import { computeExtent, type Extent } from '#functions/shapes/fields/extent.ts'
import { computeMortonKey } from './location.ts'

/** A rejected row: its index among the given rows (from 0), and its issues. */
export interface RejectedRow {
  index: number
  issues: Issue[]
}

/** A valid row. */
export interface ValidRow {
  index: number
  externalId: string
  /** The values to store, by field key; null where the row has none. */
  data: Record<string, unknown>
}

/**
 * A valid row with its location. `geometry`, `key` and `extent` are null where the record has no geometry.
 */
export interface LocatedRow extends ValidRow {
  geometry: Geometry | null
  key: number | null
  extent: Extent | null
}

export interface Batch<Row extends ValidRow = LocatedRow> {
  rows: Row[]
  rejected: RejectedRow[]
  /** How many rows were followed by another with the same id: only the last of them is stored. */
  superseded: number
}

/** Checks rows against a schema and computes what is stored of each. Does not query the database. */
export async function prepare(rows: readonly unknown[], schema: FieldSchema): Promise<Batch> {
  const batch = await rowsChecker(schema)(rows)
  return { ...batch, rows: batch.rows.map(locator(schema)) }
}

/** Returns a function that adds a valid row's geometry, Morton key and extent. */
export function locator(schema: FieldSchema): (row: ValidRow) => LocatedRow {
  const primary = primaryGeometry(schema)
  return ({ index, externalId, data }) => {
    const geometry = primary(data)
    const key = geometry && computeMortonKey(geometry)
    const extent = geometry && computeExtent(geometry)
    return { index, externalId, data, geometry, key, extent }
  }
}

/**
 * Returns a function that checks rows against a schema without computing their location. `isMade`: the rows
 * come from an importer's mapper, so their values already have the types of their fields and are stored as
 * they are.
 */
export function rowsChecker(
  schema: FieldSchema,
  isMade = false,
): (rows: readonly unknown[]) => Promise<Batch<ValidRow>> {
  const check = recordChecker(schema, isMade)
  const keep = isMade ? storableMade(schema) : storable(schema)
  const isEarly = yearZero(schema)
  const withoutMissing = missingLeftOut(schema)
  const calculations = calculatedKeys(schema)
  return async (rows) => {
    const rejected: RejectedRow[] = []
    const good: { index: number; data: Record<string, unknown> }[] = []
    rows.forEach((asGiven, index) => {
      const row = isMade ? asGiven : withoutMissing(asGiven)
      const issues = check(row)
      if (issues.length > 0) return void rejected.push({ index, issues })
      const input = jsonForm(row) as Record<string, unknown>
      const early = isEarly(input)
      if (early) return void rejected.push({ index, issues: [early] })
      const data = keep(input)
      // Before ids are hashed from the content, which must not depend on the area of a record.
      for (const key of calculations) data[key] = null
      good.push({ index, data })
    })
    const byId = new Map<string, ValidRow>()
    const ids = await computeExternalIds(good, schema)
    good.forEach(({ index, data }, i) => {
      const externalId = ids[i]
      if (externalId === undefined || externalId.length > maxIdLength)
        return void rejected.push({ index, issues: [createTooLongIssue(data.id)] })
      byId.delete(externalId)
      byId.set(externalId, { index, externalId, data })
    })
    rejected.sort((a, b) => a.index - b.index)
    return { rows: [...byId.values()], rejected, superseded: rows.length - rejected.length - byId.size }
  }
}

/** The external ids of records, in their order: a record's own id, or else a hash of its content. */
async function computeExternalIds(records: Pick<ValidRow, 'data'>[], schema: FieldSchema): Promise<string[]> {
  const ids: string[] = []
  const silent: number[] = []
  records.forEach(({ data }, i) => {
    const own = findOwnId(data, schema)
    if (own === null) silent.push(i)
    else ids[i] = own
  })
  const hash = async (i: number) => void (ids[i] = await contentId(records[i]?.data ?? {}))
  for (let from = 0; from < silent.length; from += 1000)
    await Promise.all(silent.slice(from, from + 1000).map(hash))
  return ids
}

function createTooLongIssue(value: unknown): Issue {
  return { path: ['id'], value, message: `Must be less than ${maxIdLength + 1} characters` }
}

/**
 * Returns a function that drops the values of a row which its fields declare as codes for a missing value (9
 * for "not stated"), as importers do while parsing, so that they are never counted or averaged.
 */
function missingLeftOut(schema: FieldSchema): (row: unknown) => unknown {
  const fields = Object.entries(schema).flatMap(([key, { values = [] }]) => {
    const codes = new Set<unknown>(values.flatMap(({ value, missing }) => (missing ? [value] : [])))
    return codes.size > 0 ? [{ key, codes }] : []
  })
  if (fields.length === 0) return (row) => row
  return (row) => {
    const input = jsonForm(row)
    if (!isPlainObject(input)) return input
    const rows = fields.filter(({ key, codes }) => Object.hasOwn(input, key) && codes.has(input[key]))
    if (rows.length === 0) return input
    const restKeys = new Set(rows.map(({ key }) => key))
    return Object.fromEntries(Object.entries(input).filter(([key]) => !restKeys.has(key)))
  }
}

/**
 * Returns a check for dates in the year 0, which JavaScript has and Postgres does not; null where a row has
 * none.
 */
function yearZero(schema: FieldSchema): (data: Record<string, unknown>) => Issue | null {
  const keys = Object.entries(schema)
    .filter(([, { type, items }]) => type === 'date' || (type === 'array' && items?.type === 'date'))
    .map(([key]) => key)
  const isEarly = (date: unknown) => typeof date === 'string' && date.startsWith('0000-')
  return (data) => {
    for (const key of keys) {
      const input = data[key]
      const value: unknown = Array.isArray(input) ? input.find(isEarly) : isEarly(input) ? input : undefined
      if (value !== undefined) return { path: [key], value, message: 'Not a valid date value' }
    }
    return null
  }
}

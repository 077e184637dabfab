import type { FieldSchema } from '#functions/shapes/field.ts'
import type { Geometry } from '#functions/shapes/fields/geometry.ts'
import { jsonForm } from '#functions/shapes/fields/plain.ts'
import { recordChecker } from '#functions/shapes/fields/record.ts'
import { primaryGeometry, storable } from '#functions/shapes/fields/storable.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { externalIdOf, maxIdLength } from './identity.ts'
import { extentOf, type Extent } from '#functions/shapes/fields/extent.ts'
import { keyOf } from './location.ts'

/** A row that was refused: which of those given (from 0), and why. */
export interface Rejected {
  index: number
  issues: Issue[]
}

/** A good row, ready to be written. `key` and `extent` are null without geometry. */
export interface Prepared {
  index: number
  externalId: string
  /** What is stored, by field key; what is missing is null. */
  data: Record<string, unknown>
  geometry: Geometry | null
  key: number | null
  extent: Extent | null
}

export interface Batch {
  rows: Prepared[]
  rejected: Rejected[]
  /** How many rows were followed by one with the same id: only the last of them is stored. */
  superseded: number
}

/** Checks rows against a schema and works out all that is stored of each. Does not ask the database. */
export async function prepare(rows: readonly unknown[], schema: FieldSchema): Promise<Batch> {
  const check = recordChecker(schema)
  const keep = storable(schema)
  const primary = primaryGeometry(schema)
  const isEarly = yearZero(schema)
  const rejected: Rejected[] = []
  const good: { index: number; data: Record<string, unknown> }[] = []
  rows.forEach((row, index) => {
    const issues = check(row)
    if (issues.length > 0) return void rejected.push({ index, issues })
    const given = jsonForm(row) as Record<string, unknown>
    const early = isEarly(given)
    if (early) return void rejected.push({ index, issues: [early] })
    good.push({ index, data: keep(given) })
  })
  const byId = new Map<string, Prepared>()
  for (let from = 0; from < good.length; from += 1000) {
    const slice = good.slice(from, from + 1000)
    const ids = await Promise.all(slice.map(({ data }) => externalIdOf(data, schema)))
    slice.forEach(({ index, data }, i) => {
      const externalId = ids[i]
      if (!externalId) return void rejected.push({ index, issues: [tooLong(data.id)] })
      const geometry = primary(data)
      const key = geometry && keyOf(geometry)
      const extent = geometry && extentOf(geometry)
      byId.delete(externalId)
      byId.set(externalId, { index, externalId, data, geometry, key, extent })
    })
  }
  rejected.sort((a, b) => a.index - b.index)
  return { rows: [...byId.values()], rejected, superseded: rows.length - rejected.length - byId.size }
}

function tooLong(value: unknown): Issue {
  return { path: ['id'], value, message: `Must be less than ${maxIdLength + 1} characters` }
}

/** Gives the test for dates of the year 0: the language has it, the database's calendar does not. */
function yearZero(schema: FieldSchema): (data: Record<string, unknown>) => Issue | null {
  const keys = Object.entries(schema)
    .filter(([, { type, items }]) => type === 'date' || (type === 'array' && items?.type === 'date'))
    .map(([key]) => key)
  return (data) => {
    for (const key of keys) {
      const value = [data[key]].flat().find((date) => typeof date === 'string' && date.startsWith('0000-'))
      if (value !== undefined) return { path: [key], value, message: 'Not a valid date value' }
    }
    return null
  }
}

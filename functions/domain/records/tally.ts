import type { FieldSchema, FieldType } from '#functions/shapes/field.ts'
import type { FieldStat } from '#functions/shapes/field-profile.ts'
import { union, type Extent } from '#functions/shapes/fields/extent.ts'
import { farther, computeReach, type Reach } from './reach.ts'

/** Most distinct values of a text or boolean field that are listed; a field with more has no value list. */
export const maxListed = 100
/** Longest text in a value list, in characters; a field with a longer one has no list. */
export const maxListedLength = 256

/** The stored statistics of a source's records. */
export interface Stat {
  count: number
  extent: Extent | null
  /** An upper bound: it does not shrink when a record is removed. Null: unknown. */
  reach: Reach | null
  fields: Record<string, FieldStat>
}

export const hasRange = (type: FieldType) => type === 'number' || type === 'date'
export const hasList = (type: FieldType) => type === 'text' || type === 'boolean'

/** What the tally needs of a record. */
export interface CountedRecord {
  data: Record<string, unknown>
  key: number | null
  extent: Extent | null
}

/**
 * Keeps statistics exact while records are added and removed. What cannot be derived from a change alone (the
 * new minimum, once the smallest value is removed) is marked stale, and queried once at the end by `settle`.
 */
export class Tally {
  count: number
  extent: Extent | null
  /** Null: stale. */
  reach: Reach | null
  /** Whether a record at the edge of the extent was removed. */
  isExtentStale = false
  readonly fields = new Map<string, FieldTally>()

  /** `stat` null: none is stored yet. Fields that are not in it are stale if there are records. */
  constructor(schema: FieldSchema, stat: Stat | null) {
    this.count = stat?.count ?? 0
    this.extent = stat?.extent ?? null
    this.reach = this.count > 0 ? (stat?.reach ?? null) : [0, 0]
    for (const [key, { type }] of Object.entries(schema)) {
      const fieldStat = stat && Object.hasOwn(stat.fields, key) ? stat.fields[key] : undefined
      this.fields.set(key, new FieldTally(type, fieldStat, this.count > 0 && !fieldStat))
    }
  }

  add({ data, key, extent }: CountedRecord): void {
    this.count += 1
    if (extent) this.extent = union(this.extent, extent)
    if (extent && key !== null && this.reach) this.reach = farther(this.reach, computeReach(key, extent))
    for (const [key, field] of this.fields) field.add(data[key])
  }

  remove({ data, extent }: CountedRecord): void {
    this.count -= 1
    if (extent && this.extent && reachesEdge(extent, this.extent)) this.isExtentStale = true
    for (const [key, field] of this.fields) field.remove(data[key])
  }

  /** All records were deleted. */
  clear(): void {
    this.count = 0
    this.extent = null
    this.reach = [0, 0]
    this.isExtentStale = false
    for (const [key, { type }] of this.fields) this.fields.set(key, new FieldTally(type, undefined, false))
  }

  /** The current statistics; correct once nothing is stale. */
  stat(): Stat {
    const fields = [...this.fields].map(([key, field]) => [key, field.stat()] as const)
    return { count: this.count, extent: this.extent, reach: this.reach, fields: Object.fromEntries(fields) }
  }
}

export class FieldTally {
  readonly type: FieldType
  min: number | string | null
  max: number | string | null
  nulls: number
  values: Map<string, number> | null
  isRangeStale: boolean
  isListStale: boolean

  constructor(type: FieldType, stat: FieldStat | undefined, isStale: boolean) {
    this.type = type
    this.min = stat?.min ?? null
    this.max = stat?.max ?? null
    this.nulls = stat?.nulls ?? 0
    this.values = hasList(type) && (!stat || stat.values) ? new Map(Object.entries(stat?.values ?? {})) : null
    this.isRangeStale = isStale
    this.isListStale = isStale && hasList(type)
  }

  add(value: unknown): void {
    if (value === null || value === undefined) {
      this.nulls += 1
    } else if (hasRange(this.type)) {
      const one = value as number | string
      if (this.min === null || one < this.min) this.min = one
      if (this.max === null || one > this.max) this.max = one
    } else if (this.values) {
      const text = String(value)
      this.values.set(text, (this.values.get(text) ?? 0) + 1)
      if (this.values.size > maxListed || isLong(text)) this.values = null
    }
  }

  remove(value: unknown): void {
    if (value === null || value === undefined) {
      this.nulls -= 1
    } else if (hasRange(this.type)) {
      if (value === this.min || value === this.max) this.isRangeStale = true
    } else if (this.values) {
      const text = String(value)
      const rest = (this.values.get(text) ?? 0) - 1
      if (rest > 0) this.values.set(text, rest)
      else this.values.delete(text)
      // Below zero: the value was added before the list was dropped and started again. Count from the table.
      if (rest < 0) this.isListStale = true
    } else if (hasList(this.type)) {
      this.isListStale = true
    }
  }

  stat(): FieldStat {
    const { min, max, nulls, values } = this
    return { min, max, nulls, values: values && Object.fromEntries(values) }
  }
}

/** Counts code points, as Postgres does. */
function isLong(text: string): boolean {
  return text.length > maxListedLength && [...text].length > maxListedLength
}

function reachesEdge(inner: Extent, outer: Extent): boolean {
  return inner[0] <= outer[0] || inner[1] <= outer[1] || inner[2] >= outer[2] || inner[3] >= outer[3]
}

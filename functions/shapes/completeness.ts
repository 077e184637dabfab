import * as v from 'valibot'
import type { Field, FieldSchema } from './field.ts'
import { isGeometryType } from './field.ts'

/** The parts of a source's metadata, in the recommended order of completion. */
const completenessParts = [
  'description',
  'licence',
  'contact',
  'cadence',
  'categories',
  'fields',
  'time',
  'geography',
  'customFields',
] as const
export type CompletenessPart = (typeof completenessParts)[number]

/** The metadata of a source that are checked. */
interface DescribedSource {
  notes: string
  licence: string | null
  contact: string | null
  cadence: string | null
  tags: readonly string[]
  topic: string | null
  count: number
  extent: readonly number[] | null
  customFields: Readonly<Record<string, unknown>>
}

/** A custom field that is checked. */
interface DescribingField {
  key: string
  title: string
  required: boolean
}

/** The members of a data type that are checked; its topic applies to all its sources. */
interface DescribingDataType {
  category: string | null
  schema: FieldSchema
  temporal: { primary: string } | null
}

const Part = v.picklist(completenessParts)

/**
 * The completeness of metadata: `done` of `of` parts, each required custom field being one. `next`: the part to fill in next; null if
 * complete. `missingFields`: required custom fields without a value, by key and title.
 */
export const Completeness = v.strictObject({
  done: v.number(),
  of: v.number(),
  missing: v.array(Part),
  missingFields: v.array(v.strictObject({ key: v.string(), title: v.string() })),
  next: v.nullable(Part),
})
export type Completeness = v.InferOutput<typeof Completeness>

/**
 * The completeness of a source's metadata. Parts that do not apply are not counted: time only if its data type has a date, geography
 * only if it has positions. `dataType` null: not visible, only the source's own metadata count. `customFields`: those of its
 * organization.
 */
export function computeCompleteness(
  source: DescribedSource,
  dataType: DescribingDataType | null,
  customFields: readonly DescribingField[],
): Completeness {
  const requiredFields = customFields.filter((field) => field.required)
  const missingFields = requiredFields
    .filter(({ key }) => !Object.hasOwn(source.customFields, key))
    .map(({ key, title }) => ({ key, title }))
  const fields = Object.values(dataType?.schema ?? {})
  const holds: Record<CompletenessPart, boolean | null> = {
    description: source.notes.trim() !== '',
    licence: source.licence !== null,
    contact: source.contact !== null,
    cadence: source.cadence !== null,
    categories: source.topic !== null || source.tags.length > 0 || (dataType?.category ?? null) !== null,
    fields: fields.length === 0 ? null : fields.every(isExplained),
    // With several dates the data type must name the main one.
    time: isDated(fields) ? dataType?.temporal != null || dates(fields) === 1 : null,
    // Unknown without records.
    geography:
      source.count === 0 || !fields.some(({ type }) => isGeometryType(type)) ? null : source.extent !== null,
    customFields: requiredFields.length === 0 ? null : missingFields.length === 0,
  }
  const relevantParts = completenessParts.filter((part) => holds[part] !== null)
  const missing = relevantParts.filter((part) => !holds[part])
  // Custom fields are one part in the list, but each counts in the sum.
  const others = relevantParts.filter((part) => part !== 'customFields').length
  const missingOthers = missing.filter((part) => part !== 'customFields').length
  return {
    done: others - missingOthers + requiredFields.length - missingFields.length,
    of: others + requiredFields.length,
    missing,
    missingFields,
    next: missing[0] ?? null,
  }
}

/** A field needs a description; a number also a unit. */
const isExplained = (field: Field) =>
  (field.notes ?? '').trim() !== '' || field.unit !== undefined || field.measurement !== undefined

const dates = (fields: readonly Field[]) => fields.filter(({ type }) => type === 'date').length
const isDated = (fields: readonly Field[]) => dates(fields) > 0

/** The age of a source's data relative to its cadence. */
export const Freshness = v.strictObject({
  /** `empty`: no data yet; `unknown`: no cadence, or an irregular one. */
  state: v.picklist(['empty', 'unknown', 'fresh', 'late']),
  /** The date (YYYY-MM-DD, in the time zone of the place) of the next expected data; null for none. */
  expected: v.nullable(v.string()),
  /** Whole days overdue; 0 if not late. */
  daysLate: v.number(),
})
export type Freshness = v.InferOutput<typeof Freshness>

/** The completeness and currency of one source. */
export const SourceCompleteness = v.strictObject({
  id: v.string(),
  name: v.string(),
  completeness: Completeness,
  freshness: Freshness,
})

import * as v from 'valibot'
import type { Field, FieldSchema } from './field.ts'
import { isGeometryType } from './field.ts'

/** What readers have to be told of a source, in the order in which it is worth filling in. */
export const completenessParts = [
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

/** What the metadata of a source are judged by. */
export interface DescribedSource {
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

/** A field of the organization, as it is judged by. */
export interface DescribingField {
  key: string
  title: string
  required: boolean
}

/** What the data type of a source says; its own topic is that of all its sources. */
export interface DescribingDataType {
  category: string | null
  schema: FieldSchema
  temporal: { primary: string } | null
}

const Part = v.picklist(completenessParts)

/**
 * How much of what has to be known is said: `done` of `of` parts, each required field of the organization being one. `next`: the one thing
 * to fill in; null where nothing is missing. `missingFields`: the required fields that say nothing, by key and title.
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
 * How completely a source is described. What cannot be said of it is not counted: time only where its data type has a date, geography
 * only where it has places. `dataType` null: it is not to be seen, and only what the source says of itself counts. `customFields`: those of
 * its organization.
 */
export function completenessOf(
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
    // Which of several dates is meant only its data type says; of one it is plain.
    time: isDated(fields) ? dataType?.temporal != null || dates(fields) === 1 : null,
    // No records yet: nobody can know where they are.
    geography:
      source.count === 0 || !fields.some(({ type }) => isGeometryType(type)) ? null : source.extent !== null,
    customFields: requiredFields.length === 0 ? null : missingFields.length === 0,
  }
  const relevantParts = completenessParts.filter((part) => holds[part] !== null)
  const missing = relevantParts.filter((part) => !holds[part])
  // All of them are one part in the list, and each is one in the sum.
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

/** A field is explained by a sentence; a number also by what it is measured in. */
const isExplained = (field: Field) =>
  (field.notes ?? '').trim() !== '' || field.unit !== undefined || field.measurement !== undefined

const dates = (fields: readonly Field[]) => fields.filter(({ type }) => type === 'date').length
const isDated = (fields: readonly Field[]) => dates(fields) > 0

/** How the newest data of a source stand against how often it is meant to change. */
export const Freshness = v.strictObject({
  /** `empty`: no data yet; `unknown`: nobody said how often they come, or they come at no fixed time. */
  state: v.picklist(['empty', 'unknown', 'fresh', 'late']),
  /** The day (YYYY-MM-DD, in the time zone of the place) by which the next data are meant to come; null: there is none. */
  expected: v.nullable(v.string()),
  /** Whole days since then; 0 while they are not late. */
  daysLate: v.number(),
})
export type Freshness = v.InferOutput<typeof Freshness>

/** What is said of the metadata of one source. */
export const SourceCompleteness = v.strictObject({
  id: v.string(),
  name: v.string(),
  completeness: Completeness,
  freshness: Freshness,
})

import * as v from 'valibot'
import { labelIssues, temporalIssues, validateSchema } from './fields/document.ts'
import { isPlainObject } from './fields/plain.ts'
import { asPath } from './list-filter.ts'
import { Slug, slugOr, Version, restorableOptions } from './options.ts'
import { dataTypeEntries, RelatedSource } from './related.ts'
import { Time } from './returns.ts'

const noText = 'Not a valid text value'
const requiredMessage = 'This field is required'
export const noDocument = 'Not a valid top-level object'
const noObject = 'Not a valid object value'

/** Fields by key; their issues are reported together with those of the other members. */
const Fields = v.pipe(
  v.custom<Record<string, unknown>>(isPlainObject, noObject),
  v.metadata({ like: { type: 'object', additionalProperties: true } }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    for (const { path, message } of validateSchema(dataset.value))
      addIssue({ message, path: asPath(path, dataset.value) })
  }),
)

/** The messages of an object for invalid values and missing members. */
export function inside(isNone: string) {
  return ({ path }: v.BaseIssue<unknown>) => (path ? requiredMessage : isNone)
}

// The messages at the top are those of the original product's schema library.
const settings = {
  name: v.pipe(v.string(noText), v.trim(), v.minLength(1, requiredMessage), v.maxLength(200)),
  category: v.optional(v.nullable(v.pipe(v.string(noText), v.trim(), v.maxLength(100)))),
  notes: v.optional(v.pipe(v.string(noText), v.maxLength(10_000))),
  schema: Fields,
  temporal: v.optional(
    v.nullable(
      v.strictObject(
        { primary: v.pipe(v.string('Not a valid string value'), v.maxLength(100)) },
        inside(noObject),
      ),
    ),
  ),
  mappingLabelSchema: v.optional(
    v.nullable(v.record(v.string(), v.pipe(v.string(noText), v.maxLength(200)), noObject)),
  ),
}

/**
 * A new data type. `ownerPlaceId` null creates an official one; absent means the active place. Without an `id` one is made of its
 * name: `airport` for an official one, `airport-k3m9x` for one of a place.
 */
export const NewDataType = v.pipe(
  v.strictObject(
    {
      ...settings,
      id: v.optional(slugOr(noText)),
      ownerPlaceId: v.optional(v.nullable(Slug)),
    },
    inside(noDocument),
  ),
  // Reported with the other issues; an invalid schema has no dates.
  v.rawCheck(({ dataset, addIssue }) => {
    const { schema, temporal, mappingLabelSchema } = (dataset.value ?? {}) as Record<string, unknown>
    const isNamed = isPlainObject(temporal) && typeof temporal.primary === 'string'
    for (const { path, message } of [
      ...(isNamed ? temporalIssues(temporal, schema) : []),
      ...(isPlainObject(mappingLabelSchema) ? labelIssues(mappingLabelSchema, schema) : []),
    ])
      addIssue({ message, path: asPath(path, dataset.value) })
  }),
)
export type NewDataType = v.InferOutput<typeof NewDataType>

export const DataTypeChanges = v.strictObject(
  {
    ...v.partial(v.object(settings)).entries,
    version: v.optional(Version),
  },
  inside(noDocument),
)
export type DataTypeChanges = v.InferOutput<typeof DataTypeChanges>

export const DataTypeOptions = restorableOptions({
  id: 'text',
  name: 'text',
  category: 'text',
  ownerPlaceId: 'text',
  createdAt: 'date',
  updatedAt: 'date',
})

/**
 * A requested change of a data type that is not applied yet, as sources of other organizations first move to copies. failed: it could
 * not be applied then, `error` says why.
 */
export const PendingChange = v.strictObject({
  kind: v.picklist(['delete', 'document', 'schema']),
  status: v.picklist(['moving', 'failed']),
  error: v.nullable(v.string()),
  createdAt: Time,
})
export type PendingChange = v.InferOutput<typeof PendingChange>

/** A data type. `ownerPlaceId` null: an official one. `sources` only with `includes=sources`, `pendingChange` only for its owner. */
export const DataTypeRow = v.strictObject({
  ...dataTypeEntries,
  ownerPlaceId: v.nullable(v.string()),
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
  sources: v.optional(v.array(RelatedSource)),
  pendingChange: v.optional(PendingChange),
})

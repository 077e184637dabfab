import * as v from 'valibot'
import { fieldTypes, precisions, type Field, type FieldType } from './field.ts'

/** The names of the field types. */
export const fieldTypeNames = Object.keys(fieldTypes) as FieldType[]

/** A measurement and its unit. */
export const MeasurementRow = v.strictObject({ type: v.string(), value: v.string() })

/** The areas by which a text is calculated, and the field with the position. */
export const RegionOfRow = v.strictObject({
  point: v.string(),
  boundarySetId: v.string(),
  value: v.picklist(['code', 'name']),
})

/** Knowledge about values, shared by fields, result columns and field lists. */
export const knowledgeEntries = {
  unit: v.optional(v.string()),
  values: v.optional(
    v.array(
      v.strictObject({
        value: v.union([v.string(), v.number(), v.boolean()]),
        name: v.optional(v.string()),
        missing: v.optional(v.literal(true)),
      }),
    ),
  ),
  identifier: v.optional(v.literal(true)),
  additive: v.optional(v.literal(true)),
  region: v.optional(v.string()),
  regionOf: v.optional(RegionOfRow),
}

/** A field of a data type as stored. `items` only for lists, `schema` only for maps. */
export const FieldRow: v.GenericSchema<Field> = v.strictObject({
  name: v.string(),
  type: v.picklist(fieldTypeNames),
  notes: v.optional(v.string()),
  items: v.optional(v.lazy(() => FieldRow)),
  schema: v.optional(
    v.record(
      v.string(),
      v.lazy(() => FieldRow),
    ),
  ),
  validation: v.optional(v.record(v.string(), v.unknown())),
  measurement: v.optional(MeasurementRow),
  precision: v.optional(v.picklist(precisions)),
  search: v.optional(v.literal(true)),
  ...knowledgeEntries,
})

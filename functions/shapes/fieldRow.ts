import * as v from 'valibot'
import { fieldTypes, precisions, type Field, type FieldType } from './field.ts'

/** The names of the types a field can have. */
export const fieldTypeNames = Object.keys(fieldTypes) as FieldType[]

/** A unit: of what, and which. */
export const MeasurementRow = v.strictObject({ type: v.string(), value: v.string() })

/** A field of a data type as it is kept. `items` only of lists, `schema` only of maps. */
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
})

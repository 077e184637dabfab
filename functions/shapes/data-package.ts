import * as v from 'valibot'

const text = v.string()

/**
 * A field of a Table Schema (Frictionless Data). `enumLabels` are names by value, possibly not of all values. `unit`, `identifier`,
 * `additive` and `region` extend the standard, which permits this.
 */
export const TableField = v.strictObject({
  name: text,
  title: text,
  type: text,
  format: v.optional(text),
  description: v.optional(text),
  unit: v.optional(text),
  enumLabels: v.optional(v.record(text, text)),
  missingValues: v.optional(v.array(text)),
  identifier: v.optional(v.literal(true)),
  additive: v.optional(v.literal(true)),
  region: v.optional(text),
  itemType: v.optional(text),
  delimiter: v.optional(text),
  constraints: v.optional(v.record(text, v.unknown())),
})
export type TableField = v.InferOutput<typeof TableField>

/** The descriptor of a Data Package: its files by relative URL, the CSV with its schema. */
export const DataPackage = v.strictObject({
  name: text,
  title: text,
  description: v.optional(text),
  version: text,
  created: v.optional(text),
  keywords: v.optional(v.array(text)),
  licenses: v.optional(
    v.array(v.strictObject({ name: v.optional(text), title: v.optional(text), path: v.optional(text) })),
  ),
  contributors: v.optional(
    v.array(v.strictObject({ title: text, role: text, path: v.optional(text), email: v.optional(text) })),
  ),
  sources: v.optional(v.array(v.strictObject({ title: text, path: v.optional(text) }))),
  resources: v.array(
    v.strictObject({
      name: text,
      path: text,
      format: text,
      mediatype: text,
      encoding: v.optional(text),
      bytes: v.optional(v.number()),
      hash: v.optional(text),
      profile: v.optional(text),
      schema: v.optional(v.strictObject({ fields: v.array(TableField), missingValues: v.array(text) })),
    }),
  ),
})
export type DataPackage = v.InferOutput<typeof DataPackage>

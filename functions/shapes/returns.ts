import * as v from 'valibot'

/** A time as JSON has it: ISO 8601, UTC. */
export const Time = v.pipe(v.string(), v.isoTimestamp())
export const TimeOrNull = v.nullable(Time)

/** The response of `deleteById`. */
export const Deleted = v.strictObject({ id: v.string() })
/** The response of bulk actions. */
export const Counted = v.strictObject({ count: v.number() })
/** The response of `validate`; issues are an error response. */
export const Valid = v.strictObject({ valid: v.literal(true) })

/**
 * The envelope of a list. `total` counts all matches; `next` is the token of the next page, absent on the last; `limit` is present
 * only if more rows were requested than the maximum.
 */
export const buildListShape = <Row extends v.GenericSchema>(row: Row) =>
  v.strictObject({
    results: v.array(row),
    meta: v.strictObject({
      results: v.number(),
      total: v.number(),
      next: v.optional(v.string()),
      limit: v.optional(v.number()),
    }),
  })

/** A related row in `includes`: always the id, of the rest what `attributes` names. */
export const buildPartialShape = <Id extends v.GenericSchema, Entries extends v.ObjectEntries>({
  id,
  ...rest
}: Entries & { id: Id }) => v.strictObject({ id, ...v.partial(v.object(rest)).entries })

/** GeoJSON from the database; its coordinates are not validated. */
export const GeoJson = v.strictObject({
  type: v.picklist(['Point', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon', 'MultiPoint']),
  coordinates: v.array(v.unknown()),
})
export type GeoJson = v.InferOutput<typeof GeoJson>

import * as v from 'valibot'

/** A time as JSON has it: ISO 8601, UTC. */
export const Time = v.pipe(v.string(), v.isoTimestamp())
export const TimeOrNull = v.nullable(Time)

/** What `deleteById` answers. */
export const Deleted = v.strictObject({ id: v.string() })
/** What bulk actions answer. */
export const Counted = v.strictObject({ count: v.number() })
/** What `validate` answers; what is wrong is a refusal. */
export const Valid = v.strictObject({ valid: v.literal(true) })

/**
 * The envelope of a list. `total` counts all that match; `next` names the page after it, absent on the last; `limit` is there only where
 * more rows were asked for than a page has.
 */
export const listOf = <Row extends v.GenericSchema>(row: Row) =>
  v.strictObject({
    results: v.array(row),
    meta: v.strictObject({
      results: v.number(),
      total: v.number(),
      next: v.optional(v.string()),
      limit: v.optional(v.number()),
    }),
  })

/** A related row as `includes` brings it: the id always, of the rest what `attributes` names. */
export const partOf = <Id extends v.GenericSchema, Entries extends v.ObjectEntries>({
  id,
  ...rest
}: Entries & { id: Id }) => v.strictObject({ id, ...v.partial(v.object(rest)).entries })

/** GeoJSON as the database makes it; its coordinates are not looked into. */
export const GeoJson = v.strictObject({
  type: v.picklist(['Point', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon', 'MultiPoint']),
  coordinates: v.array(v.unknown()),
})
export type GeoJson = v.InferOutput<typeof GeoJson>

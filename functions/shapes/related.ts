import * as v from 'valibot'
import { FieldRow } from './field-row.ts'
import { Visibility } from './options.ts'
import { GeoJson, buildPartialShape, TimeOrNull } from './returns.ts'

// Rows as included by `includes`, nested up to three levels deep.

/** Fields by key, in the order a person gave them. */
export const SchemaRow = v.record(v.string(), FieldRow)

/** The members of a data type that are the same on its own and included. */
export const dataTypeEntries = {
  id: v.string(),
  name: v.string(),
  category: v.nullable(v.string()),
  notes: v.string(),
  schema: SchemaRow,
  temporal: v.nullable(v.strictObject({ primary: v.string() })),
  mappingLabelSchema: v.nullable(v.record(v.string(), v.string())),
}

type EntriesOutput<Entries extends v.ObjectEntries> = v.InferOutput<v.StrictObjectSchema<Entries, undefined>>
interface RelatedDataType extends Partial<Omit<EntriesOutput<typeof dataTypeEntries>, 'id'>> {
  id: string
  sources?: RelatedSource[]
}
interface RelatedSource extends Partial<Omit<EntriesOutput<typeof sourceEntries>, 'id'>> {
  id: string
  dataType?: RelatedDataType | null
  place?: v.InferOutput<typeof RelatedPlace> | null
}

/** The data type of a source or an insight. */
export const RelatedDataType: v.GenericSchema<RelatedDataType> = buildPartialShape({
  ...dataTypeEntries,
  sources: v.lazy(() => v.array(RelatedSource)),
})

/** A boundary with its area. */
export const RelatedBoundary = buildPartialShape({
  id: v.string(),
  code: v.string(),
  name: v.string(),
  /** `area`: of a boundary set of the place itself. */
  type: v.picklist(['country', 'state', 'county', 'area']),
  hasAllStatesBoundary: v.boolean(),
  area: v.nullable(v.partial(GeoJson)),
})

/** The place of a source. */
export const RelatedPlace = buildPartialShape({
  id: v.string(),
  name: v.string(),
  displayName: v.string(),
  isHub: v.boolean(),
  boundaryId: v.nullable(v.string()),
  boundary: v.nullable(RelatedBoundary),
})

const sourceEntries = {
  id: v.string(),
  placeId: v.string(),
  dataTypeId: v.string(),
  name: v.string(),
  notes: v.string(),
  visibility: Visibility,
  dataVersion: v.number(),
  dataUpdatedAt: TimeOrNull,
  count: v.number(),
}

/** A source of a data type. */
export const RelatedSource: v.GenericSchema<RelatedSource> = buildPartialShape({
  ...sourceEntries,
  dataType: v.nullable(v.lazy(() => RelatedDataType)),
  place: v.nullable(RelatedPlace),
})

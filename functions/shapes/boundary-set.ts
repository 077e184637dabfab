import * as v from 'valibot'
import { Id, Name, Notes, Version, Visibility, listOptions, restorableOptions } from './options.ts'
import { Time } from './returns.ts'

/** Maximum size of a file of areas, in bytes. */
export const maxSetBytes = 25_000_000

const line = (most: number) =>
  v.pipe(
    v.string('Must be a text.'),
    v.trim(),
    v.maxLength(most, `Must be at most ${most} characters.`),
    v.regex(/^[^\u0000-\u001f\u007f]*$/, 'Must be one line.'),
  )

const settings = {
  name: Name,
  notes: v.optional(Notes),
  origin: v.optional(line(500)),
  licence: v.optional(line(200)),
  vintage: v.optional(line(100)),
  visibility: v.optional(Visibility),
  /** A set of the same place, or a built-in one, that contains these areas, as districts contain wards; null for none. */
  parentId: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(64)))),
}
/** The name of an attribute in the file; '' for none. */
const Field = v.nullable(line(200))

const areas = {
  /**
   * The order of the coordinates of each position: `asRead` keeps that of the file, `swapped` takes the first as latitude. Without
   * it they are swapped where the areas can be read, or lie near the organization's other data, only then.
   */
  axes: v.optional(v.picklist(['asRead', 'swapped'], 'Must be "asRead" or "swapped".')),
  file: v.optional(v.instance(File, 'Must be a file.')),
  geojson: v.optional(v.looseObject({ type: v.string('Must be GeoJSON.') })),
}

/** A new set: its areas as a file in a form, or as GeoJSON in the body. The fields for name and code are guessed. */
export const NewBoundarySet = v.strictObject({ ...settings, ...areas, id: v.optional(Id) })
export type NewBoundarySet = v.InferOutput<typeof NewBoundarySet>

export const BoundarySetChanges = v.strictObject({
  ...v.partial(v.object(settings)).entries,
  nameField: v.optional(Field),
  codeField: v.optional(Field),
  version: v.optional(Version),
})
export type BoundarySetChanges = v.InferOutput<typeof BoundarySetChanges>

/** Areas that replace those of a set. */
export const NewEdition = v.strictObject(areas)
export type NewEdition = v.InferOutput<typeof NewEdition>

export const BoundarySetOptions = restorableOptions({
  id: 'text',
  name: 'text',
  visibility: 'text',
  createdAt: 'date',
  updatedAt: 'date',
})

/** An attribute of the areas. `isUnique`: every area has a distinct value. `repeated`: the first value that several have. */
const BoundarySetField = v.strictObject({
  name: v.string(),
  samples: v.array(v.string()),
  isUnique: v.boolean(),
  repeated: v.optional(v.string()),
})
export type BoundarySetField = v.InferOutput<typeof BoundarySetField>

/** What was repaired, left out or noticed while reading the file. `number`: of the area in the file; null: the file as a whole. */
const BoundarySetFinding = v.strictObject({
  kind: v.picklist(['repaired', 'leftOut', 'noted']),
  message: v.string(),
  number: v.nullable(v.number()),
})
export type BoundarySetFinding = v.InferOutput<typeof BoundarySetFinding>

/** An area that is not within a single area of the parent set: the one that overlaps most, and its share, from 0 to 1; null for none. */
const AreaApart = v.strictObject({
  number: v.number(),
  name: v.string(),
  parent: v.nullable(v.string()),
  share: v.number(),
})
/** How a set nests in its parent: the number of areas that do not, and the first 200 of them. */
const BoundarySetNesting = v.strictObject({ apart: v.number(), areas: v.array(AreaApart) })
export type BoundarySetNesting = v.InferOutput<typeof BoundarySetNesting>

export const BoundarySetRow = v.strictObject({
  id: v.string(),
  placeId: v.string(),
  name: v.string(),
  notes: v.string(),
  origin: v.string(),
  licence: v.string(),
  vintage: v.string(),
  visibility: Visibility,
  parentId: v.nullable(v.string()),
  /** Null without a parent set. */
  nesting: v.nullable(BoundarySetNesting),
  nameField: v.nullable(v.string()),
  codeField: v.nullable(v.string()),
  /** Incremented with every replacement of the areas. */
  edition: v.number(),
  areaCount: v.number(),
  vertexCount: v.number(),
  /** West, south, east, north in degrees. */
  bounds: v.array(v.number()),
  fields: v.array(BoundarySetField),
  /** The first 200. */
  findings: v.array(BoundarySetFinding),
  findingCount: v.number(),
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
})

/** A page of a set's areas, in the order of its file; `search` matches names and codes. */
export const BoundarySetAreaOptions = v.pick(listOptions({}), ['search', 'limit', 'offset', 'next'])
export type BoundarySetAreaOptions = v.InferOutput<typeof BoundarySetAreaOptions>

/** An area of a set, without its geometry. */
export const BoundarySetAreaRow = v.strictObject({
  number: v.number(),
  code: v.string(),
  name: v.string(),
  attributes: v.record(v.string(), v.string()),
})

/** Some regions of a set: their number, and the first five; all of them where one set is asked for by its id. */
const SomeRegions = v.strictObject({
  count: v.number(),
  first: v.array(v.strictObject({ code: v.string(), name: v.string() })),
})
/**
 * How the first-level regions of a country differ from ISO 3166-2. `missing`: regions of ISO's that the set has neither as a whole
 * nor in parts; `own`: regions of the set that ISO has not; `recoded`: those with another code there, which is `iso`.
 */
const IsoFacts = v.strictObject({
  missing: SomeRegions,
  own: SomeRegions,
  recoded: v.strictObject({
    ...SomeRegions.entries,
    first: v.array(v.strictObject({ code: v.string(), name: v.string(), iso: v.string() })),
  }),
})
export type IsoFacts = v.InferOutput<typeof IsoFacts>

/** A set that maps can use: of the place, of another organization, or built-in. */
export const OfferedSet = v.strictObject({
  id: v.string(),
  name: v.string(),
  origin: v.string(),
  licence: v.string(),
  vintage: v.string(),
  /** The owner; null for built-in sets. */
  placeId: v.nullable(v.string()),
  placeName: v.nullable(v.string()),
  areaCount: v.nullable(v.number()),
  /** Null for sets other than the built-in first-level regions of a country. */
  iso: v.nullable(IsoFacts),
  /** Sentences about disputed borders of built-in sets. */
  disputes: v.array(v.string()),
  /** For built-in sets: the first five areas that match the search. */
  found: v.array(v.strictObject({ code: v.string(), name: v.string() })),
})
export const OfferedSets = v.strictObject({ results: v.array(OfferedSet) })
export const OfferedOptions = v.strictObject({
  search: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200))),
  /** Only the set with this id, whoever owns it. */
  id: v.optional(Id),
})
export type OfferedOptions = v.InferOutput<typeof OfferedOptions>

/** The tile archive of an organization's own set. `hash`: the first 12 hex digits of the SHA-256 of its bytes. */
export interface SetTiles {
  hash: string
  /** West, south, east, north in degrees. */
  bounds: [number, number, number, number]
  minZoom: number
  maxZoom: number
}

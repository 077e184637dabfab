import * as v from 'valibot'
import { Id, Name, Notes, Version, Visibility, listOptions, restorableOptions } from './options.ts'
import { Time } from './returns.ts'

/** The most bytes of a file of areas. */
export const mostSetBytes = 25_000_000

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
  /** A set of the same place whose areas these are parts of, as wards are of districts; null: none. */
  parentId: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(64)))),
}
/** The name of an attribute of the file; '' is none. */
const Field = v.nullable(line(200))

const areas = {
  file: v.optional(v.instance(File, 'Must be a file.')),
  geojson: v.optional(v.looseObject({ type: v.string('Must be GeoJSON.') })),
}

/** A new set: its areas as a file of a form, or as GeoJSON in the body. Which fields name and number them is guessed. */
export const NewBoundarySet = v.strictObject({ ...settings, ...areas, id: v.optional(Id) })
export type NewBoundarySet = v.InferOutput<typeof NewBoundarySet>

export const BoundarySetChanges = v.strictObject({
  ...v.partial(v.object(settings)).entries,
  nameField: v.optional(Field),
  codeField: v.optional(Field),
  version: v.optional(Version),
})
export type BoundarySetChanges = v.InferOutput<typeof BoundarySetChanges>

/** Areas that take the place of those a set has. */
export const NewEdition = v.strictObject(areas)
export type NewEdition = v.InferOutput<typeof NewEdition>

export const BoundarySetOptions = restorableOptions({
  id: 'text',
  name: 'text',
  visibility: 'text',
  createdAt: 'date',
  updatedAt: 'date',
})

/** An attribute of the areas. `isUnique`: every area has it, and no two the same. */
const BoundarySetField = v.strictObject({
  name: v.string(),
  samples: v.array(v.string()),
  isUnique: v.boolean(),
})
export type BoundarySetField = v.InferOutput<typeof BoundarySetField>

/** What was repaired, left out or noticed while the file was read. `number`: of the area in the file; null: of the file. */
const BoundarySetFinding = v.strictObject({
  kind: v.picklist(['repaired', 'leftOut', 'noted']),
  message: v.string(),
  number: v.nullable(v.number()),
})
export type BoundarySetFinding = v.InferOutput<typeof BoundarySetFinding>

/** An area that lies in no single area of the set above: the one that has most of it, and how much, from 0 to 1; null: none has any. */
const AreaApart = v.strictObject({
  number: v.number(),
  name: v.string(),
  parent: v.nullable(v.string()),
  share: v.number(),
})
/** How a set nests in the one above: how many areas do not, and the first 200 of them. */
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
  /** Null without a set above. */
  nesting: v.nullable(BoundarySetNesting),
  nameField: v.nullable(v.string()),
  codeField: v.nullable(v.string()),
  /** Counts up with every file that replaced another. */
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

/** A page of the areas of a set, in the order of its file; `search` looks through names and codes. */
export const BoundarySetAreaOptions = v.pick(listOptions({}), ['search', 'limit', 'offset', 'next'])
export type BoundarySetAreaOptions = v.InferOutput<typeof BoundarySetAreaOptions>

/** An area of a set, without its borders. */
export const BoundarySetAreaRow = v.strictObject({
  number: v.number(),
  code: v.string(),
  name: v.string(),
  attributes: v.record(v.string(), v.string()),
})

/** A set that maps can be coloured by: of the place, of another organization, or of those that everyone has. */
export const OfferedSet = v.strictObject({
  id: v.string(),
  name: v.string(),
  origin: v.string(),
  licence: v.string(),
  vintage: v.string(),
  /** Whose it is; null: everyone's. */
  placeId: v.nullable(v.string()),
  placeName: v.nullable(v.string()),
  areaCount: v.nullable(v.number()),
  /** Of everyone's sets: the areas that are called what was searched for, the first five. */
  found: v.array(v.strictObject({ code: v.string(), name: v.string() })),
})
export const OfferedSets = v.strictObject({ results: v.array(OfferedSet) })
export const OfferedOptions = v.strictObject({
  search: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200))),
  /** Only the set with this id, whosever it is. */
  id: v.optional(Id),
})
export type OfferedOptions = v.InferOutput<typeof OfferedOptions>

/** Whether a text of an attribute is a number that means the same to everyone: no grouping, no leading zero, not the code of something. */
export const isPlainNumber = (text: string): boolean => /^-?(0|[1-9]\d{0,15})(\.\d{1,15})?$/.test(text)

/** The archive of a set that an organization brings. `hash`: the first 12 hex digits of the SHA-256 of its bytes. */
export interface SetTiles {
  hash: string
  /** West, south, east, north in degrees. */
  bounds: [number, number, number, number]
  minZoom: number
  maxZoom: number
}

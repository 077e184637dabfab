import * as v from 'valibot'
import { Id, Name, Notes, Slug, Version, Visibility, WebAddress, listOptions } from './options.ts'

const settings = {
  name: Name,
  notes: v.optional(Notes),
  visibility: v.optional(Visibility),
  attribution: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(500)))),
  attributionUrl: v.optional(v.nullable(WebAddress)),
  licence: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(200)))),
}

/** A new source: the records of one data type that one place keeps. */
export const NewSource = v.strictObject({
  ...settings,
  id: v.optional(Id),
  dataTypeId: Slug,
  placeId: v.optional(Slug),
})
export type NewSource = v.InferOutput<typeof NewSource>

/** What of a source can be changed. Its place and data type stay. */
export const SourceChanges = v.strictObject({
  ...v.partial(v.object(settings)).entries,
  version: v.optional(Version),
})
export type SourceChanges = v.InferOutput<typeof SourceChanges>

export const SourceOptions = listOptions({
  id: 'text',
  placeId: 'text',
  dataTypeId: 'text',
  name: 'text',
  visibility: 'text',
  createdAt: 'date',
  updatedAt: 'date',
})

import * as v from 'valibot'
import { Email } from './auth.ts'
import { CustomValueChanges, CustomValues } from './custom-field.ts'
import { cadences } from './metadata.ts'
import {
  Id,
  Name,
  Notes,
  Slug,
  Version,
  Visibility,
  WebAddress,
  buildNameShape,
  restorableOptions,
} from './options.ts'
import { RelatedDataType, RelatedPlace } from './related.ts'
import { Tags } from './tags.ts'
import { Time, TimeOrNull } from './returns.ts'

/** The contact for a source: an email or web address. */
const Contact = v.union([Email, WebAddress], 'Must be an email address or a web address.')

const settings = {
  name: Name,
  notes: v.optional(Notes),
  visibility: v.optional(Visibility),
  attribution: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(500)))),
  attributionUrl: v.optional(v.nullable(WebAddress)),
  licence: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(200)))),
  licenceUrl: v.optional(v.nullable(WebAddress)),
  tags: v.optional(Tags),
  topic: v.optional(v.nullable(buildNameShape(100))),
  publisher: v.optional(v.nullable(buildNameShape(200))),
  publisherUrl: v.optional(v.nullable(WebAddress)),
  contactName: v.optional(v.nullable(buildNameShape(200))),
  contact: v.optional(v.nullable(Contact)),
  cadence: v.optional(v.nullable(v.picklist(cadences, `Must be one of ${cadences.join(', ')}.`))),
  customFields: v.optional(CustomValueChanges),
}

/** A new source: records of one data type, owned by a place. */
export const NewSource = v.strictObject({
  ...settings,
  id: v.optional(Id),
  dataTypeId: Slug,
  placeId: v.optional(Slug),
})
export type NewSource = v.InferOutput<typeof NewSource>

/** The editable members of a source; place and data type are fixed. */
export const SourceChanges = v.strictObject({
  ...v.partial(v.object(settings)).entries,
  version: v.optional(Version),
})
export type SourceChanges = v.InferOutput<typeof SourceChanges>

export const SourceOptions = restorableOptions({
  id: 'text',
  placeId: 'text',
  dataTypeId: 'text',
  name: 'text',
  visibility: 'text',
  tags: 'texts',
  createdAt: 'date',
  updatedAt: 'date',
})

/** West, south, east and north in degrees; null without geometry. */
const Extent = v.nullable(v.pipe(v.array(v.number()), v.length(4)))

/** A source with statistics of its records. `dataVersion` 0: no data yet. `dataType`, `place`: only with `includes`. */
export const SourceRow = v.strictObject({
  id: v.string(),
  placeId: v.string(),
  dataTypeId: v.string(),
  name: v.string(),
  notes: v.string(),
  visibility: Visibility,
  attribution: v.nullable(v.string()),
  attributionUrl: v.nullable(v.string()),
  licence: v.nullable(v.string()),
  licenceUrl: v.nullable(v.string()),
  tags: v.array(v.string()),
  topic: v.nullable(v.string()),
  publisher: v.nullable(v.string()),
  publisherUrl: v.nullable(v.string()),
  contactName: v.nullable(v.string()),
  contact: v.nullable(v.string()),
  cadence: v.nullable(v.picklist(cadences)),
  /** The date (YYYY-MM-DD, in the time zone of its place) of the next expected data; null for none. Afterwards they are late. */
  expected: v.nullable(v.string()),
  /** Whether that date has passed at the time of the request; false without one. */
  isLate: v.boolean(),
  /** Its values of visible custom fields, by key. */
  customFields: CustomValues,
  dataVersion: v.number(),
  dataUpdatedAt: TimeOrNull,
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
  extent: Extent,
  count: v.number(),
  dataType: v.optional(v.nullable(RelatedDataType)),
  place: v.optional(v.nullable(RelatedPlace)),
})

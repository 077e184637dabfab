import * as v from 'valibot'
import { hubSections } from './hub-section.ts'
import { locales } from './locale.ts'
import { reservedIds } from './placeId.ts'
import { Id, Slug, Version, listOptions, plainName } from './options.ts'
import { GeoJson, partOf, Time, listOf } from './returns.ts'

const Colour = v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i, 'Must be a colour such as #ec7945.'))
/** A picture of the media library or of the web; never a script. */
const Picture = v.pipe(
  v.string(),
  v.maxLength(2000),
  v.regex(/^(https?:\/\/|\/(?!\/))[^\s]*$/i, 'Must be an image address.'),
)

/** The pictures of a theme. */
export const themeImages = [
  'squareImage',
  'headerImage',
  'logoFullImage',
  'logoCollapseImage',
  'logoImage',
] as const
export type ThemeImage = (typeof themeImages)[number]

export const Theme = v.strictObject({
  primaryColor: v.optional(Colour),
  ...v.entriesFromList(themeImages, v.optional(Picture)),
})

export const MapConfiguration = v.strictObject({
  showStateLabel: v.optional(v.boolean()),
  layerColor: v.optional(Colour),
})
export type MapConfiguration = v.InferOutput<typeof MapConfiguration>

/** Sections in the order they are wanted; what is not named is not shown. */
export const HubSections = v.pipe(
  v.array(v.picklist(hubSections, `Must be one of ${hubSections.join(', ')}.`)),
  v.maxLength(hubSections.length, `Must not have more than ${hubSections.length} sections.`),
  v.check((names) => new Set(names).size === names.length, 'Must name each section once.'),
)

const codes = locales.map(({ code }) => code)
/** The languages of a hub; the first is its own, whose addresses have no prefix. */
const HubLanguages = v.pipe(
  v.array(v.picklist(codes, `Must be one of ${codes.join(', ')}.`)),
  v.minLength(1, 'Must name at least one language.'),
  v.maxLength(codes.length, `Must not have more than ${codes.length} languages.`),
  v.check((names) => new Set(names).size === names.length, 'Must name each language once.'),
)

/** Whether the platform's time zone table has the name. An offset is no time zone: it knows no summer. */
function isTimeZone(name: string): boolean {
  if (!/^[a-z][a-z0-9_+\-/]*$/i.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** A time zone by its name of the IANA. */
export const TimeZone = v.pipe(
  v.string(),
  v.check(isTimeZone, 'Must be a time zone such as America/New_York.'),
)

const PlaceName = plainName(200)

/** Where readers of a hub may write to; '' for nowhere. */
const Contact = v.union(
  [
    v.literal(''),
    v.pipe(v.string(), v.trim(), v.maxLength(254), v.email()),
    v.pipe(v.string(), v.trim(), v.maxLength(500), v.regex(/^https?:\/\/[^\s<>"]+$/i), v.url()),
  ],
  'Must be an e-mail address, or a web address such as https://city.org/contact.',
)

/** Areas of a public boundary set of the place itself: the one with a code, or (null) all of them together. */
export const OwnBoundary = v.strictObject({
  boundarySetId: Id,
  area: v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(1000))),
})
export type OwnBoundary = v.InferOutput<typeof OwnBoundary>

const settings = {
  name: PlaceName,
  displayName: v.optional(PlaceName),
  description: v.optional(v.pipe(v.string(), v.maxLength(2000))),
  about: v.optional(v.pipe(v.string(), v.maxLength(100_000))),
  /** The body that publishes, by its official name; '' for none. */
  publisher: v.optional(v.union([v.literal(''), PlaceName])),
  contact: v.optional(Contact),
  privacy: v.optional(v.pipe(v.string(), v.maxLength(100_000))),
  isHub: v.optional(v.boolean()),
  timeZone: v.optional(TimeZone),
  theme: v.optional(Theme),
  mapConfiguration: v.optional(MapConfiguration),
  /** Null: all of them, in the order of the product. */
  hubSections: v.optional(v.nullable(HubSections)),
  /** Null: all of them, in the order of the product. */
  languages: v.optional(v.nullable(HubLanguages)),
  boundaryId: v.optional(v.nullable(Id)),
  allStatesBoundaryId: v.optional(v.nullable(Id)),
}

/** The id of a place is the first label of its host, so it must be a whole label, and one that may be given away. */
const PlaceId = v.pipe(
  Slug,
  v.regex(/[a-z0-9]$/, 'Must end with a letter or digit.'),
  v.check((id) => !/^..--/.test(id), 'Must not look like an encoded name.'),
  v.check((id) => !reservedIds.has(id), 'This name is reserved.'),
)

/** A new place. Its id is permanent: it is the first label of its host. */
export const NewPlace = v.strictObject({ ...settings, id: PlaceId })
export type NewPlace = v.InferOutput<typeof NewPlace>

export const PlaceChanges = v.strictObject({
  ...v.partial(v.object(settings)).entries,
  /** In the place of `boundaryId`, which is null then; null: none. A new place has no sets yet. */
  ownBoundary: v.optional(v.nullable(OwnBoundary)),
  version: v.optional(Version),
})
export type PlaceChanges = v.InferOutput<typeof PlaceChanges>

export const PlaceOptions = listOptions({
  id: 'text',
  name: 'text',
  displayName: 'text',
  isHub: 'boolean',
  createdAt: 'date',
})

/** A place on the wire. `domain`: the verified host of its own that it answers on; null without one. */
export const PlaceRow = v.strictObject({
  id: v.string(),
  name: v.string(),
  displayName: v.string(),
  description: v.string(),
  about: v.string(),
  publisher: v.string(),
  contact: v.string(),
  privacy: v.string(),
  isHub: v.boolean(),
  timeZone: v.string(),
  theme: v.record(v.string(), v.string()),
  mapConfiguration: v.record(v.string(), v.unknown()),
  /** What the first page of its hub shows, in this order. */
  hubSections: HubSections,
  /** What the pages of its hub are in, its own language first. */
  languages: HubLanguages,
  boundaryId: v.nullable(v.string()),
  /** Where it is drawn by areas of a set of its own; `boundaryId` is null then. */
  ownBoundary: v.nullable(OwnBoundary),
  allStatesBoundaryId: v.nullable(v.string()),
  domain: v.nullable(v.string()),
  hasMap: v.boolean(),
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
  boundary: v.optional(
    v.nullable(
      partOf({
        id: v.string(),
        code: v.string(),
        name: v.string(),
        type: v.picklist(['country', 'state', 'county', 'area']),
        hasAllStatesBoundary: v.boolean(),
        area: GeoJson,
      }),
    ),
  ),
})

/** What a person is in a place; null takes every right. */
export const PlaceUserChanges = v.strictObject({ role: v.nullable(v.pipe(v.string(), v.maxLength(64))) })
export type PlaceUserChanges = v.InferOutput<typeof PlaceUserChanges>

/** What the administrator who hands a place over becomes there; null: they leave. */
export const HandOver = v.strictObject({
  role: v.nullable(v.pipe(v.string('Must be a text.'), v.maxLength(64))),
})
export type HandOver = v.InferOutput<typeof HandOver>

export const PlaceUserOptions = listOptions({ id: 'text', name: 'text', role: 'text', createdAt: 'date' })

/** A person of a place. Addresses are for admins. `role` null: in the place without one. */
export const PlaceUser = v.strictObject({
  id: v.string(),
  name: v.string(),
  image: v.nullable(v.string()),
  role: v.nullable(v.string()),
  createdAt: Time,
  email: v.optional(v.string()),
})
export const PlaceUsers = listOf(PlaceUser)

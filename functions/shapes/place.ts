import * as v from 'valibot'
import { hubSections } from './hub-section.ts'
import { locales } from './locale.ts'
import { reservedIds } from './place-id.ts'
import { Id, Slug, Version, listOptions, buildNameShape } from './options.ts'
import { GeoJson, buildPartialShape, Time, buildListShape } from './returns.ts'

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

/** The sections in the desired order; others are hidden. */
export const HubSections = v.pipe(
  v.array(v.picklist(hubSections, `Must be one of ${hubSections.join(', ')}.`)),
  v.maxLength(hubSections.length, `Must not have more than ${hubSections.length} sections.`),
  v.check((names) => new Set(names).size === names.length, 'Must name each section once.'),
)

const codes = locales.map(({ code }) => code)
/** The languages of a hub; the first is the default, without a path prefix. */
const HubLanguages = v.pipe(
  v.array(v.picklist(codes, `Must be one of ${codes.join(', ')}.`)),
  v.minLength(1, 'Must name at least one language.'),
  v.maxLength(codes.length, `Must not have more than ${codes.length} languages.`),
  v.check((names) => new Set(names).size === names.length, 'Must name each language once.'),
)

/** Whether the platform knows the time zone. Offsets are rejected, as they have no daylight saving time. */
function isTimeZone(name: string): boolean {
  if (!/^[a-z][a-z0-9_+\-/]*$/i.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** An IANA time zone. */
export const TimeZone = v.pipe(
  v.string(),
  v.check(isTimeZone, 'Must be a time zone such as America/New_York.'),
)

const PlaceName = buildNameShape(200)

/** The contact of a hub's readers; '' for none. */
const Contact = v.union(
  [
    v.literal(''),
    v.pipe(v.string(), v.trim(), v.maxLength(254), v.email()),
    v.pipe(v.string(), v.trim(), v.maxLength(500), v.regex(/^https?:\/\/[^\s<>"]+$/i), v.url()),
  ],
  'Must be an e-mail address, or a web address such as https://city.org/contact.',
)

/** Areas of a public boundary set of the place itself: the one with this code, or all of them (null). */
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
  /** The official name of the publisher; '' for none. */
  publisher: v.optional(v.union([v.literal(''), PlaceName], 'Must be a text.')),
  contact: v.optional(Contact),
  privacy: v.optional(v.pipe(v.string(), v.maxLength(100_000))),
  isHub: v.optional(v.boolean()),
  timeZone: v.optional(TimeZone),
  theme: v.optional(Theme),
  mapConfiguration: v.optional(MapConfiguration),
  /** Null: all of them, in default order. */
  hubSections: v.optional(v.nullable(HubSections)),
  /** Null: all of them, in default order. */
  languages: v.optional(v.nullable(HubLanguages)),
  boundaryId: v.optional(v.nullable(Id)),
  allStatesBoundaryId: v.optional(v.nullable(Id)),
}

/** The id of a place is the first label of its hostname, so it must be a valid label that is not reserved. */
const PlaceId = v.pipe(
  Slug,
  v.regex(/[a-z0-9]$/, 'Must end with a letter or digit.'),
  v.check((id) => !/^..--/.test(id), 'Must not look like an encoded name.'),
  v.check((id) => !reservedIds.has(id), 'This name is reserved.'),
)

/** A new place. Its id is permanent, as it is the first label of its hostname. */
export const NewPlace = v.strictObject({ ...settings, id: PlaceId })
export type NewPlace = v.InferOutput<typeof NewPlace>

export const PlaceChanges = v.strictObject({
  ...v.partial(v.object(settings)).entries,
  /** Replaces `boundaryId`, which is null then; null: none. A new place has no sets yet. */
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

/** A place in the API. `domain`: its verified own domain; null without one. */
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
  /** The sections of its hub's home page, in order. */
  hubSections: HubSections,
  /** The languages of its hub, the default first. */
  languages: HubLanguages,
  boundaryId: v.nullable(v.string()),
  /** The own areas that are its boundary; `boundaryId` is null then. */
  ownBoundary: v.nullable(OwnBoundary),
  allStatesBoundaryId: v.nullable(v.string()),
  domain: v.nullable(v.string()),
  hasMap: v.boolean(),
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
  boundary: v.optional(
    v.nullable(
      buildPartialShape({
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

/** The role of a member; null revokes all permissions. */
export const PlaceUserChanges = v.strictObject({ role: v.nullable(v.pipe(v.string(), v.maxLength(64))) })
export type PlaceUserChanges = v.InferOutput<typeof PlaceUserChanges>

/** The new role of the administrator who hands over the place; null: they leave. */
export const HandOver = v.strictObject({
  role: v.nullable(v.pipe(v.string('Must be a text.'), v.maxLength(64))),
})
export type HandOver = v.InferOutput<typeof HandOver>

export const PlaceUserOptions = listOptions({ id: 'text', name: 'text', role: 'text', createdAt: 'date' })

/** A member of a place. Email addresses are only for admins. `role` null: no role. */
export const PlaceUser = v.strictObject({
  id: v.string(),
  name: v.string(),
  image: v.nullable(v.string()),
  role: v.nullable(v.string()),
  createdAt: Time,
  email: v.optional(v.string()),
})
export const PlaceUsers = buildListShape(PlaceUser)

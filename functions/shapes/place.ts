import * as v from 'valibot'
import { Id, Name, Slug, Version, listOptions } from './options.ts'

const Colour = v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i, 'Must be a colour such as #ec7945.'))
/** A picture of the media library or of the web; never a script. */
const Picture = v.pipe(
  v.string(),
  v.maxLength(2000),
  v.regex(/^(https?:\/\/|\/(?!\/))[^\s]*$/i, 'Must be an image address.'),
)

export const Theme = v.strictObject({
  primaryColor: v.optional(Colour),
  squareImage: v.optional(Picture),
  headerImage: v.optional(Picture),
  logoFullImage: v.optional(Picture),
  logoCollapseImage: v.optional(Picture),
  logoImage: v.optional(Picture),
})

export const MapConfiguration = v.strictObject({
  showStateLabel: v.optional(v.boolean()),
  layerColor: v.optional(Colour),
})

/** Whether the platform's time zone table has the name. */
function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

const settings = {
  name: Name,
  displayName: v.optional(Name),
  description: v.optional(v.pipe(v.string(), v.maxLength(2000))),
  about: v.optional(v.pipe(v.string(), v.maxLength(100_000))),
  isHub: v.optional(v.boolean()),
  timeZone: v.optional(
    v.pipe(v.string(), v.check(isTimeZone, 'Must be a time zone such as America/New_York.')),
  ),
  theme: v.optional(Theme),
  mapConfiguration: v.optional(MapConfiguration),
  boundaryId: v.optional(v.nullable(Id)),
  allStatesBoundaryId: v.optional(v.nullable(Id)),
}

/** A new place. Its id is permanent: it is the first label of its host. */
export const NewPlace = v.strictObject({ ...settings, id: Slug })
export type NewPlace = v.InferOutput<typeof NewPlace>

export const PlaceChanges = v.strictObject({
  ...v.partial(v.object(settings)).entries,
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

/** What a person is in a place; null takes every right. */
export const PlaceUserChanges = v.strictObject({ role: v.nullable(v.pipe(v.string(), v.maxLength(64))) })
export type PlaceUserChanges = v.InferOutput<typeof PlaceUserChanges>

export const PlaceUserOptions = listOptions({ id: 'text', name: 'text', role: 'text', createdAt: 'date' })

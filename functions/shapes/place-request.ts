import * as v from 'valibot'
import { NewPlace } from './place.ts'
import { isReserved, reservedIds } from './place-id.ts'
import { listOptions } from './options.ts'
import { Time, TimeOrNull, buildListShape } from './returns.ts'

/**
 * Who may create an organization: anyone with a confirmed address; anyone after approval by a super admin; only invited people; people
 * with an address of certain domains.
 */
const organizationsBy = ['anyone', 'approval', 'invitation', 'domain'] as const
export type OrganizationsBy = (typeof organizationsBy)[number]

/** Maximum number of existing organizations created by one person. */
export const maxStarted = 5
/** Days after which requests are deleted, answered or not. */
export const placeRequestDays = 180

const placeRequestStatuses = ['pending', 'accepted', 'refused', 'withdrawn'] as const
export type PlaceRequestStatus = (typeof placeRequestStatuses)[number]

/** A message about a request: plain text. */
const Words = v.pipe(
  v.string('Must be a text.'),
  v.trim(),
  v.maxLength(1000, 'Must be at most 1000 characters.'),
)

/** An id for people who are no super admins: none that looks reserved. */
const OwnId = v.pipe(
  NewPlace.entries.id,
  v.minLength(3, 'Must have at least 3 characters.'),
  // Exactly reserved words are rejected by the usual rule.
  v.check((id) => reservedIds.has(id) || !isReserved(id), 'This name is reserved.'),
)

const { name, timeZone } = NewPlace.entries

/** A new organization: its name, permanent id and time zone. */
export const NewStart = v.strictObject({ id: OwnId, name, timeZone })
export type NewStart = v.InferOutput<typeof NewStart>

/** A requested organization. `note`: its purpose. */
export const NewPlaceRequest = v.strictObject({ ...NewStart.entries, note: v.optional(Words) })
export type NewPlaceRequest = v.InferOutput<typeof NewPlaceRequest>

/** A request to join an organization. `note`: about the person. */
export const NewJoinRequest = v.strictObject({ note: v.optional(Words) })
export type NewJoinRequest = v.InferOutput<typeof NewJoinRequest>

/** An optional message with the answer to a request. */
export const Reply = v.strictObject({ reply: v.optional(Words) })
export type Reply = v.InferOutput<typeof Reply>

/** The role of an accepted person. */
export const JoinAcceptance = v.strictObject({
  role: v.pipe(v.string('Must be a text.'), v.minLength(1, 'Required.'), v.maxLength(64)),
})
export type JoinAcceptance = v.InferOutput<typeof JoinAcceptance>

/**
 * Whether the person may create an organization. `may`: create one, request one, or neither (null); then `why`: unconfirmed address,
 * invitation only, an address of one of `domains` is required, or the maximum is reached.
 */
export const StartTerms = v.strictObject({
  by: v.picklist(organizationsBy),
  domains: v.array(v.string()),
  may: v.nullable(v.picklist(['start', 'ask'])),
  why: v.nullable(v.picklist(['unconfirmed', 'invitation', 'domain', 'limit'])),
  /** How many more. */
  left: v.number(),
  /** Places that the person can join at once as a viewer, by the domain of their address. */
  open: v.array(v.strictObject({ id: v.string(), displayName: v.string() })),
})
export type StartTerms = v.InferOutput<typeof StartTerms>

const request = {
  id: v.string(),
  note: v.string(),
  status: v.picklist(placeRequestStatuses),
  reply: v.string(),
  createdAt: Time,
  /** Null: not answered yet. */
  answeredAt: TimeOrNull,
}
/** The requested id and name of a new organization. */
const newPlace = { wantedId: v.string(), name: v.string() }
/** The author of the request. */
const person = { userId: v.string(), userName: v.string(), email: v.string() }

/** A request for a new organization, as seen by super admins. */
export const PlaceRequest = v.strictObject({ ...request, ...newPlace, ...person })
export const PlaceRequests = buildListShape(PlaceRequest)

/** A request to join an organization, as seen by its admins. */
export const JoinRequest = v.strictObject({ ...request, placeId: v.string(), ...person })
export const JoinRequests = buildListShape(JoinRequest)

/** A person's own request. `new`: with the requested name; `join`: with the organization's name in `name`. */
export const OwnRequest = v.strictObject({
  ...request,
  kind: v.picklist(['new', 'join']),
  placeId: v.nullable(v.string()),
  wantedId: v.nullable(v.string()),
  name: v.string(),
})
export const OwnRequests = buildListShape(OwnRequest)

const columns = { id: 'text', userId: 'text', status: 'text', createdAt: 'date', answeredAt: 'date' } as const
const fewer = ['maxVisibility', 'visibility', 'includes'] as const

export const PlaceRequestOptions = v.omit(listOptions({ ...columns, wantedId: 'text', name: 'text' }), fewer)
export type PlaceRequestOptions = v.InferOutput<typeof PlaceRequestOptions>

export const JoinRequestOptions = v.omit(listOptions(columns), fewer)
export type JoinRequestOptions = v.InferOutput<typeof JoinRequestOptions>

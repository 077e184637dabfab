import * as v from 'valibot'
import { NewPlace } from './place.ts'
import { isReserved, reservedIds } from './placeId.ts'
import { listOptions } from './options.ts'
import { Time, TimeOrNull, listOf } from './returns.ts'

/**
 * Who may make an organization: anyone who has confirmed an address; who was allowed to by a super admin; nobody but super admins, who
 * invite people; who has an address of a domain.
 */
const organizationsBy = ['anyone', 'approval', 'invitation', 'domain'] as const
export type OrganizationsBy = (typeof organizationsBy)[number]

/** So many organizations that exist a person has made at most. */
export const mostStarted = 5
/** For so many days a request is kept, answered or not. */
export const placeRequestDays = 180

const placeRequestStatuses = ['pending', 'accepted', 'refused', 'withdrawn'] as const
export type PlaceRequestStatus = (typeof placeRequestStatuses)[number]

/** What people write to each other about a request: plain text. */
const Words = v.pipe(
  v.string('Must be a text.'),
  v.trim(),
  v.maxLength(1000, 'Must be at most 1000 characters.'),
)

/** An id that whoever is not a super admin may have: none that reads like one of the product's own. */
const OwnId = v.pipe(
  NewPlace.entries.id,
  v.minLength(3, 'Must have at least 3 characters.'),
  // One of the words themselves is refused as of every place.
  v.check((id) => reservedIds.has(id) || !isReserved(id), 'This name is reserved.'),
)

const { name, timeZone } = NewPlace.entries

/** An organization that a person makes: what it is called, and the first part of its address, for good. */
export const NewStart = v.strictObject({ id: OwnId, name, timeZone })
export type NewStart = v.InferOutput<typeof NewStart>

/** An organization that a person asks for. `note`: for whom and what it is. */
export const NewPlaceRequest = v.strictObject({ ...NewStart.entries, note: v.optional(Words) })
export type NewPlaceRequest = v.InferOutput<typeof NewPlaceRequest>

/** That someone wants to be let into an organization. `note`: who they are. */
export const NewJoinRequest = v.strictObject({ note: v.optional(Words) })
export type NewJoinRequest = v.InferOutput<typeof NewJoinRequest>

/** What is answered to a request, in words; without them nothing but yes or no. */
export const Reply = v.strictObject({ reply: v.optional(Words) })
export type Reply = v.InferOutput<typeof Reply>

/** What someone becomes who is let into an organization. */
export const JoinAcceptance = v.strictObject({
  role: v.pipe(v.string('Must be a text.'), v.minLength(1, 'Required.'), v.maxLength(64)),
})
export type JoinAcceptance = v.InferOutput<typeof JoinAcceptance>

/**
 * Whether the person may make an organization. `may`: make one, ask for one, or neither (null), and then `why`: their address is not
 * confirmed, people are invited here, it takes an address of one of `domains`, or they have made as many as one may.
 */
export const StartTerms = v.strictObject({
  by: v.picklist(organizationsBy),
  domains: v.array(v.string()),
  may: v.nullable(v.picklist(['start', 'ask'])),
  why: v.nullable(v.picklist(['unconfirmed', 'invitation', 'domain', 'limit'])),
  /** How many more. */
  left: v.number(),
  /** The places that let them in at once, as viewers, by the domain of their address. */
  open: v.array(v.strictObject({ id: v.string(), displayName: v.string() })),
})
export type StartTerms = v.InferOutput<typeof StartTerms>

const request = {
  id: v.string(),
  note: v.string(),
  status: v.picklist(placeRequestStatuses),
  reply: v.string(),
  createdAt: Time,
  /** Null: nobody has answered. */
  answeredAt: TimeOrNull,
}
/** The id and the name that a new organization is to have. */
const newPlace = { wantedId: v.string(), name: v.string() }
/** Who asks. */
const person = { userId: v.string(), userName: v.string(), email: v.string() }

/** A request for a new organization, as super admins see it. */
export const PlaceRequest = v.strictObject({ ...request, ...newPlace, ...person })
export const PlaceRequests = listOf(PlaceRequest)

/** A request to be let into an organization, as its admins see it. */
export const JoinRequest = v.strictObject({ ...request, placeId: v.string(), ...person })
export const JoinRequests = listOf(JoinRequest)

/** What someone asked for. Of `new` with what it is to be called; of `join` with the organization, whose name is `name`. */
export const OwnRequest = v.strictObject({
  ...request,
  kind: v.picklist(['new', 'join']),
  placeId: v.nullable(v.string()),
  wantedId: v.nullable(v.string()),
  name: v.string(),
})
export const OwnRequests = listOf(OwnRequest)

const columns = { id: 'text', userId: 'text', status: 'text', createdAt: 'date', answeredAt: 'date' } as const
const fewer = ['maxVisibility', 'visibility', 'includes'] as const

export const PlaceRequestOptions = v.omit(listOptions({ ...columns, wantedId: 'text', name: 'text' }), fewer)
export type PlaceRequestOptions = v.InferOutput<typeof PlaceRequestOptions>

export const JoinRequestOptions = v.omit(listOptions(columns), fewer)
export type JoinRequestOptions = v.InferOutput<typeof JoinRequestOptions>

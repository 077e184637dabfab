import * as v from 'valibot'
import { Email } from './auth.ts'
import { Id, Slug, listOptions } from './options.ts'
import { Time, TimeOrNull, buildListShape } from './returns.ts'

const RoleId = v.pipe(v.string(), v.maxLength(64))

/** A new invitation. The place is that of the path, else `placeId`, else the active one. */
export const NewInvite = v.strictObject({ email: Email, role: RoleId, placeId: v.optional(Slug) })
export type NewInvite = v.InferOutput<typeof NewInvite>

/** Only the role can be changed, and only while the invitation is pending. */
export const InviteChanges = v.strictObject({ role: RoleId })
export type InviteChanges = v.InferOutput<typeof InviteChanges>

/** The token in the link of the invitation's email. Nothing else gives access to an invitation. */
export const InviteToken = v.strictObject({
  token: v.pipe(v.string('Must be a text.'), v.minLength(1, 'Required.'), v.maxLength(200, 'Too long.')),
})
export type InviteToken = v.InferOutput<typeof InviteToken>

const Status = v.picklist(['pending', 'accepted', 'expired', 'revoked'])

/** An invitation as seen by admins. `invitedBy` null: by the product; `inviterName` null: the account was deleted. */
export const Invite = v.strictObject({
  id: Id,
  placeId: v.string(),
  email: v.string(),
  role: v.string(),
  status: Status,
  invitedBy: v.nullable(v.string()),
  inviterName: v.nullable(v.string()),
  sentAt: Time,
  expiresAt: Time,
  acceptedAt: TimeOrNull,
  createdAt: Time,
  updatedAt: Time,
})
export const Invites = buildListShape(Invite)

/** What the holder of the link sees before accepting. */
export const ShownInvite = v.strictObject({
  id: Id,
  email: v.string(),
  role: v.string(),
  roleName: v.string(),
  expiresAt: Time,
  place: v.strictObject({ id: v.string(), name: v.string(), displayName: v.string() }),
  inviter: v.nullable(v.strictObject({ name: v.string() })),
})

/** What the person with the confirmed address sees without the token: that an invitation is pending, and its place. */
export const WaitingInvite = v.strictObject({
  id: Id,
  email: v.string(),
  expiresAt: Time,
  place: v.strictObject({ id: v.string(), name: v.string(), displayName: v.string() }),
})

/** The membership after accepting. */
export const AcceptedInvite = v.strictObject({
  id: Id,
  placeId: v.string(),
  role: v.string(),
  status: v.literal('accepted'),
})

export const InviteOptions = listOptions({
  id: 'text',
  placeId: 'text',
  email: 'text',
  role: 'text',
  status: 'text',
  createdAt: 'date',
  sentAt: 'date',
  expiresAt: 'date',
})

import { createRowReader, getReadOnlyMembers } from './crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as invites from '#functions/domain/place/invites.ts'
import * as invitations from '#functions/domain/identity/invitations.ts'
import {
  AcceptedInvite,
  Invite,
  InviteChanges,
  InviteOptions,
  Invites,
  InviteToken,
  NewInvite,
  ShownInvite,
  WaitingInvite,
} from '#functions/shapes/invite.ts'
import { Done } from '#functions/shapes/auth.ts'
import { Deleted } from '#functions/shapes/returns.ts'

/** Management of invitations: at the top for every place one may invite to, and under a place for that one. */
export const invitationEndpoints = () => ({
  find: endpoint({ allow: 'invite.read', options: InviteOptions, returns: Invites, run: invites.find }),
  create: endpoint({
    allow: 'invite.create',
    data: NewInvite,
    returns: Invite,
    summary: 'Invite an address into a place',
    run: invitations.create,
  }),
  updateById: endpoint({
    allow: 'invite.update',
    data: InviteChanges,
    readOnly: getReadOnlyMembers(
      Invite,
      InviteChanges,
      createRowReader(InviteOptions, invites.find, 'inviteId'),
    ),
    returns: Invite,
    summary: 'Change the role an invitation is to',
    run: invites.updateById,
  }),
  deleteById: endpoint({
    allow: 'invite.delete',
    returns: Deleted,
    summary: 'Take an invitation back',
    run: invites.deleteById,
  }),
  resend: endpoint({
    allow: 'invite.update',
    returns: Invite,
    http: { method: 'post', one: true },
    summary: 'Send an invitation again, with a new link',
    run: invitations.resend,
  }),
})

/** Invitations of all places, and the endpoints for invited people. */
export const invite = {
  ...invitationEndpoints(),
  confirm: endpoint({
    allow: 'invite.confirm',
    data: InviteToken,
    returns: ShownInvite,
    http: { method: 'post', one: true },
    summary: 'See what an invitation is to, by the token of its link',
    run: invitations.confirm,
  }),
  waiting: endpoint({
    allow: 'invite.accept',
    returns: WaitingInvite,
    http: { method: 'post', one: true },
    summary: 'See that an invitation waits for the own address, and where',
    run: invitations.findPendingInvitation,
  }),
  resendToMe: endpoint({
    allow: 'invite.accept',
    returns: Done,
    http: { method: 'post', one: true },
    summary: 'Have the email of an invitation to the own address sent again, with a new link',
    run: invitations.resendToMe,
  }),
  accept: endpoint({
    allow: 'invite.accept',
    data: InviteToken,
    returns: AcceptedInvite,
    http: { method: 'post', one: true },
    summary: 'Accept an invitation to oneself, by the token of its link',
    run: invitations.accept,
  }),
}

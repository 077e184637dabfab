import { invitationEndpoints } from '../invite.ts'

/** The invitations of one place. */
export const invite = invitationEndpoints()

import type { Mail, Settings } from '#functions/context.ts'
import { dress } from '#functions/domain/letter.ts'

// No name is in these letters: whoever signs up chooses the name and someone else reads it.

/** "Is this your address?" The link works for 24 hours. */
export const verifyLetter = (to: string, token: string, settings: Settings): Mail =>
  dress(to, settings, {
    subject: 'Confirm your e-mail address',
    lines: ['Someone, hopefully you, signed up to Commonplace with this address.'],
    link: { label: 'Confirm this address', path: `/confirmation?token=${encodeURIComponent(token)}` },
    after: 'The link works for 24 hours. If you did not sign up, you need not do anything.',
  })

/** "Choose a new password." The link works once, for one hour. */
export const resetLetter = (to: string, token: string, settings: Settings): Mail =>
  dress(to, settings, {
    subject: 'Choose a new password',
    lines: ['Someone, hopefully you, asked for a new password for this address.'],
    link: { label: 'Choose a new password', path: `/reset_password?token=${encodeURIComponent(token)}` },
    after: 'The link works once, for one hour. If you did not ask for it, your password stays as it is.',
  })

/** To someone who signed up with an address that has an account: the screen told them nothing. */
export const existsLetter = (to: string, settings: Settings): Mail =>
  dress(to, settings, {
    subject: 'You already have an account',
    lines: ['Someone, hopefully you, signed up to Commonplace with this address. It already has an account.'],
    link: { label: 'Choose a new password', path: '/forgot_password' },
    after: 'Sign in with your password, or choose a new one. If this was not you, you need not do anything.',
  })

/** After a reset everyone signed in is signed out; who changes it while signed in stays so. */
export const changedLetter = (
  to: string,
  settings: Settings,
  ended: 'every device' | 'every other device' = 'every device',
): Mail =>
  dress(to, settings, {
    subject: 'Your password was changed',
    lines: [`The password of your account was changed just now, and ${ended} was signed out.`],
    link: { label: 'Sign in', path: '/login' },
    after: 'If this was not you, choose a new password at once and look at your account keys.',
  })

/**
 * "You have been invited." The link works for seven days. The place is named by its id, which super admins give and no
 * one changes: its display name, and who invites, are said by the screen the link leads to.
 */
export const inviteLetter = (
  to: string,
  invite: { id: string; placeId: string; token: string },
  settings: Settings,
): Mail =>
  dress(to, settings, {
    subject: `Invitation to ${invite.placeId} on Commonplace`,
    lines: [`You have been invited to work with the team of ${invite.placeId} on Commonplace.`],
    link: {
      label: 'See the invitation',
      path: `/invite/${encodeURIComponent(invite.id)}?token=${encodeURIComponent(invite.token)}`,
    },
    after: 'The link works for seven days. If you do not know what this is about, you need not do anything.',
  })

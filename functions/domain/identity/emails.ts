import type { Mail, Settings } from '#functions/context.ts'
import {
  composeEmail,
  dayInWords,
  momentInWords,
  placeNameIn,
  tokenMark,
} from '#functions/domain/email/email.ts'

// These emails contain no names: whoever signs up chooses the name, and someone else reads the email.

/**
 * Confirms an address. The link works once, for 24 hours, and only until someone signs up with the address
 * again.
 */
export const verificationEmail = (to: string, userId: string, settings: Settings): Mail =>
  composeEmail(to, settings, {
    subject: 'Confirm your e-mail address',
    lines: ['Someone, hopefully you, signed up to Commonplace with this address.'],
    link: { label: 'Confirm this address', path: `/confirmation?token=${tokenMark}` },
    about: { kind: 'confirmation', subjectId: userId },
    after:
      'The link works once, for 24 hours; a newer one replaces it. If you did not sign up, ignore this email and do not follow the link.',
  })

/** Lets someone choose a new password. The link works once, for one hour. */
export const resetEmail = (to: string, userId: string, settings: Settings): Mail =>
  composeEmail(to, settings, {
    subject: 'Choose a new password',
    lines: ['Someone, hopefully you, asked for a new password for this address.'],
    link: { label: 'Choose a new password', path: `/reset_password?token=${tokenMark}` },
    about: { kind: 'reset', subjectId: userId },
    after: 'The link works once, for one hour. If you did not ask for it, your password stays as it is.',
  })

/**
 * Lets a browser try to sign in. The link works once, for one hour, and does not sign in: that still takes the password.
 */
export const deviceEmail = (to: string, userId: string, settings: Settings): Mail =>
  composeEmail(to, settings, {
    subject: 'Let a browser sign in',
    lines: [
      'There were many failed sign-ins with this address in the last hour.',
      'Browsers that have signed in with it before are not affected. Any other one is let in by this link first: open it in the browser you want to sign in with.',
    ],
    link: { label: 'Let this browser sign in', path: `/login/device?token=${tokenMark}` },
    about: { kind: 'device', subjectId: userId },
    after:
      'The link works once, for one hour, and signing in still takes your password. If you do not want to sign in, you need not do anything.',
  })

/** To someone who signed up with an address that has an account, which the screen does not reveal. */
export const accountExistsEmail = (to: string, settings: Settings): Mail =>
  composeEmail(to, settings, {
    subject: 'You already have an account',
    lines: ['Someone, hopefully you, signed up to Commonplace with this address. It already has an account.'],
    link: { label: 'Choose a new password', path: '/forgot_password' },
    after: 'Sign in with your password, or choose a new one. If this was not you, you need not do anything.',
  })

/** Notifies that a single sign-on identity was connected with the account. */
export const ssoConnectedEmail = (to: string, placeName: string, settings: Settings): Mail =>
  composeEmail(to, settings, {
    subject: 'Your account is connected with an organization’s sign-in',
    lines: [
      `From now on you can sign in at ${placeName} with the account you have there. It opens that organization only, not your other places and not the settings of your account.`,
    ],
    link: { label: 'See your account', path: '/account' },
    after: 'If this was not you, change your password and disconnect it on that screen.',
  })

/** The access that was ended when a password was changed, and what remains. */
interface EndedAccess {
  signedOut: 'every device' | 'every other device'
  /** Keys that were revoked, and keys that still work. */
  ended: { prefix: string }[]
  kept: { prefix: string }[]
}

/**
 * Notifies of a changed password. Keys are listed by prefix: their names were chosen by whoever was signed
 * in.
 */
export const passwordChangedEmail = (
  to: string,
  settings: Settings,
  { signedOut, ended: endedKeys, kept: keptKeys }: EndedAccess,
): Mail =>
  composeEmail(to, settings, {
    subject: 'Your password was changed',
    lines: [
      `The password of your account was changed just now, and ${signedOut} was signed out.`,
      ...(endedKeys.length ? [`${count(endedKeys)} ended with it: ${beginnings(endedKeys)}.`] : []),
      ...(keptKeys.length
        ? [`${count(keptKeys)} still ${keptKeys.length === 1 ? 'works' : 'work'}: ${beginnings(keptKeys)}.`]
        : []),
    ],
    link: { label: 'Sign in', path: '/login' },
    after:
      'If this was not you, choose a new password at once by “Forgot your password?”: that signs out every device and ends every key you do not keep.',
  })

/** To the new address of an account. The link works once, for 24 hours, in a session of the person. */
export const newAddressEmail = (to: string, changeId: string, settings: Settings): Mail =>
  composeEmail(to, settings, {
    subject: 'Confirm your new e-mail address',
    lines: ['Someone, hopefully you, wants to use this address for their Commonplace account from now on.'],
    link: { label: 'Use this address', path: `/account/email?token=${tokenMark}` },
    about: { kind: 'newEmail', subjectId: changeId },
    after:
      'The link works once, for 24 hours, where you are signed in to that account; a newer one replaces it. If this was not you, ignore this email and do not follow the link.',
  })

/**
 * To an address that has an account, when someone wants it for another account; the screen does not reveal
 * it.
 */
export const addressTakenEmail = (to: string, settings: Settings): Mail =>
  composeEmail(to, settings, {
    subject: 'This address has an account already',
    lines: [
      'Someone, hopefully you, wanted to use this address for another Commonplace account. It has an account already, so nothing was changed.',
    ],
    link: { label: 'Sign in with this address', path: '/login' },
    after: 'If this was not you, you need not do anything.',
  })

/** To the old address after a change. The link to undo it works once, for seven days. */
export const addressChangedEmail = (
  to: string,
  newEmail: string,
  changeId: string,
  settings: Settings,
): Mail =>
  composeEmail(to, settings, {
    subject: 'The e-mail address of your account was changed',
    lines: [
      `Your Commonplace account has the address ${mask(newEmail)} now. From now on you sign in with that one.`,
      'If this was not you, take it back: this address is restored, every device is signed out, and you choose a new password.',
    ],
    link: { label: 'It was not me: undo it', path: `/account/undo-email?token=${tokenMark}` },
    about: { kind: 'undoEmail', subjectId: changeId },
    after: 'The link works once, for seven days. If it was you, you need not do anything.',
  })

/** A masked address that its owner recognises: first letter and host. */
const mask = (email: string) => email.replace(/^(.)[^@]*/, '$1…')

const factorWords = {
  on: ['A second factor was set up', 'Signing in to your account now takes a code of an authenticator app.'],
  off: ['Your second factor was removed', 'Signing in to your account takes the password alone now.'],
  codes: ['New recovery codes were made', 'The recovery codes you had do not work any more.'],
  passkeyOn: [
    'A passkey was added to your account',
    'It can be used as the second step of signing in to your account.',
  ],
  passkeyOff: ['A passkey was removed from your account', 'It does not sign in to your account any more.'],
  recovered: [
    'Your second factor was removed',
    'An operator removed the second factor of your account, because it was said to be lost. Every device was signed out.',
  ],
} as const

/** Notifies of a change to the second factor of an account. */
export const factorEmail = (to: string, settings: Settings, what: keyof typeof factorWords): Mail =>
  composeEmail(to, settings, {
    subject: factorWords[what][0],
    lines: [factorWords[what][1]],
    link: { label: 'Look at your account', path: '/account' },
    after: 'If this was not you, choose a new password at once by “Forgot your password?”.',
  })
/**
 * Notifies that keys expire. `introduced`: keys created before keys had an end; `ending`: the end is near.
 * Keys are listed by prefix, never by name, with a link to where keys are created.
 */
export const keysEmail = (
  to: string,
  kind: 'introduced' | 'ending',
  keys: { prefix: string; expiresAt: Date }[],
  settings: Settings,
): Mail => {
  const lines = keys
    .slice(0, 20)
    .map(({ prefix, expiresAt }) => `${prefix}… ends on ${dayInWords(expiresAt)}.`)
  const [one, more] =
    kind === 'introduced'
      ? ['A key of yours has an end now', 'Your keys have an end now']
      : ['A key of yours ends soon', 'Keys of yours end soon']
  return composeEmail(to, settings, {
    subject: keys.length === 1 ? one : more,
    lines: [
      kind === 'introduced'
        ? 'Keys by which programs use Commonplace end by themselves now. What they open stays as it is until then.'
        : 'A program that goes on using such a key after that day is refused.',
      ...lines,
      ...(keys.length > 20 ? [`And ${keys.length - 20} more.`] : []),
    ],
    link: { label: 'See your keys', path: '/account' },
    after:
      'Make a new key before that day and give it to the program: on the account screen, or for a key that writes one source in the settings of the source.',
  })
}

const count = (keys: unknown[]) => (keys.length === 1 ? 'One key' : `${keys.length} keys`)

function beginnings(keys: { prefix: string }[]): string {
  const lines = keys.slice(0, 20).map(({ prefix }) => `${prefix}…`)
  return [...lines, ...(keys.length > 20 ? [`and ${keys.length - 20} more`] : [])].join(', ')
}

/**
 * Invites someone to a place. The link works for seven days, or until the given day. The name of the place is one short
 * line that cannot be a link; the inviter is shown by the linked screen.
 */
export const invitationEmail = (
  to: string,
  invite: { id: string; placeName: string; until?: Date },
  settings: Settings,
): Mail =>
  composeEmail(to, settings, {
    subject: `Invitation to ${placeNameIn(invite.placeName)} on Commonplace`,
    lines: [
      `You have been invited to work with the team of ${placeNameIn(invite.placeName)} on Commonplace.`,
    ],
    link: {
      label: 'See the invitation',
      path: `/invite/${encodeURIComponent(invite.id)}?token=${tokenMark}`,
    },
    about: { kind: 'invite', subjectId: invite.id, ...(invite.until && { until: invite.until }) },
    after: `The link works ${invite.until ? `until ${momentInWords(invite.until)}` : 'for seven days'}. If you do not know what this is about, you need not do anything.`,
  })

import { codeWords } from '../form/code-words.ts'
import { roleName } from '#functions/shapes/builtInRole.ts'

/** The verbs of the trail as they stand in a sentence. */
const verbs: Record<string, string> = {
  created: 'created',
  updated: 'changed',
  deleted: 'deleted',
  restored: 'restored',
  closed: 'closed',
  reopened: 'opened again',
  reverted: 'went back to an older version of',
  published: 'published',
  unpublished: 'unpublished',
  invited: 'invited',
  joined: 'joined',
  left: 'removed from the team:',
  imported: 'brought records into',
  rolledBack: 'rolled back an import into',
  wiped: 'emptied',
  moved: 'moved sources to your own',
  halted: 'halted',
  resumed: 'resumed',
  refreshed: 'refreshed',
  unstuck: 'freed',
  factorRemoved: 'removed the second factor of',
  expired: 'ended the expired',
  purged: 'removed for good the deleted',
  accessOpened: 'opened the organization:',
  accessEnded: 'left the organization that was open to them',
  fetched: 'fetched',
  signedIn: 'signed in',
  signInFailed: 'tried to sign in and could not',
  signedOutElsewhere: 'signed out everywhere else',
  passwordChanged: 'changed the password',
  passwordReset: 'chose a new password by email',
  emailChanged: 'changed the e-mail address',
  emailRestored: 'had the earlier e-mail address restored',
  factorAdded: 'set up a second factor',
  codesRenewed: 'made new recovery codes',
  passkeyAdded: 'added a passkey',
  passkeyRenamed: 'renamed a passkey',
  passkeyRemoved: 'removed a passkey',
  ssoConnected: 'connected the sign-in of an organization',
  ssoDisconnected: 'disconnected the sign-in of an organization',
}

/** Verbs whose words end within a noun of their own: "removed for good the deleted source". */
const hasArticle: ReadonlySet<string> = new Set(['expired', 'purged', 'moved'])

/** The nouns of the trail as people call them. */
const nouns: Record<string, string> = {
  dataType: 'data type',
  source: 'source',
  importer: 'importer',
  observer: 'observer',
  alert: 'alert',
  insight: 'insight',
  collection: 'collection',
  boundarySet: 'boundary set',
  text: 'text',
  page: 'page',
  domain: 'domain',
  mailDomain: 'mail domain',
  sso: 'sign-in by',
  place: 'organization',
  archive: 'archive of',
  user: '',
  file: 'file',
  folder: 'folder',
  key: 'key',
  role: 'role',
  operation: 'operation',
}

/** What is said of things that people do not call by a name of their own: a part of a page by its page, a run by its importer. */
const phrases: Record<string, Record<string, string>> = {
  content: {
    created: 'added a part to the page',
    updated: 'changed a part of the page',
    deleted: 'removed a part of the page',
    restored: 'restored a part of the page',
  },
  invite: {
    invited: 'invited someone as',
    created: 'invited someone as',
    updated: 'changed an invitation to',
    deleted: 'took back an invitation as',
    joined: 'took up an invitation as',
  },
  joinRequest: {
    joined: 'let into the team:',
    deleted: 'refused a request to join the team',
  },
  errorReport: {
    updated: 'looked into an error reported in',
    deleted: 'deleted a report of an error in',
  },
  place: { imported: 'imported the organization' },
  placeImport: { updated: 'looked through what came with the archive of' },
  job: {
    created: 'ran the importer',
    updated: 'changed a run of the importer',
    halted: 'stopped a run of the importer',
  },
}

/** A line of the trail, as far as its words need it. */
export interface ActivityLine {
  verb: string
  targetType: string
  targetId: string
  actorId: string | null
  counts: Record<string, number> | null
}

/** What people do to themselves, which needs no name: it stands before already. */
const ownVerbs: Record<string, string> = { joined: 'joined the team', left: 'left the team' }

/** Whether a line is about the one who did it. */
export function isOfSelf({ verb, targetType, targetId, actorId }: ActivityLine): boolean {
  return targetType === 'user' && actorId === targetId && Object.hasOwn(ownVerbs, verb)
}

/** "changed the source": what stands between who did it and the name of the thing. */
export function describeActivity(line: ActivityLine): string {
  const { verb, targetType } = line
  if (verb === 'accessOpened' || verb === 'accessEnded') return verbs[verb] ?? verb
  if (isOfSelf(line)) return ownVerbs[verb] ?? verb
  const phrase = phrases[targetType]?.[verb]
  if (phrase) return phrase
  const noun = nouns[targetType] ?? codeWords(targetType)
  const wording = verbs[verb] ?? codeWords(verb)
  const article = hasArticle.has(verb) ? '' : 'the '
  return noun ? `${wording} ${article}${noun}` : wording
}

/**
 * The lines with those together that say the same of the same thing, one after the other: the first of each is the newest
 * or the oldest, as the lines come. What brought records in stands alone, for it says how many.
 */
export function together<Line extends ActivityLine & { targetName: string }>(
  lines: readonly Line[],
): Line[][] {
  const runs: Line[][] = []
  for (const line of lines) {
    const run = runs.at(-1)
    if (run?.[0] && isSame(run[0], line)) run.push(line)
    else runs.push([line])
  }
  return runs
}

function isSame(a: ActivityLine & { targetName: string }, b: ActivityLine & { targetName: string }): boolean {
  if (a.counts || b.counts) return false
  // Each has a reason of its own.
  if (a.verb === 'accessOpened' && a.targetName !== b.targetName) return false
  // Parts of one page are told by the name of the page.
  const isOne = a.targetType === 'content' ? a.targetName === b.targetName : a.targetId === b.targetId
  return isOne && a.actorId === b.actorId && describeActivity(a) === describeActivity(b)
}

/** "120 new, 3 changed, 1 removed", leaving out what there was none of; null: no records were written. */
export function countsText({ counts }: ActivityLine): string | null {
  if (!counts) return null
  const parts = [
    [counts.created ?? 0, 'new'],
    [counts.updated ?? 0, 'changed'],
    [counts.removed ?? 0, 'removed'],
  ] as const
  const wording = parts.filter(([n]) => n > 0).map(([n, word]) => `${n.toLocaleString('en')} ${word}`)
  return wording.join(', ') || 'no changes'
}

/** What the thing of a line is called: an invitation by its role, whose id is for programs. */
export const nameOf = ({ targetType, targetName }: ActivityLine & { targetName: string }): string =>
  targetType === 'invite' ? (roleName(targetName)?.toLowerCase() ?? targetName) : targetName

/** Where a thing is shown; null where it has no screen of its own, or is gone. */
export function placeOf({ verb, targetType, targetId }: ActivityLine): string | null {
  if (verb === 'deleted') return null
  const paths: Record<string, string> = {
    dataType: '/types/',
    source: '/sources/',
    insight: '/insights/',
    collection: '/collections/',
    boundarySet: '/boundaries/',
    // One of another type is led on to its own address.
    page: '/pages/blank/',
  }
  const path = paths[targetType]
  return path ? path + encodeURIComponent(targetId) : null
}

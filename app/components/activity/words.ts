import { formatNumber } from '../list/number-format.ts'
import { codeWords } from '../form/code-words.ts'
import { roleName } from '#functions/shapes/built-in-role.ts'

/** The verbs of activity entries, as part of a sentence. */
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

/** Verbs whose text includes an article: "removed for good the deleted source". */
const hasArticle: ReadonlySet<string> = new Set(['expired', 'purged', 'moved'])

/** The nouns of activity entries for people. */
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

/** The things that entries of an organization are about, as its filter names them. */
export const subjects: Record<string, string> = {
  source: 'Sources',
  dataType: 'Data types',
  insight: 'Insights',
  collection: 'Collections',
  text: 'Texts of collections',
  page: 'Pages',
  content: 'Parts of pages',
  translation: 'Translations',
  importer: 'Importers',
  job: 'Runs of importers',
  observer: 'Observers',
  alert: 'Alerts',
  boundarySet: 'Boundary sets',
  file: 'Files',
  folder: 'Folders',
  errorReport: 'Reported errors',
  user: 'People',
  invite: 'Invitations',
  joinRequest: 'Requests to join',
  key: 'Keys',
  place: 'The organization',
  domain: 'Addresses of the hub',
  mailDomain: 'Email domains',
  sso: 'Sign-in',
  archive: 'Archives',
  placeImport: 'Imported archives',
}

/** Phrases for things without a name of their own: a content by its page, a run by its importer. */
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

/** Types of things that have words of their own. */
export const knownTypes: readonly string[] = Object.keys({ ...nouns, ...phrases })

/** The members of an activity entry that its sentence needs. */
export interface ActivityLine {
  verb: string
  targetType: string
  targetId: string
  actorId: string | null
  counts: Record<string, number> | null
}

/** Actions of people on themselves, without a repeated name. */
const ownVerbs: Record<string, string> = { joined: 'joined the team', left: 'left the team' }

/** Whether the entry is about the person who did it. */
export function isOfSelf({ verb, targetType, targetId, actorId }: ActivityLine): boolean {
  return targetType === 'user' && actorId === targetId && Object.hasOwn(ownVerbs, verb)
}

/** The sentence between the actor and the name of the thing: "changed the source". */
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
 * Groups consecutive entries with the same sentence about the same thing; the first of each group is kept. Entries with record counts
 * are not grouped.
 */
export function groupActivities<Line extends ActivityLine & { targetName: string }>(
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
  // Contents are compared by the name of their page.
  const isOne = a.targetType === 'content' ? a.targetName === b.targetName : a.targetId === b.targetId
  return isOne && a.actorId === b.actorId && describeActivity(a) === describeActivity(b)
}

/** "120 new, 3 changed, 1 removed", without zeros; null if no records were written. */
export function countsText({ counts }: ActivityLine): string | null {
  if (!counts) return null
  const parts = [
    [counts.created ?? 0, 'new'],
    [counts.updated ?? 0, 'changed'],
    [counts.removed ?? 0, 'removed'],
  ] as const
  const wording = parts.filter(([n]) => n > 0).map(([n, word]) => `${formatNumber(n)} ${word}`)
  return wording.join(', ') || 'no changes'
}

/** The name of an entry's thing; for an invitation its role. */
export const getTargetName = ({ targetType, targetName }: ActivityLine & { targetName: string }): string =>
  targetType === 'invite' ? (roleName(targetName)?.toLowerCase() ?? targetName) : targetName

/** The path of a thing; null if it has no screen, or is deleted. */
export function findTargetPath({ verb, targetType, targetId }: ActivityLine): string | null {
  if (verb === 'deleted') return null
  const paths: Record<string, string> = {
    dataType: '/types/',
    source: '/sources/',
    insight: '/insights/',
    collection: '/collections/',
    boundarySet: '/boundaries/',
    // Other types redirect to their own path.
    page: '/pages/blank/',
  }
  const path = paths[targetType]
  return path ? path + encodeURIComponent(targetId) : null
}

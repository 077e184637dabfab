import { Failure } from '#functions/errors.ts'
import type { Db } from '#db/schema.ts'
import { isStolen } from './stolen-passwords.ts'

/** The person who chooses a password. `organizations`: the names of those they belong to. */
interface Chooser {
  name: string
  email: string
  organizations: string[]
}

interface Refusal {
  /** `stolen`: in a published list; `guessable`: made of what everyone knows of the person. */
  validator: 'stolen' | 'guessable'
  /** The message for that person. */
  message: string
}

/** Failure `invalid` (path `password`) for a stolen or easily guessed password. */
export async function requireFreshPassword(password: string, chooser: Chooser): Promise<void> {
  const refusal = await findPasswordRefusal(password, chooser)
  if (!refusal) return
  throw new Failure('invalid', { message: refusal.message, issues: [{ path: ['password'], ...refusal }] })
}

/** Why a password is rejected; null: it is allowed. */
export async function findPasswordRefusal(password: string, chooser: Chooser): Promise<Refusal | null> {
  // Attackers try an added year or exclamation mark next.
  const alike = [password, trim(password, /[^\p{L}\p{N}]/u), trim(password, /[^\p{L}]/u)]
  for (const one of new Set(alike))
    if (await isStolen(one))
      return {
        validator: 'stolen',
        message:
          'This password or one very like it is on a list of stolen passwords, which are tried first. Please choose another one.',
      }
  const what = findKnownWords(password, chooser)
  if (!what.length) return null
  return {
    validator: 'guessable',
    message: `This password is little more than ${new Intl.ListFormat('en').format(what)}. Whoever knows you would guess it: please choose another one.`,
  }
}

/** The names of a person's organizations. `db` must read as the system actor or that person. */
export async function listOrganizationNames(db: Db, userId: string): Promise<string[]> {
  const places = await db
    .selectFrom('placeUser')
    .innerJoin('place', 'place.id', 'placeUser.placeId')
    .select(['place.id', 'place.name', 'place.displayName'])
    .where('placeUser.userId', '=', userId)
    .where('place.deletedAt', 'is', null)
    .execute()
  return places.flatMap(getOrganizationNames)
}

/** The names by which people know an organization. */
export const getOrganizationNames = (place: { id: string; name: string; displayName: string }): string[] => [
  place.id,
  place.name,
  place.displayName,
]

/** Fewest characters of a password beside words that everyone knows of the person. */
const minLeft = 4
/** Shorter words occur in too many others. */
const minWord = 3

/**
 * The known words that a password consists of, where fewer than four other characters remain (not counting
 * digits and signs at the ends). In the words of the message; empty where it is fine.
 */
function findKnownWords(password: string, { name, email, organizations }: Chooser): string[] {
  const sources: [string, string[]][] = [
    ['your name', splitIntoWords([name])],
    ['your e-mail address', splitIntoWords([email])],
    ['the name of an organization', splitIntoWords(organizations)],
    ['the name of this product', ['commonplace']],
  ]
  const letters = [...foldAccents(password)]
  for (const signs of [plain, asI, asL]) {
    const read = letters.map((sign) => signs[sign] ?? sign)
    const row = cover(read, sources)
    const rest = letters.filter((_, i) => !row.positions.has(i)).join('')
    if (row.what.length && [...trim(rest, /[^\p{L}]/u)].length < minLeft) return row.what
  }
  return []
}

/** The characters that belong to a known word, forwards or backwards, and the kinds of those words. */
function cover(read: string[], sources: [string, string[]][]) {
  const text = read.join('')
  const positions = new Set<number>()
  const what: string[] = []
  for (const [kind, words] of sources) {
    const before = positions.size
    for (const word of words)
      for (const sought of [word, [...word].reverse().join('')])
        for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1))
          for (let i = 0; i < sought.length; i += 1) positions.add(at + i)
    if (positions.size > before) what.push(kind)
  }
  return { positions, what }
}

const splitIntoWords = (texts: string[]) =>
  [...new Set(texts.flatMap((text) => foldAccents(text).split(/[^\p{L}]+/u)))].filter(
    (word) => word.length >= minWord && word.length <= 128,
  )

/**
 * Lower case without accents. Characters of more than one UTF-16 unit, which do not occur in names, become
 * one.
 */
const foldAccents = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\u{10000}-\u{10ffff}]/gu, '*')
    .toLowerCase()

const plain: Record<string, string> = {}
/** Digits and signs that stand for letters. A one stands for two of them. */
const asI: Record<string, string> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b' },
  ...{ '@': 'a', $: 's', '!': 'i', '|': 'l', '+': 't', '€': 'e' },
}
const asL: Record<string, string> = { ...asI, '1': 'l', '!': 'l' }

/** A text without the characters at both ends that match. */
function trim(text: string, outside: RegExp): string {
  const signs = [...text]
  const first = signs.findIndex((sign) => !outside.test(sign))
  const last = signs.findLastIndex((sign) => !outside.test(sign))
  return first < 0 ? '' : signs.slice(first, last + 1).join('')
}

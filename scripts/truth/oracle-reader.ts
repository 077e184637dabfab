import { namesOf, plainText } from './oracle-names.ts'
import type { Cell, Column, Group } from './oracle.ts'

/*
 * Reads a sentence as a reader does who knows neither its phrases nor the program that wrote it: what groups and periods it
 * names, and what numbers it says. What may be read in two ways is given in both.
 */

/** A number as it is written: `1,234.5` has one decimal. */
export interface SaidNumber {
  is: 'number'
  from: number
  to: number
  value: number
  decimals: number
  isPercent: boolean
}

/** A name of one or, where the name is not whole, several groups of a column. */
export interface SaidName {
  is: 'name'
  from: number
  to: number
  column: number
  cells: Cell[]
  /** Letter by letter: "OR", and not "or". */
  isAsWritten: boolean
}

export type Token = SaidNumber | SaidName

interface Mask {
  is: 'mask'
  from: number
  to: number
}

const separators = new Map<string, { group: string; decimal: string }>()

function separatorsOf(locale: string) {
  let found = separators.get(locale)
  if (!found) {
    const parts = new Intl.NumberFormat(locale).formatToParts(-1234567.5)
    const of = (type: string) => plainText(parts.find((part) => part.type === type)?.value ?? '')
    found = { group: of('group'), decimal: of('decimal') }
    separators.set(locale, found)
  }
  return found
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** All numbers of a text that was made plain, with the separators of its language. A time of the clock is no number that counts. */
export function numbersIn(text: string, locale: string): SaidNumber[] {
  const { group, decimal } = separatorsOf(locale)
  const [g, d] = [escaped(group), escaped(decimal)]
  const pattern = new RegExp(
    String.raw`\d{1,2}:\d{2}|([-−])?[$€]?(?<![\d])(\d{1,3}(?:${g}\d{3})+|\d+)(?:${d}(\d+))?(?:[\s\u202f]?([%٪]))?`,
    'g',
  )
  return [...text.matchAll(pattern)].map((match) => {
    const [all, minus, whole = '', fraction = '', percent] = match
    const isClock = all.includes(':')
    const size = isClock ? NaN : Number(`${whole.replaceAll(group, '')}.${fraction || '0'}`)
    return {
      is: 'number',
      from: match.index,
      to: match.index + all.length,
      value: minus ? -size : size,
      decimals: fraction.length,
      isPercent: percent !== undefined,
    }
  })
}

const isLetter = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char)
/** Arabic writes "and", "for" and "with" into the word that follows. */
const joins = /[وبلك]/

/** Japanese writes no spaces: its own letters end a word of others, and these small words follow one of its own. */
const isJapanese = (char: string) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(char)
const particles = /[とにのがをはもへでま]/

/** Whether two neighbours may be letters of one word. */
const isOneWord = (one: string | undefined, another: string | undefined) =>
  one !== undefined &&
  another !== undefined &&
  isLetter(one) &&
  isLetter(another) &&
  isJapanese(one) === isJapanese(another)

function occurrences(text: string, name: string): number[] {
  const found: number[] = []
  const [low, wanted] = [text.toLowerCase(), name.toLowerCase()]
  if (low.length !== text.length) return found
  for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, at + 1)) {
    const before = text[at - 1]
    const isJoined = before !== undefined && (joins.test(before) || particles.test(before))
    const isBegin = isJoined || !isOneWord(before, name[0])
    const after = text[at + name.length]
    if (isBegin && (!isOneWord(name.at(-1), after) || particles.test(after ?? ''))) found.push(at)
  }
  return found
}

/** What a sentence is read with: the columns of its answer and the groups that have names. */
interface Reading {
  columns: Column[]
  groups: Group[]
  locale: string
  zone: string
  /** Names of things that are no groups: columns, the title. */
  masks: string[]
}

const mostReadings = 200

/** The ways in which a sentence can be read, the most natural first. Digits that nothing explains are a number at least. */
export function readSentence(sentence: string, reading: Reading): Token[][] {
  const text = plainText(sentence)
  const spots = spotsIn(text, reading)
  const found: Token[][] = []
  const walk = (at: number, tokens: Token[]) => {
    if (found.length >= mostReadings) return
    let next = at
    while (next < text.length && !spots.has(next)) next += 1
    const here = spots.get(next)
    if (!here) {
      found.push(tokens)
      return
    }
    for (const one of here) walk(one.to, one.is === 'mask' ? tokens : [...tokens, one])
    // A short name may be a word of the language as well, unless it is written as that name is.
    if (here.every((one) => one.is === 'name' && one.to - one.from <= 2 && !one.isAsWritten))
      walk(next + 1, tokens)
  }
  walk(0, [])
  return found
}

/** What may begin at each place of a text. */
function spotsIn(
  text: string,
  { columns, groups, locale, zone, masks }: Reading,
): Map<number, (Token | Mask)[]> {
  const names = new Map<string, SaidName>()
  const add = (name: string, column: number, cell: Cell) => {
    const key = `${column} ${name}`
    const there = names.get(key)
    if (!there)
      names.set(key, { is: 'name', from: 0, to: name.length, column, cells: [cell], isAsWritten: true })
    else if (!there.cells.includes(cell)) there.cells.push(cell)
  }
  for (const [i, column] of columns.entries()) {
    if (!column.isGroup) continue
    for (const cell of new Set(groups.map(({ cells }) => cells[i] ?? null))) {
      const { whole, loose } = namesOf(cell, column, locale, zone)
      for (const name of [...whole, ...loose]) add(name, i, cell)
    }
  }
  const spots = new Map<number, (Token | Mask)[]>()
  const put = (one: Token | Mask) => spots.set(one.from, [...(spots.get(one.from) ?? []), one])
  for (const mask of masks.map(plainText).filter(Boolean))
    for (const from of occurrences(text, mask)) put({ is: 'mask', from, to: from + mask.length })
  for (const [key, name] of names) {
    const written = key.slice(key.indexOf(' ') + 1)
    for (const from of occurrences(text, written)) {
      const to = from + written.length
      put({ ...name, from, to, isAsWritten: text.slice(from, to) === written })
    }
  }
  for (const number of numbersIn(text, locale)) put(number)
  for (const [at, here] of spots) {
    const words = here.filter(({ is }) => is !== 'number')
    const longest = Math.max(0, ...words.map(({ to }) => to))
    // Of names that begin together the longest is meant; a number may be meant beside it.
    spots.set(at, [...words.filter(({ to }) => to === longest), ...here.filter(({ is }) => is === 'number')])
  }
  return spots
}

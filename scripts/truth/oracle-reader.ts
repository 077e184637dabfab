import { listGroupNames, normalizeText } from './oracle-names.ts'
import type { Cell, Column, Group } from './oracle.ts'

/*
 * Reads a sentence like a reader who knows neither its phrases nor the program that wrote it: which groups
 * and periods it names, and which numbers it states. Ambiguous parts are returned in all their readings.
 */

/** A number as written: `1,234.5` has one decimal. */
export interface NumberToken {
  is: 'number'
  from: number
  to: number
  value: number
  decimals: number
  isPercent: boolean
}

/** The name of one group of a column, or of several where it is not complete. */
export interface NameToken {
  is: 'name'
  from: number
  to: number
  column: number
  cells: Cell[]
  /** Written letter by letter like the name: "OR", not "or". */
  isAsWritten: boolean
}

export type Token = NumberToken | NameToken

interface Mask {
  is: 'mask'
  from: number
  to: number
}

const separators = new Map<string, { group: string; decimal: string }>()

function getSeparators(locale: string) {
  let marks = separators.get(locale)
  if (!marks) {
    const parts = new Intl.NumberFormat(locale).formatToParts(-1234567.5)
    const getPartText = (type: string) => normalizeText(parts.find((part) => part.type === type)?.value ?? '')
    marks = { group: getPartText('group'), decimal: getPartText('decimal') }
    separators.set(locale, marks)
  }
  return marks
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/**
 * Finds all numbers of a normalized text, with the separators of its language. A time of day is not a number.
 */
export function numbersIn(text: string, locale: string): NumberToken[] {
  const { group, decimal } = getSeparators(locale)
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
/** Arabic joins "and", "for" and "with" to the following word. */
const joins = /[وبلك]/

/** Japanese has no spaces: Japanese letters end a foreign word, and these particles follow a Japanese one. */
const isJapanese = (char: string) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(char)
const particles = /[とにのがをはもへでま]/

/** Returns whether two neighbouring characters may be letters of one word. */
const isOneWord = (one: string | undefined, another: string | undefined) =>
  one !== undefined &&
  another !== undefined &&
  isLetter(one) &&
  isLetter(another) &&
  isJapanese(one) === isJapanese(another)

function occurrences(text: string, name: string): number[] {
  const positions: number[] = []
  const [low, lowerName] = [text.toLowerCase(), name.toLowerCase()]
  if (low.length !== text.length) return positions
  for (let at = low.indexOf(lowerName); at >= 0; at = low.indexOf(lowerName, at + 1)) {
    const before = text[at - 1]
    const isJoined = before !== undefined && (joins.test(before) || particles.test(before))
    const isBegin = isJoined || !isOneWord(before, name[0])
    const after = text[at + name.length]
    if (isBegin && (!isOneWord(name.at(-1), after) || particles.test(after ?? ''))) positions.push(at)
  }
  return positions
}

/** The context of reading a sentence: the columns of its answer and the named groups. */
interface SentenceContext {
  columns: Column[]
  groups: Group[]
  locale: string
  zone: string
  /** Names of what is not a group: columns, the title. */
  masks: string[]
}

const maxReadings = 200

/**
 * Lists the ways in which a sentence can be read, the most natural first. Unexplained digits are at least a
 * number.
 */
export function readSentence(sentence: string, reading: SentenceContext): Token[][] {
  const text = normalizeText(sentence)
  const spots = spotsIn(text, reading)
  const runs: Token[][] = []
  const walk = (at: number, tokens: Token[]) => {
    if (runs.length >= maxReadings) return
    let next = at
    while (next < text.length && !spots.has(next)) next += 1
    const spotTokens = spots.get(next)
    if (!spotTokens) {
      runs.push(tokens)
      return
    }
    for (const one of spotTokens) walk(one.to, one.is === 'mask' ? tokens : [...tokens, one])
    // A short name may be a word of the language as well, unless it is written exactly like the name.
    if (spotTokens.every((one) => one.is === 'name' && one.to - one.from <= 2 && !one.isAsWritten))
      walk(next + 1, tokens)
  }
  walk(0, [])
  return runs
}

/** Finds what may begin at each position of a text. */
function spotsIn(
  text: string,
  { columns, groups, locale, zone, masks }: SentenceContext,
): Map<number, (Token | Mask)[]> {
  const names = new Map<string, NameToken>()
  const add = (name: string, column: number, cell: Cell) => {
    const key = `${column} ${name}`
    const target = names.get(key)
    if (!target)
      names.set(key, { is: 'name', from: 0, to: name.length, column, cells: [cell], isAsWritten: true })
    else if (!target.cells.includes(cell)) target.cells.push(cell)
  }
  for (const [i, column] of columns.entries()) {
    if (!column.isGroup) continue
    for (const cell of new Set(groups.map(({ cells }) => cells[i] ?? null))) {
      const { whole, loose } = listGroupNames(cell, column, locale, zone)
      for (const name of [...whole, ...loose]) add(name, i, cell)
    }
  }
  const spots = new Map<number, (Token | Mask)[]>()
  const addSpot = (one: Token | Mask) => spots.set(one.from, [...(spots.get(one.from) ?? []), one])
  for (const mask of masks.map(normalizeText).filter(Boolean))
    for (const from of occurrences(text, mask)) addSpot({ is: 'mask', from, to: from + mask.length })
  for (const [key, name] of names) {
    const writtenForm = key.slice(key.indexOf(' ') + 1)
    for (const from of occurrences(text, writtenForm)) {
      const to = from + writtenForm.length
      addSpot({ ...name, from, to, isAsWritten: text.slice(from, to) === writtenForm })
    }
  }
  for (const number of numbersIn(text, locale)) addSpot(number)
  for (const [at, tokens] of spots) {
    const words = tokens.filter(({ is }) => is !== 'number')
    const longest = Math.max(0, ...words.map(({ to }) => to))
    // Of names that begin at the same position the longest is meant; a number may be meant instead.
    spots.set(at, [
      ...words.filter(({ to }) => to === longest),
      ...tokens.filter(({ is }) => is === 'number'),
    ])
  }
  return spots
}

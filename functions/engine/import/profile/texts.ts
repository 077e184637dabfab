import { geoJsonTypes, geometryFault } from '#functions/shapes/fields/geometry.ts'
import { geometryTypes } from '#functions/shapes/field.ts'
import { isPlainObject } from '#functions/shapes/fields/plain.ts'
import { dateText, type DateText } from '../map/date-text.ts'
import { wallOfText } from '../map/dates.ts'
import { parseShape } from '../map/geometry.ts'
import { isShort, numberForm, readNumber, type NumberForm } from '../map/numbers.ts'
import { Refusal } from '../map/reading.ts'
import { looksLikeWkt } from '../wkt.ts'
import { count, type Tally } from './tally.ts'

/** The longest word for a boolean; which words are is decided by the whole column. */
const longestTruth = 8
const truthWords = new Set(
  'true false t f yes no y n 1 0 on off ja nein j oui non o sí si vrai faux wahr falsch'.split(' '),
)
const point = 46
const midnight = '00:00:00.000'

/** Counts the possible types of a trimmed text, and keeps it as an example for the others. */
export function tallyText(tally: Tally, text: string, row: number): void {
  const isNumber = tallyNumber(tally, text, row)
  if (!isNumber) tally.miss('number', row, text)
  if (text.length <= longestTruth && truthWords.has(text.toLowerCase()))
    count(tally.counts.truths, text.toLowerCase())
  else tally.miss('boolean', row, text)
  // Eight digits may be a day; other numbers are no dates.
  if ((isNumber && text.length !== 8) || !tallyDate(tally, text, row)) tally.miss('date', row, text)
  const first = text.charCodeAt(0)
  const isJson = first === 123 || first === 91
  if (isJson) count(tally.counts.kinds, jsonKind(text))
  if (isJson ? text.includes('"coordinates"') : looksLikeWkt(text)) tallyShape(tally, text, row)
  else tally.miss('shape', row, text)
}

/** A key for the format of a number: sign, group, decimal, `_` for none; `?` where group and decimal are ambiguous. */
function formKey({ sign, group, decimal, isOpen }: NumberForm): string {
  return `${group || '_'}${decimal || '_'}${isOpen ? '?' : '!'}${sign}`
}

/** What `formKey` named. */
export function parseFormKey(key: string): NumberForm {
  const part = (at: number) => (key[at] === '_' ? '' : (key[at] ?? ''))
  return {
    group: part(0) as NumberForm['group'],
    decimal: part(1) as NumberForm['decimal'],
    isOpen: key[2] === '?',
    sign: key.slice(3) as NumberForm['sign'],
  }
}

function tallyNumber(tally: Tally, text: string, row: number): boolean {
  const { counts } = tally
  if (isShort(text)) {
    const at = text.indexOf('.')
    const number = Number(text) + 0
    count(counts.forms, at < 0 ? '__!' : isOpenPoint(text, at) ? '..?' : '_.!')
    tally.range('.', number)
    if (at < 0) {
      counts.integers += 1
      tally.range(',', number)
    } else if (!isOpenPoint(text, at)) tally.miss(',', row, text)
    const from = text.charCodeAt(0) === 45 ? 1 : 0
    if (text.charCodeAt(from) === 48 && text.length > from + 1 && text.charCodeAt(from + 1) !== point)
      counts.zeroLed += 1
    return true
  }
  if (!mayBeNumber(text)) return false
  const form = numberForm(text)
  if (!form) return false
  const sign = form.sign === '' ? undefined : form.sign
  const findGroupSeparator = (decimal: string) =>
    form.group === decimal || form.group === '' ? undefined : form.group
  const numbers = {
    '.': readNumber(text, { decimal: '.', group: findGroupSeparator('.'), sign }),
    ',': readNumber(text, { decimal: ',', group: findGroupSeparator(','), sign }),
  }
  if (typeof numbers['.'] === 'string' && typeof numbers[','] === 'string') {
    counts.inexact += 1
    return false
  }
  count(counts.forms, formKey(form))
  if (form.decimal === '') counts.integers += 1
  if (/^[^\d.,]*0\d/.test(text)) counts.zeroLed += 1
  for (const decimal of ['.', ','] as const) {
    const number = numbers[decimal]
    if (typeof number === 'number') tally.range(decimal, number)
    else tally.miss(decimal, row, text)
  }
  return true
}

/** `1.234` but not `0.234`, `1234.567` or `1.2345`. */
function isOpenPoint(text: string, at: number): boolean {
  const from = text.charCodeAt(0) === 45 ? 1 : 0
  return text.length - at === 4 && at - from >= 1 && at - from <= 3 && text.charCodeAt(from) !== 48
}

function mayBeNumber(text: string): boolean {
  if (text.length > 128) return false
  const last = text.charCodeAt(text.length - 1)
  const isEnd =
    (last >= 48 && last <= 57) || last === 46 || last === 44 || last > 127 || last === 36 || last === 37
  const first = text.charCodeAt(0)
  return isEnd && (first < 58 || first > 127)
}

/** Whether a text is a date in some reading; the column's other dates decide which. */
function tallyDate(tally: Tally, text: string, row: number): boolean {
  if (!mayBeDate(text)) return false
  const date = dateText(text)
  if (date === null || typeof date === 'string' || Number.isNaN(date.offset)) return false
  const { counts } = tally
  const monthFirst = wallOrNull(date, 'monthFirst')
  const dayFirst = date.pattern === 'open' ? wallOrNull(date, 'dayFirst') : monthFirst
  if (monthFirst === null && dayFirst === null) return false
  count(counts.dates, date.pattern === 'open' ? openKey(monthFirst, dayFirst) : date.pattern)
  if (date.time !== null || date.instant !== undefined) counts.timed += 1
  if (date.time === midnight) counts.midnights += 1
  if (typeof monthFirst === 'number') tally.range('monthFirst', monthFirst)
  else tally.miss('monthFirst', row, text)
  if (typeof dayFirst === 'number') tally.range('dayFirst', dayFirst)
  else tally.miss('dayFirst', row, text)
  return true
}

function wallOrNull(date: DateText, order: 'monthFirst' | 'dayFirst'): number | null {
  const wall = date.instant ?? wallOfText(date, order)
  return typeof wall === 'number' ? wall : null
}

/** For an ambiguous date: which readings are valid days, and whether they are equal. */
function openKey(monthFirst: number | null, dayFirst: number | null): string {
  if (monthFirst === null) return 'open dayFirst'
  if (dayFirst === null) return 'open monthFirst'
  return monthFirst === dayFirst ? 'open same' : 'open both'
}

/** A quick check: dates begin with one, two, four or eight digits, with letters, or with `/Date`. */
function mayBeDate(text: string): boolean {
  if (text.length < 6 || text.length > 80) return false
  let digits = 0
  while (digits < 9 && isDigit(text.charCodeAt(digits))) digits += 1
  if (digits > 0) return digits <= 2 || digits === 4 || digits === 8
  const isLetter = /^[a-z]{3}/i.test(text)
  return isLetter ? /\d{4}/.test(text) : text.startsWith('/Date(')
}

const isDigit = (code: number) => code >= 48 && code <= 57

const types = new Set<unknown>([...Object.values(geoJsonTypes), 'MultiPoint', 'GeometryCollection'])

/** Whether a value is a GeoJSON geometry by its type: one value, not a map with columns of its own. */
export function isShape(value: unknown): boolean {
  return isPlainObject(value) && types.has(value.type) && ('coordinates' in value || 'geometries' in value)
}

/** Counts a valid geometry by its GeoJSON type, if fields support that. */
export function tallyShape(tally: Tally, value: unknown, row: number): void {
  const shape = parseShape(value)
  if (shape === null) return
  const type =
    shape instanceof Refusal ? undefined : geometryTypes.find((name) => geoJsonTypes[name] === shape.type)
  const isGood = type !== undefined && geometryFault(shape, type) === null
  if (isGood) count(tally.counts.shapes, type)
  else tally.miss('shape', row, value)
}

function jsonKind(text: string): string {
  try {
    return Array.isArray(JSON.parse(text)) ? 'jsonList' : 'jsonMap'
  } catch {
    return 'noJson'
  }
}

import type { ColumnReading, NumberSign } from './reading.ts'

/** The format of a number: what must be known of a column to parse it. */
export interface NumberForm {
  /** The thousands separator; '' for none. A space stands for all kinds of blanks, ' for all apostrophes. */
  group: '' | ',' | '.' | ' ' | "'"
  decimal: '' | '.' | ','
  sign: '' | NumberSign
  /** `1.234`: its only separator is ambiguous, and is in both `group` and `decimal`. */
  isOpen: boolean
}

interface WrittenNumber extends NumberForm {
  minus: boolean
  body: string
  exponent: string
}

/** No valid number is longer. */
const maxLength = 128
/** Decimals with this many digits survive a round trip through a double (IEEE 754, binary64). */
const safeDigits = 15
const smallestNormal = 2.2250738585072014e-308

const outer =
  /^([+\-−])?\s?([$€£¥])?\s?([+\-−])?((?:\d|[.,](?=\d))(?:[\d.,'’ \u00a0\u2009\u202f]*[\d.,])?)(e[+-]?\d{1,4})?\s?([%$€£¥])?$/iu

/** The format of a trimmed text as a number; null if it is none in any format. */
export function numberForm(text: string): NumberForm | null {
  return splitNumber(text)
}

function splitNumber(text: string): WrittenNumber | null {
  if (text.length > maxLength) return null
  const match = outer.exec(text)
  if (!match) return null
  const [, before, front, inner, raw = '', exponent = '', back] = match
  if ((before && inner) || (front && back)) return null
  const body = raw.replace(/[\u00a0\u2009\u202f]/g, ' ').replaceAll('’', "'")
  const parted = findSeparators(body, exponent !== '')
  if (!parted) return null
  const minus = (before ?? inner ?? '+') !== '+'
  return { ...parted, sign: (front ?? back ?? '') as NumberForm['sign'], minus, body, exponent }
}

function findSeparators(
  body: string,
  hasExponent: boolean,
): Pick<WrittenNumber, 'group' | 'decimal' | 'isOpen'> | null {
  const match = body.match(/\D/g) ?? []
  const last = match.at(-1) as NumberForm['group'] | undefined
  if (last === undefined) return { group: '', decimal: '', isOpen: false }
  const isMark = last === '.' || last === ','
  if (match.length === 1 && isMark) {
    const isOpen = !hasExponent && isGrouped(body, last)
    return { group: isOpen ? last : '', decimal: last, isOpen }
  }
  const kinds = new Set(match)
  if (kinds.size === 1) return isGrouped(body, last) ? { group: last, decimal: '', isOpen: false } : null
  const group = match[0] as NumberForm['group']
  const end = body.lastIndexOf(last)
  const isParted =
    kinds.size === 2 && isMark && body.indexOf(last) === end && isGrouped(body.slice(0, end), group)
  return isParted ? { group, decimal: last, isOpen: false } : null
}

/** Whether there are three digits behind each sign, and one to three before the first, not beginning with a zero. */
function isGrouped(integer: string, group: string): boolean {
  const [first = '', ...rest] = integer.split(group)
  return /^[1-9]\d{0,2}$/.test(first) && rest.every((part) => /^\d{3}$/.test(part))
}

/** Whether a column that is read so can have a number that is written so. */
export function accepts(
  { decimal = '.', group = getDefaultGroup(decimal), sign }: ColumnReading,
  form: NumberForm,
): boolean {
  if (form.sign !== '' && form.sign !== sign) return false
  if (form.isOpen) return form.group === group || form.decimal === decimal
  return (form.group === '' || form.group === group) && (form.decimal === '' || form.decimal === decimal)
}

const getDefaultGroup = (decimal: '.' | ',') => (decimal === '.' ? ',' : '.')

/**
 * Parses a trimmed text as a number, or returns a sentence that says why not. Never rounds silently: numbers that a
 * double cannot represent are rejected. `hundredths`: 12 % is 0.12.
 */
export function readNumber(text: string, reading: ColumnReading = {}, hundredths = false): number | string {
  const isPlain = reading.decimal !== ',' || !text.includes('.')
  if (isPlain && isShort(text)) return Number(text) + 0
  const form = splitNumber(text)
  if (!form) return wordsFor(text)
  if (!accepts(reading, form)) return misfit(form, reading)
  const { decimal = '.', group = getDefaultGroup(decimal) } = reading
  const joined = form.group === group ? form.body.replaceAll(group, '') : form.body
  const shift = form.sign === '%' && hundredths ? 2 : 0
  return exact(`${form.minus ? '-' : ''}${joined.replace(decimal, '.')}`, form.exponent, shift)
}

/** Whether a text has up to fifteen digits with at most one point and an optional minus: the fast path for nearly all numbers. */
export function isShort(text: string): boolean {
  const from = text.charCodeAt(0) === 45 ? 1 : 0
  if (text.length > safeDigits || text.length === from) return false
  let points = 0
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 46 && at > from && at < text.length - 1) points += 1
    else if (code < 48 || code > 57) return false
  }
  return points <= 1
}

/** `plain`: digits with at most one point. */
function exact(plain: string, exponent: string, shift: number): number | string {
  const power = shift ? `e${Number(exponent.slice(1) || 0) - shift}` : exponent
  const number = Number(`${plain}${power}`)
  if (!Number.isFinite(number)) return 'Too large for a number.'
  const digits = significant(plain)
  if (digits === '') return 0
  if (number === 0) return 'Too small for a number: it would become 0.'
  const isWhole = !plain.includes('.') && exponent === ''
  if (isWhole && Math.abs(number) > Number.MAX_SAFE_INTEGER) return tooPrecise
  if (digits.length <= safeDigits && Math.abs(number) >= smallestNormal) return number
  // Compares the written digits with the same number of digits of the double. For a double halfway between two such
  // texts `toPrecision` rounds up, while the double itself is printed as the lower.
  const keepsDigits = (text: string) => significant(text.replace(/e.*$/, '')) === digits
  const isExact =
    digits.length <= 100 &&
    (keepsDigits(number.toPrecision(digits.length)) || keepsDigits(String(Math.abs(number))))
  return isExact ? number : 'More digits than a number can keep: keep it as text.'
}

const tooPrecise = 'A whole number beyond 9007199254740991, where digits are lost: keep it as text.'

/** The significant digits: without leading zeros and trailing zeros after a point. */
function significant(plain: string): string {
  const text = plain.includes('.') ? plain.replace(/0+$/, '') : plain
  return text.replace(/\D/g, '').replace(/^0+/, '')
}

function wordsFor(text: string): string {
  return /^[+-]?(nan|inf|infinity)$/i.test(text) ? 'Not a number that can be kept.' : 'Not a number.'
}

function misfit(form: NumberForm, { decimal = '.', sign }: ColumnReading): string {
  if (form.sign !== '' && form.sign !== sign)
    return `Has the sign ${form.sign}, which the column is not known to have.`
  const names: Record<string, string> = { '.': 'point', ',': 'comma' }
  if (form.decimal !== '' && form.decimal !== decimal)
    return `Has a decimal ${names[form.decimal]}; the numbers of the column have a decimal ${names[decimal]}.`
  return `Has ${form.group === ' ' ? 'blanks' : form.group} between thousands, which the column is not known to have.`
}

/** Why a JSON number may differ from what was written, as a sentence; null if it cannot. */
export function numberFault(number: number): string | null {
  if (!Number.isFinite(number)) return 'Not a number that can be kept.'
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return null
  const text = String(number)
  return text.includes('e') && significant(text.replace(/e.*$/, '')).length <= safeDigits ? null : tooPrecise
}

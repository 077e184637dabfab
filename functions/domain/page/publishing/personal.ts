import type { Field } from '#functions/shapes/field.ts'

/** A kind of personal data that a field seems to have. */
export type PersonalKind = 'email' | 'phone' | 'name' | 'address' | 'birthDate' | 'id'

/** Patterns for a field's key or name, in lower case and split into words: `first name`. */
const words: [PersonalKind, RegExp][] = [
  ['email', /\be ?mail/],
  ['phone', /\b(?:phone|telephone|tel|mobile|cell|fax)\b/],
  ['birthDate', /\b(?:birth|birthday|born|dob)\b/],
  [
    'id',
    /\b(?:ssn|social security|passport|national id|tax id|iban|driver|licen[cs]e plate|plate|ip address|person id|user id|patient)\b/,
  ],
  [
    'name',
    /\b(?:first|last|given|family|full|middle|maiden|contact|applicant|owner|person|customer|client|employee|user) ?name\b|\b(?:surname|applicant|owner|complainant|resident|tenant|patient|employee|contact)\b/,
  ],
  ['address', /\b(?:address|street|house number|postal|post code|postcode)\b/],
]

/**
 * Patterns for values. Numbers and dates alone prove nothing: digits without separators could be any number.
 */
const texts: [PersonalKind, RegExp][] = [
  ['email', /[^\s@]{1,64}@[^\s@]{1,190}\.[a-z]{2,}/i],
  ['id', /(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)|\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}\b/],
  ['phone', /\+\d[\d ().-]{7,}\d|\(\d{3}\) ?\d{3}[ -]?\d{4}|(?<![\d-])\d{3}[ .-]\d{3}[ .-]\d{4}(?![\d-])/],
]

/** Most characters of a text that are searched. */
const longest = 500

/**
 * The kind of personal data of a field, judged by a sample of its values as text, otherwise by its key and
 * name; null: none. A guess for a warning: finding nothing is no proof.
 */
export function personalKind(
  key: string,
  { name, type }: Pick<Field, 'name' | 'type'>,
  sample: readonly string[],
): PersonalKind | null {
  const isText = type !== 'number' && type !== 'date' && type !== 'boolean'
  const hasMatchingValue = (pattern: RegExp) => sample.some((text) => pattern.test(text.slice(0, longest)))
  const label = `${apart(key)} / ${apart(name)}`
  const rows =
    (isText && texts.find(([, pattern]) => hasMatchingValue(pattern))) ||
    words.find(([, pattern]) => pattern.test(label))
  return rows ? rows[0] : null
}

const apart = (text: string) =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[^a-zA-Z\d]+/g, ' ')
    .toLowerCase()

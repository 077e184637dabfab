import { codeWords } from './code-words.ts'

/** Names of field types in messages on screens. */
const typeWords: Record<string, string> = {
  array: 'a list',
  object: 'a map of values',
  map: 'a map of values',
  list: 'a list',
  string: 'text',
  text: 'text',
  number: 'a number',
  boolean: 'yes or no',
  date: 'a date',
  point: 'a point',
  line: 'a line',
  multiline: 'several lines',
  polygon: 'an area',
  multipolygon: 'several areas',
  null: 'nothing',
}
const getTypeWord = (type = '') => typeWords[type] ?? `“${type}”`

/** Quoted names of fields, without the prefix `data.`. */
const fieldWords = (path = '') => `“${path.trim().replace(/^data\./, '')}”`

const notHere = 'Is not in the form that is expected here.'

/**
 * Replaces API messages, which must stay stable for clients, by messages for people. The first match wins; messages without a match
 * are unchanged.
 */
const rules: readonly (readonly [RegExp, string | ((...groups: string[]) => string)])[] = [
  [
    /^Must be one of:? (.+?)\.?$/,
    (names) =>
      `Must be one of these: ${names
        ?.split(', ')
        .map((name) => (name === 'null' ? 'nothing' : codeWords(name)))
        .join(', ')}.`,
  ],
  [
    /^Must be of type: (\w+) - instead got (\w+)$/,
    (type, actual) => `Must be ${getTypeWord(type)}, and is ${getTypeWord(actual)}.`,
  ],
  [/^Not a valid type value \(Expected/, 'This field takes another type of geometry.'],
  [
    /^Not a valid (array|list|string|text|number|boolean|date|point|line|polygon)(?: value)?!?$/,
    (type) => `Must be ${getTypeWord(type)}.`,
  ],
  [/^Not a valid date value: (.+)$/, (why) => `Must be a date: ${why}`],
  [
    /^Not a valid (?:top-level )?object(?: value)?!?$|^Not a valid (?:field value|GeoJSON object!|JSON string!)$|^Must be an object(?: or array)?\.$/,
    notHere,
  ],
  [/^Must be a name or an object\.$|^Must be an object, or a list of [\d, to]+objects\.$/, notHere],
  [
    /^Must be area, or an object with the attribute/,
    'Needs the attribute of the boundary set that has the numbers, or “area”.',
  ],
  [/^Must be an array of two values\.$/, 'Must be two values.'],
  [/^Must be an array\.$/, 'Must be a list.'],
  [/^Must be a string\.$/, 'Must be text.'],
  [/^Must be a string, number, boolean, or object\.$/, notHere],
  [/^Must be true or false\.$/, 'Must be yes or no.'],
  [/^Must be alphanumeric, _, or -$/, 'May only have letters from a to z, digits, “_” and “-”.'],
  [/^Must be alphanumeric$/, 'May only have letters from a to z and digits.'],
  [/^Must be less than (\d+) characters$/, (most) => `Must have fewer than ${most} characters.`],
  [/^Must be less than (\d+) levels deep$/, (most) => `Must be fewer than ${most} levels deep.`],
  [/^Unknown field\.$/, 'This is not known here.'],
  [/^This field is required(?: for this type)?$/, 'Required.'],
  [/^This field should not exist for this type$/, 'Fields of this type have none.'],
  [
    /^This field should not exist beside (?:a )?(\w+)$/,
    (other) => `Cannot stand beside ${other === 'identifier' ? 'an identifier' : `a ${other}`}.`,
  ],
  [
    /^Not a valid field name, (\S+) is reserved$/,
    (key) => `“${key}” is a name that the product keeps for itself.`,
  ],
  [/^Not a valid (?:field|key)$/, 'There is no such field.'],
  [/^Not a valid validation key$/, 'There is no such rule.'],
  [/^(?:Not a valid|Missing) validation value$/, 'This rule needs a value that fits it.'],
  [
    /^Not a valid (type|measurement|measurement type) value$/,
    (what) => `There is no such ${what?.replace(' type', '')}.`,
  ],
  [/^Not a valid (point|date) field$/, (type) => `There is no such field of type ${type}.`],
  [/^Field does not exist: (.+)$/, (path) => `There is no field ${fieldWords(path)}.`],
  [/^Field does not exist\.$/, 'There is no such field.'],
  [/^Field is not queryable: (.+)$/, (path) => `The field ${fieldWords(path)} cannot be asked for.`],
  [/^Field is not JSON: (.+)$/, (path) => `The field ${fieldWords(path)} has no parts.`],
  [
    /^Field is ambigous - exists as both a column and an aggregation\.$/,
    'A field has this name already: rename the aggregation.',
  ],
  [
    /^Must contain an aggregation\.$/,
    'Needs a function that puts many rows together, such as a count or a sum.',
  ],
  [/^Must not contain an aggregation\.$/, 'Must not count or sum up rows.'],
  [/^Must not contain a null character\.$/, 'Has a character that cannot be stored.'],
  [/^Must not contain a reserved key.*$/, 'Has a name that the product keeps for itself.'],
  [/^Failed (.+) validation$/, (rule) => `Breaks the rule “${rule}”.`],
  [/^Invalid coordinates - (.+?)(?:, got \w+)?$/, (why) => `These are no coordinates: ${why}.`],
  [/^Invalid ordering direction - must be asc or desc\.$/, 'Must be ascending or descending.'],
  [/^Not a valid timezone\.$/, 'There is no such time zone: they are written like “America/Los_Angeles”.'],
  [/^Invalid source url$/, 'Must be a web address that begins with https:// or http://.'],
  [/^Invalid (\w+)[.!]$/, (what) => `This ${what} cannot be used.`],
]

/** Converts an API message for people: without type names, codes and internal members. */
export function messageWords(message: string): string {
  for (const [pattern, words] of rules) {
    const match = pattern.exec(message)
    if (match) return typeof words === 'string' ? words : words(...match.slice(1))
  }
  return message
}

/** Converts the message of a failure, which is the name of a status if it has none of its own. */
export const refusalWords = (message: string): string => statusWords[message] ?? messageWords(message)

/**
 * The error of an API call by a script, in one line: the message, and those of its fields without duplicates. The message is omitted
 * if it only says that a field is invalid.
 */
export function refusalLine(message: string, fields: readonly { message: string }[] = []): string {
  const sentences = [...new Set(fields.map((field) => messageWords(field.message)))]
  const isOfFields = message === 'Validation Error' && sentences.length > 0
  return [...(isOfFields ? [] : [refusalWords(message)]), ...sentences].join(' ')
}

const statusWords: Readonly<Record<string, string>> = {
  'Validation Error': 'Something here is not right yet.',
  Unauthorized: 'You are not signed in any more. Sign in again, then send this once more.',
  Forbidden: 'You may not do this.',
  'Not Found': 'This is not there any more.',
  'Not Acceptable': 'This is not available in that format.',
  Conflict: 'This conflicts with the current state: someone may have done it already.',
  'Payload Too Large': 'This is larger than may be sent.',
  'Too Many Requests': 'That was asked too often in a short time. Wait a minute and try again.',
  'Service Unavailable': 'This does not answer at the moment. Try again in a minute.',
  'Internal Server Error':
    'Something went wrong on the server, and its operators have been told. Try again in a minute.',
}

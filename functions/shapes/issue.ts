import type { BaseIssue } from 'valibot'

/**
 * One problem of a request. `path` is its position in the request (`[]`: the whole body);
 * `validator` names the rule that failed, of the data type or of the shape (`getRuleName`); without one the
 * response has `valid`.
 */
export interface Issue {
  path: (string | number)[]
  value?: unknown
  message: string
  validator?: string
}

/** The library's default message: "Invalid type: Expected string but received 5". */
const standardMessage = /^Invalid [^:]+: (?:Expected|Received) /

/** The message of an issue for people: the schema's own, else one per kind of rule. Never repeats the value, which may be a secret. */
export function describeIssue(issue: BaseIssue<unknown>): string {
  if (issue.expected === 'never') return 'Unknown field.'
  if (!standardMessage.test(issue.message)) return issue.message
  const { type, expected, requirement, input } = issue
  const things = Array.isArray(input) ? 'entries' : 'characters'
  const verb = Array.isArray(input) ? 'have' : 'be'
  switch (type) {
    case 'max_length':
      return `Must ${verb} at most ${String(requirement)} ${things}.`
    case 'min_length':
    case 'non_empty':
      return type === 'non_empty' || requirement === 1
        ? 'Must not be empty.'
        : `Must ${verb} at least ${String(requirement)} ${things}.`
    case 'max_entries':
      return `Must have at most ${String(requirement)} members.`
    case 'max_value':
      return `Must be at most ${String(requirement)}.`
    case 'min_value':
      return `Must be at least ${String(requirement)}.`
    case 'integer':
      return 'Must be a whole number.'
    case 'email':
      return 'Not a valid email address.'
    case 'url':
      return 'Must be a web address.'
    case 'iso_timestamp':
    case 'iso_date':
      return 'Not a valid date.'
    case 'picklist':
    case 'literal':
    case 'variant':
      return describeChoice(expected)
    default:
      return (expected && typeMessages[expected]) || 'Not a valid value.'
  }
}

/** Names of schema rules that are equivalent to rules of fields, so that programs know them by one name. */
const validators: Record<string, string> = {
  max_value: 'max',
  min_value: 'min',
  max_entries: 'maxKeys',
  picklist: 'enum',
  literal: 'enum',
  variant: 'enum',
  iso_timestamp: 'date',
  iso_date: 'date',
  ...{ regex: 'regex', email: 'email', url: 'url', uuid: 'uuid', integer: 'integer' },
}

/** The name of the failed rule: `type` for a wrong type, `unknown` for an unknown member. */
export function getRuleName({ kind, type, expected, input }: BaseIssue<unknown>): string {
  if (expected === 'never') return 'unknown'
  if (input === undefined) return 'required'
  if (type === 'non_empty') return 'notEmpty'
  const isList = Array.isArray(input)
  if (type === 'max_length') return isList ? 'maxItems' : 'maxLength'
  if (type === 'min_length') return isList ? 'minItems' : 'minLength'
  return validators[type] ?? (kind === 'schema' ? 'type' : 'valid')
}

/** The message for a missing member: the object's own, if it has one. */
export const describeMissing = ({ type, message }: BaseIssue<unknown>): string =>
  type === 'strict_object' && !standardMessage.test(message) ? message : 'Required.'

const typeMessages: Record<string, string> = {
  string: 'Must be a string.',
  number: 'Must be a number.',
  boolean: 'Must be true or false.',
  Array: 'Must be an array.',
  Object: 'Must be an object.',
}

/** The library's `"a" | "b"` as a list; a generic message if long. */
function describeChoice(expected: string | null): string {
  const choices = (expected ?? '').replace(/^\(|\)$/g, '').split(' | ')
  const names = choices.map((choice) => choice.replace(/^"|"$/g, ''))
  if (names.length > 20) return 'Not one of the values that are allowed.'
  return names.length === 1 ? `Must be ${names[0]}.` : `Must be one of ${names.join(', ')}.`
}

import type { Issue } from '#functions/shapes/issue.ts'
import { codeWords } from './code-words.ts'

/** The result of an action that rejected a form, as far as the form shows it. */
export interface FormErrors {
  ok: false
  message: string
  issues: Issue[]
  /** The kind of failure that is not about the values (`client/drafts`): no response, signed out, signed in as someone else. */
  kind?: string
  /** What the person can do about it, other than changing values. */
  reason?: string
}

const errorsByForm = new WeakMap<object, FormErrors>()

/**
 * Reads the errors from an action result; undefined after success or before the action. Returns the same object for the same result,
 * so that effects run once per result.
 */
export function readFormErrors(outcome: unknown): FormErrors | undefined {
  const formValues = outcome as Partial<FormErrors> | null | undefined
  if (formValues?.ok !== false) return undefined
  const { message = '', issues = [], kind, reason } = formValues
  const errors = errorsByForm.get(formValues) ?? {
    ok: false as const,
    message,
    issues,
    ...(kind && { kind }),
    ...(reason && { reason }),
  }
  errorsByForm.set(formValues, errors)
  return errors
}

/** Whether an issue is about an item of a list in one input: `tags`, 0 for "tags". */
const isOfItem = ({ path }: Issue, name: string): boolean =>
  typeof path.at(-1) === 'number' && path.slice(0, -1).join('.') === name

/**
 * The message at an input: of the first issue whose path equals the name (dots between its parts), else of the first about a list
 * item, with its number; undefined without one.
 */
export function issueAt(errors: FormErrors | undefined, name: string): string | undefined {
  const own = errors?.issues.find((issue) => issue.path.join('.') === name)
  if (own) return own.message
  const itemIssue = errors?.issues.find((issue) => isOfItem(issue, name))
  return itemIssue && issueWords(itemIssue)
}

/** Path segments that are not visible on screens. */
const holders = new Set(['data', 'settings', 'value', 'field', 'arguments'])

/** Names of members on screens, where they differ from the key. */
const memberWords: Record<string, string> = {
  url: 'web address',
  uri: 'web address',
  oauth: 'sign-in',
  timezone: 'time zone',
}

/** Whether a segment is an operator of the query language, such as `$gt`. */
const isOperator = (part: string | number) => typeof part === 'string' && /^\$\w/.test(part)

/**
 * A path in words, without operators: `filters`, `data`, `dateTime`, `$gt` is "Filters, date time", `sources`, `0`, `url` "Source 1,
 * web address".
 */
export function pathWords(path: readonly (string | number)[]): string {
  const members = path.filter((part) => !isOperator(part))
  const all = members.length > 0 ? members : path
  const labelParts = all.filter((part, i) => i === all.length - 1 || !holders.has(String(part)))
  const words: string[] = []
  for (const part of labelParts)
    if (typeof part === 'string') words.push(memberWords[part] ?? codeWords(part))
    else words.push(numberItem(words.pop(), part + 1))
  return words.join(', ').replace(/^./, (first) => first.toUpperCase())
}

/**
 * A field of a record as `a.b.0`, by the names of fields: "Address, street, no. 1". The name of a column stays as it is: it is a
 * person's own word.
 */
export function formatFieldPath(field: string, names: Readonly<Record<string, string>>): string {
  const [key = '', ...rest] = Object.hasOwn(names, field) ? [field] : field.split('.')
  if (!Object.hasOwn(names, key)) return field
  const members = rest.map((part) => (/^\d+$/.test(part) ? Number(part) : part))
  const inside = members.length > 0 ? pathWords(members) : ''
  return [names[key], inside.replace(/^./, (first) => first.toLowerCase())].filter(Boolean).join(', ')
}

/** An item of a list: "source 2" of "sources"; "no. 2" without a name. */
const numberItem = (list: string | undefined, n: number): string =>
  list === undefined
    ? `no. ${n}`
    : /s$/.test(list)
      ? `${list.replace(/ies$/, 'y').replace(/s$/, '')} ${n}`
      : `${list}, no. ${n}`

/** The message with its path, for issues without an input. */
export const issueWords = ({ path, message }: Pick<Issue, 'path' | 'message'>): string =>
  path.length ? `${pathWords(path)}: ${message}` : message

/** Shown after a version conflict; the form still has the person's input. */
export const conflictHint = 'Your changes are still here: save again to put them in place of the others.'

/** The messages above the form: that of the failure, and issues without an input. */
export function issuesBeside(errors: FormErrors | undefined, names: readonly string[]): string[] {
  if (!errors) return []
  if (isConflict(errors)) return [errors.message, conflictHint]
  const others = errors.issues.filter(
    (issue) => !names.includes(issue.path.join('.')) && !names.some((name) => isOfItem(issue, name)),
  )
  const isAllUnderInputs = errors.issues.length > 0 && others.length === 0
  if (isAllUnderInputs) return []
  // The failure and its only issue may say the same.
  return [...new Set([errors.message, ...others.map(issueWords)])]
}

/** Whether it failed because of a version conflict. */
export function isConflict(errors: FormErrors | undefined): boolean {
  return errors?.issues.some((issue) => issue.path.join('.') === 'version') ?? false
}

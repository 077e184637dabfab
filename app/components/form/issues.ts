import type { Issue } from '#functions/shapes/issue.ts'
import { codeWords } from './code-words.ts'

/** What an action answered to a form that it rejected, as far as the form shows it. */
export interface FormErrors {
  ok: false
  message: string
  issues: Issue[]
  /** The kind of failure where the values are not at fault (`client/kept`): no answer, signed out, signed in as someone else. */
  kind?: string
  /** What the person can do about it, where that is more than to change values. */
  reason?: string
}

const errorsByForm = new WeakMap<object, FormErrors>()

/**
 * Reads the errors from what an action answered; undefined when it succeeded or has not run. Gives the same object for the same
 * answer, so that an effect that depends on it runs once per answer.
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

/** Whether an issue is of an item of the list that an input holds as one text: `tags`, 0 of "tags". */
const isOfItem = ({ path }: Issue, name: string): boolean =>
  typeof path.at(-1) === 'number' && path.slice(0, -1).join('.') === name

/**
 * Gives the text under an input: the first issue whose path is the name (dots between its parts), else the first of an item of its list,
 * with which one it is; undefined without one.
 */
export function issueAt(errors: FormErrors | undefined, name: string): string | undefined {
  const own = errors?.issues.find((issue) => issue.path.join('.') === name)
  if (own) return own.message
  const ofItem = errors?.issues.find((issue) => isOfItem(issue, name))
  return ofItem && issueWords(ofItem)
}

/** Parts of a path that only hold what is meant: nobody sees them on a screen. */
const holders = new Set(['data', 'settings', 'value', 'field', 'arguments'])

/** What members are called on screens, where it is not their key in words. */
const memberWords: Record<string, string> = {
  url: 'web address',
  uri: 'web address',
  oauth: 'sign-in',
  timezone: 'time zone',
}

/** Where something is wrong, in words: `filters`, `data`, `dateTime` is "Filters, date time", `sources`, `0`, `url` "Source 1, web address". */
export function pathWords(path: readonly (string | number)[]): string {
  const labelParts = path.filter((part, i) => i === path.length - 1 || !holders.has(String(part)))
  const words: string[] = []
  for (const part of labelParts)
    if (typeof part === 'string') words.push(memberWords[part] ?? codeWords(part))
    else words.push(numberItem(words.pop(), part + 1))
  return words.join(', ').replace(/^./, (first) => first.toUpperCase())
}

/** The nth of a list: "source 2" of "sources", and where the list has no name of its own "no. 2". */
const numberItem = (list: string | undefined, n: number): string =>
  list === undefined
    ? `no. ${n}`
    : /s$/.test(list)
      ? `${list.replace(/ies$/, 'y').replace(/s$/, '')} ${n}`
      : `${list}, no. ${n}`

/** What is wrong, with where it is: for what stands under no input. */
export const issueWords = ({ path, message }: Pick<Issue, 'path' | 'message'>): string =>
  path.length ? `${pathWords(path)}: ${message}` : message

/** What is said when someone else was faster: the form still holds the person's own words. */
export const conflictHint = 'Your changes are still here: save again to put them in place of the others.'

/** Gives what must be said above the form: the refusal's sentence, and issues that belong to none of its inputs. */
export function issuesBeside(errors: FormErrors | undefined, names: readonly string[]): string[] {
  if (!errors) return []
  if (isConflict(errors)) return [errors.message, conflictHint]
  const others = errors.issues.filter(
    (issue) => !names.includes(issue.path.join('.')) && !names.some((name) => isOfItem(issue, name)),
  )
  const isAllUnderInputs = errors.issues.length > 0 && others.length === 0
  if (isAllUnderInputs) return []
  return [errors.message, ...others.map(issueWords)]
}

/** Whether it was refused because someone else had changed the thing in the meantime. */
export function isConflict(errors: FormErrors | undefined): boolean {
  return errors?.issues.some((issue) => issue.path.join('.') === 'version') ?? false
}

import type { Issue } from '#functions/shapes/issue.ts'
import { codeWords } from './code-words.ts'

/** What a form got back when it was refused, as far as its texts need it. */
export interface RefusedForm {
  ok: false
  message: string
  issues: Issue[]
  /** Where it was not the words that failed (`client/kept`): what keeps them says so. */
  kind?: string
  /** What the person can do about it, where that is more than to change the words. */
  reason?: string
}

const refusalsByForm = new WeakMap<object, RefusedForm>()

/**
 * Gives the refusal in what an action gave back; undefined when it worked or was not asked yet. The same object for the same
 * answer, so that what is done once a refusal is.
 */
export function refusalIn(outcome: unknown): RefusedForm | undefined {
  const formValues = outcome as Partial<RefusedForm> | null | undefined
  if (formValues?.ok !== false) return undefined
  const { message = '', issues = [], kind, reason } = formValues
  const refused = refusalsByForm.get(formValues) ?? {
    ok: false as const,
    message,
    issues,
    ...(kind && { kind }),
    ...(reason && { reason }),
  }
  refusalsByForm.set(formValues, refused)
  return refused
}

/** Whether an issue is of an item of the list that an input holds as one text: `tags`, 0 of "tags". */
const isOfItem = ({ path }: Issue, name: string): boolean =>
  typeof path.at(-1) === 'number' && path.slice(0, -1).join('.') === name

/**
 * Gives the text under an input: the first issue whose path is the name (dots between its parts), else the first of an item of its list,
 * with which one it is; undefined without one.
 */
export function issueAt(refused: RefusedForm | undefined, name: string): string | undefined {
  const own = refused?.issues.find((issue) => issue.path.join('.') === name)
  if (own) return own.message
  const ofItem = refused?.issues.find((issue) => isOfItem(issue, name))
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
export function issuesBeside(refused: RefusedForm | undefined, names: readonly string[]): string[] {
  if (!refused) return []
  if (isConflict(refused)) return [refused.message, conflictHint]
  const others = refused.issues.filter(
    (issue) => !names.includes(issue.path.join('.')) && !names.some((name) => isOfItem(issue, name)),
  )
  const isAllUnderInputs = refused.issues.length > 0 && others.length === 0
  if (isAllUnderInputs) return []
  return [refused.message, ...others.map(issueWords)]
}

/** Whether it was refused because someone else had changed the thing in the meantime. */
export function isConflict(refused: RefusedForm | undefined): boolean {
  return refused?.issues.some((issue) => issue.path.join('.') === 'version') ?? false
}

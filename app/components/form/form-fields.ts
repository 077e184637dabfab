import { createContext, useContext } from 'react'
import { isConflict, issueAt, type FormErrors } from './issues.ts'

/** Initial values and errors of a form's fields, provided by context. */
export interface FieldSource {
  /** The saved values by input name. */
  saved: object
  /** The submitted values after an error, shown instead of the saved ones. */
  formValues?: Readonly<Record<string, string>> | undefined
  errors?: FormErrors | undefined
}

/** Provided by forms; fields outside of one use only their props. */
export const FormFields = createContext<FieldSource>({ saved: {} })

/** The state of a field. */
interface FieldState {
  /** The server's error; undefined without one. */
  error: string | undefined
  /** The initial value; undefined outside of a form and without a value. */
  first: string | undefined
  /**
   * The value that someone else has saved meanwhile, if it differs; else undefined. Shown under the field, so that neither version is
   * lost before a person has chosen.
   */
  theirs: string | undefined
}

/** The state of the field with this name. `errors`: overrides those of the form. */
export function useField(name: string, errors?: FormErrors): FieldState {
  const form = useContext(FormFields)
  const sentText = form.formValues?.[name]
  const savedText = toInputText((form.saved as Readonly<Record<string, unknown>>)[name])
  const isOther = isConflict(form.errors) && sentText !== undefined && savedText !== undefined
  return {
    error: issueAt(errors ?? form.errors, name),
    first: sentText ?? savedText,
    theirs: isOther && withUnixLines(sentText) !== withUnixLines(savedText) ? savedText : undefined,
  }
}

/** Normalizes line endings, as forms submit CR LF. */
const withUnixLines = (text: string) => text.replaceAll('\r\n', '\n').trim()

/** A saved value as text for an input; undefined if the form has none. */
function toInputText(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (value === null) return ''
  // Lists, such as tags, are joined in one line.
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

import { createContext, useContext } from 'react'
import { isConflict, issueAt, type FormErrors } from './issues.ts'

/** What the fields of a form begin with and what is said under them, so that none of them has to be handed it. */
export interface FieldSource {
  /** What is saved, by the names of inputs. */
  saved: object
  /** What was sent when it was refused: it is shown in place of what is saved. */
  formValues?: Readonly<Record<string, string>> | undefined
  errors?: FormErrors | undefined
}

/** Around the fields of a form; outside of one a field knows only what it is handed. */
export const FormFields = createContext<FieldSource>({ saved: {} })

/** What a field shows. */
export interface FieldState {
  /** What the server says of it; undefined where nothing. */
  error: string | undefined
  /** What it begins with; undefined outside of a form and for what has no text yet. */
  first: string | undefined
  /**
   * What someone else has saved while this was typed, where the two differ; undefined else. It is shown under the field, so that
   * of two versions neither is lost before a person has chosen.
   */
  theirs: string | undefined
}

/** Gives what the field of this name shows. `refused`: the refusal where it is handed one, in place of its form's. */
export function useField(name: string, errors?: FormErrors): FieldState {
  const form = useContext(FormFields)
  const sentText = form.formValues?.[name]
  const savedText = textOf((form.saved as Readonly<Record<string, unknown>>)[name])
  const isOther = isConflict(form.errors) && sentText !== undefined && savedText !== undefined
  return {
    error: issueAt(errors ?? form.errors, name),
    first: sentText ?? savedText,
    theirs: isOther && withUnixLines(sentText) !== withUnixLines(savedText) ? savedText : undefined,
  }
}

/** The same text whichever way its lines end: forms send them as CR LF. */
const withUnixLines = (text: string) => text.replaceAll('\r\n', '\n').trim()

/** A saved value as its input shows it; undefined where the form was told of none. */
function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (value === null) return ''
  // Lists are short words in one line, as tags are.
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

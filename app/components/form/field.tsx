import { useId, type ComponentPropsWithoutRef, type ReactNode } from 'react'
import { useField } from './form-fields.ts'
import type { FormErrors } from './issues.ts'

interface Common {
  label: string
  name: string
  hint?: ReactNode
  /** The errors of its form; needed only outside of `edit-form.tsx`, which provides them. */
  errors?: FormErrors | undefined
}

type InputFieldProps = Common & ComponentPropsWithoutRef<'input'>

interface FrameProps {
  /** The id of the input; its hint and error have the same with `-hint` and `-error`. */
  id: string
  label: string
  hint?: ReactNode
  error?: string | undefined
  className?: string
  children: ReactNode
}

/** The label, hint and error around an input. */
export function FieldFrame({ id, label, hint, error, className = 'field', children }: FrameProps) {
  return (
    <div className={className}>
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <Hint id={id} text={hint} />
      {children}
      <ErrorText id={id} text={error} />
    </div>
  )
}

function Hint({ id, text }: { id: string; text: ReactNode }) {
  return text ? (
    <p className="field-hint" id={`${id}-hint`}>
      {text}
    </p>
  ) : null
}

function ErrorText({ id, text }: { id: string; text: string | undefined }) {
  return text ? (
    <p className="field-error" id={`${id}-error`}>
      {text}
    </p>
  ) : null
}

/** Shows what someone else has saved meanwhile, under an input with another value. */
export function SavedMeanwhile({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <div className="field-hint field-theirs" id={id && `${id}-theirs`}>
      Saved meanwhile: {children}
    </div>
  )
}

interface FieldProps extends Common {
  /** An explicit `value` or `defaultValue` takes precedence over the form's. */
  input: { value?: unknown; defaultValue?: unknown; type?: string | undefined }
  /** Formats the value that someone else has saved: an option by its label. */
  formatValue?(value: string): string
  children(props: {
    id: string
    name: string
    defaultValue?: string
    'aria-invalid'?: true
    'aria-describedby'?: string
  }): ReactNode
}

/** An input with its label, hint and error, connected by `aria-describedby` for screen readers. */
function Field({ label, name, hint, errors, input, formatValue = String, children }: FieldProps) {
  const id = useId()
  const { error, first, theirs } = useField(name, errors)
  const isSecret = input.type === 'password'
  const isFirst = first !== undefined && !('value' in input) && !('defaultValue' in input) && !isSecret
  const hasTheirs = theirs !== undefined && !isSecret
  const descriptionIds = [hint && `${id}-hint`, hasTheirs && `${id}-theirs`, error && `${id}-error`]
  return (
    <FieldFrame {...{ id, label, hint, error }}>
      {children({
        ...{ id, name },
        ...(isFirst && { defaultValue: first }),
        ...(error && { 'aria-invalid': true as const }),
        ...describedBy(descriptionIds),
      })}
      {hasTheirs ? (
        <SavedMeanwhile id={id}>
          <b>{theirs === '' ? 'nothing' : formatValue(theirs)}</b>
        </SavedMeanwhile>
      ) : null}
    </FieldFrame>
  )
}

/** The `aria-describedby` of an input with a hint or an error; empty without either. */
function describedBy(ids: readonly unknown[]): { 'aria-describedby'?: string } {
  const idList = ids.filter(Boolean).join(' ')
  return idList ? { 'aria-describedby': idList } : {}
}

/** A text input with its label, hint and error. In an edit form its initial value is the saved one. */
export function TextField({ label, name, hint, errors, ...input }: InputFieldProps) {
  return <Field {...{ label, name, hint, errors, input }}>{(props) => <input {...input} {...props} />}</Field>
}

/** A text area, in the same way. */
export function TextArea({
  label,
  name,
  hint,
  errors,
  ...input
}: Common & ComponentPropsWithoutRef<'textarea'>) {
  return (
    <Field {...{ label, name, hint, errors, input }}>
      {(props) => <textarea rows={4} {...input} {...props} />}
    </Field>
  )
}

export interface Option {
  value: string
  label: string
}

/** A select, in the same way. */
export function SelectField({
  label,
  name,
  hint,
  errors,
  options,
  ...input
}: Common & ComponentPropsWithoutRef<'select'> & { options: readonly Option[] }) {
  const getOptionLabel = (value: string) => options.find((option) => option.value === value)?.label ?? value
  return (
    <Field {...{ label, name, hint, errors, input, formatValue: getOptionLabel }}>
      {(props) => (
        <select {...input} {...props}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** A checkbox. An unticked one sends nothing, so its initial state is always passed in. */
export function CheckField({
  label,
  name,
  hint,
  errors,
  ...input
}: Omit<InputFieldProps, 'label'> & { label: ReactNode }) {
  const id = useId()
  const { error } = useField(name, errors)
  return (
    <div className="field">
      <label className="choice" htmlFor={id}>
        <input
          {...input}
          {...{ id, name }}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          {...describedBy([hint && `${id}-hint`, error && `${id}-error`])}
        />
        {label}
      </label>
      <Hint id={id} text={hint} />
      <ErrorText id={id} text={error} />
    </div>
  )
}

import { useId, type ComponentPropsWithoutRef, type ReactNode } from 'react'
import { issueAt, type RefusedForm } from './issues.ts'

interface Common {
  label: string
  name: string
  hint?: ReactNode
  refused?: RefusedForm | undefined
}

/** What connects an input with its hint and its error for those who hear it. */
function useWiring({ name, hint, refused }: Pick<Common, 'name' | 'hint' | 'refused'>) {
  const id = useId()
  const error = issueAt(refused, name)
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(' ')
  const props = {
    id,
    name,
    ...(error ? { 'aria-invalid': true as const } : {}),
    ...(described ? { 'aria-describedby': described } : {}),
  }
  return { id, error, props }
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

function Frame({
  id,
  label,
  hint,
  error,
  children,
}: {
  id: string
  label: string
  hint?: ReactNode
  error?: string | undefined
  children: ReactNode
}) {
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <Hint id={id} text={hint} />
      {children}
      <ErrorText id={id} text={error} />
    </div>
  )
}

/** A line of text with its label, hint and the server's error under it. */
export function TextField({
  label,
  name,
  hint,
  refused,
  ...input
}: Common & ComponentPropsWithoutRef<'input'>) {
  const { id, error, props } = useWiring({ name, hint, refused })
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <input {...input} {...props} />
    </Frame>
  )
}

/** Several lines of text, the same way. */
export function TextArea({
  label,
  name,
  hint,
  refused,
  ...input
}: Common & ComponentPropsWithoutRef<'textarea'>) {
  const { id, error, props } = useWiring({ name, hint, refused })
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <textarea rows={4} {...input} {...props} />
    </Frame>
  )
}

export interface Option {
  value: string
  label: string
}

/** One of a few, the same way. */
export function SelectField({
  label,
  name,
  hint,
  refused,
  options,
  ...input
}: Common & ComponentPropsWithoutRef<'select'> & { options: readonly Option[] }) {
  const { id, error, props } = useWiring({ name, hint, refused })
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <select {...input} {...props}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  )
}

/** A box to tick. Unticked it sends nothing. */
export function CheckField({
  label,
  name,
  hint,
  refused,
  ...input
}: Common & ComponentPropsWithoutRef<'input'>) {
  const { id, error, props } = useWiring({ name, hint, refused })
  return (
    <div className="field">
      <label className="choice" htmlFor={id}>
        <input {...input} {...props} type="checkbox" />
        {label}
      </label>
      <Hint id={id} text={hint} />
      <ErrorText id={id} text={error} />
    </div>
  )
}

import { Form, Link, useActionData, type FormProps } from '@remix-run/react'
import { useRef, type ReactNode } from 'react'
import { ConfirmButton } from './confirm-button.tsx'
import { FormError } from './form-error.tsx'
import { FormFields, type FieldSource } from './form-fields.ts'
import { readFormErrors, type FormErrors } from './issues.ts'
import { DraftForm, type DraftFormProps } from './draft-form.tsx'
import { SubmitButton } from './submit-button.tsx'
import { useErrorFocus } from './use-error-focus.ts'

/** The outcome of a submitted form; both are undefined after success, or when another form of the screen was submitted. */
export interface SentForm {
  errors: FormErrors | undefined
  /** The submitted values without secrets. */
  formValues: Record<string, string> | undefined
}

/**
 * Reads the errors and submitted values of the form with one of these intents. Errors without an intent belong to the
 * only form of the screen.
 */
export function useSentForm(...intents: readonly string[]): SentForm {
  return toSubmittedForm(useActionData(), intents)
}

/** The same for a given action result. */
export function toSubmittedForm(outcome: unknown, intents: readonly string[]): SentForm {
  const errors = readFormErrors(outcome)
  const { formValues, intent = formValues?.intent } = (outcome ?? {}) as {
    formValues?: SentForm['formValues']
    intent?: string
  }
  if (!errors || (intent !== undefined && !intents.includes(intent)))
    return { errors: undefined, formValues: undefined }
  return { errors, formValues }
}

export interface FormBodyProps {
  /** The names of its inputs: their issues are shown at them, others above. */
  names: readonly string[]
  /** The saved values by input name: the initial values of the fields. May have more than they show. */
  saved?: FieldSource['saved']
  /** The version that is edited; null or undefined for a new thing. */
  version?: number | null | undefined
  /** The submit button; null for a read-only form. */
  save: { intent: string; label: ReactNode; doing?: string; className?: string } | null
  /** The intents of its other buttons. */
  intents?: readonly string[]
  /** The link that leaves without saving. */
  cancel?: { to: string; label?: string } | undefined
  /** Other buttons. */
  more?: ReactNode
  /** A note after the buttons. */
  note?: ReactNode
  /** Maps paths of issues to names of inputs, where these differ. */
  place?(errors: FormErrors): FormErrors
  children: ReactNode
}

/**
 * The parts of every form: its version, errors, fields and buttons. After an error fields show what was submitted, and the
 * first invalid one gets the focus. After a version conflict both versions are shown.
 */
export function FormBody({ saved = {}, version, names, place, children, ...buttons }: FormBodyProps) {
  const { save, intents = [], cancel, more, note } = buttons
  const start = useRef<HTMLSpanElement>(null)
  const sentForm = useSentForm(...(save ? [save.intent] : []), ...intents)
  const errors = sentForm.errors && place ? place(sentForm.errors) : sentForm.errors
  useErrorFocus(start, sentForm.errors)
  return (
    <FormFields.Provider value={{ saved, errors, formValues: sentForm.formValues }}>
      <span ref={start} hidden />
      {version === undefined || version === null ? null : (
        <input type="hidden" name="version" value={version} />
      )}
      <FormError errors={errors} names={names} />
      {children}
      {save || more || cancel ? (
        <div className="form-actions">
          {save ? (
            <SubmitButton intent={save.intent} doing={save.doing} className={save.className}>
              {save.label}
            </SubmitButton>
          ) : null}
          {more}
          {cancel ? (
            <Link className="button" to={cancel.to}>
              {cancel.label ?? 'Cancel'}
            </Link>
          ) : null}
          {note}
        </div>
      ) : null}
    </FormFields.Provider>
  )
}

type EditFormProps = Omit<DraftFormProps, 'version'> &
  FormBodyProps & {
    /** Content beside the fields. */
    aside?: ReactNode
  }

/**
 * A form that creates or changes something: what is typed is kept as a draft on this device, leaving with unsaved changes asks
 * first, and a failed save is retried. Its route must export what `DraftForm` needs.
 */
export function EditForm({ aside, className = 'form', ...all }: EditFormProps) {
  const { saved, names, save, intents, cancel, more, note, place, children, ...form } = all
  const body = { saved, names, save, intents, cancel, more, note, place, children, version: form.version }
  return (
    <DraftForm {...form} version={form.version ?? null} className={className}>
      {aside ? (
        <>
          <div className="form">
            <FormBody {...body} />
          </div>
          {aside}
        </>
      ) : (
        <FormBody {...body} />
      )}
    </DraftForm>
  )
}

type ShortFormProps = Omit<FormProps, 'method'> & FormBodyProps

/** A form without a draft: of a few short inputs, or of what must not be kept, such as passwords. */
export function ShortForm({ className = 'form', ...all }: ShortFormProps) {
  const { saved, version, names, save, intents, cancel, more, note, place, children, ...form } = all
  return (
    <Form {...form} method="post" className={className}>
      <FormBody {...{ saved, version, names, save, intents, cancel, more, note, place, children }} />
    </Form>
  )
}

interface DeleteButtonProps {
  /** The name of what is deleted, for the question. */
  name: string
  /** The consequences. */
  text: ReactNode
  /** The label of the button. */
  children?: ReactNode
  className?: string
}

/** The button that deletes the screen's thing after a confirmation. Its intent is `delete`. */
export function DeleteButton({ name, text, children = 'Delete', className }: DeleteButtonProps) {
  return (
    <Form method="post">
      <ConfirmButton
        intent="delete"
        question={`Delete ${name}?`}
        text={text}
        answer="Delete"
        {...(className && { className })}
      >
        {children}
      </ConfirmButton>
    </Form>
  )
}

import { useId, useState } from 'react'
import { isSameText } from '#app/client/drafts/same-html.ts'
import { useHydrated } from '#app/client/use-hydrated.ts'
import { RichText } from '../hub/rich-text.tsx'
import { useRichEditor } from '../story/use-rich-editor.ts'
import { DraftField } from './draft-field.tsx'
import { SavedMeanwhile } from './field.tsx'
import { useField } from './form-fields.ts'
import type { FormErrors } from './issues.ts'

interface RichFieldProps {
  label: string
  name: string
  hint?: string
  /** The initial HTML, sanitised by the server; by default from the form. */
  html?: string
  errors?: FormErrors | undefined
  /** Called on the first change, which fires no input event. */
  onChange?(): void
  /** Shows the text with a button that opens the editor, for one field among many. */
  isClosed?: boolean
}

/** A formatted text in a form. With scripts a rich text editor; without, HTML. */
export function RichField({
  label,
  name,
  hint,
  errors,
  onChange,
  isClosed = false,
  ...formValues
}: RichFieldProps) {
  const id = useId()
  const { error, first, theirs } = useField(name, errors)
  const html = formValues.html ?? first ?? ''
  const [isWanted, want] = useState(!isClosed)
  const Editor = useRichEditor(isWanted)
  const [draft, setDraft] = useState(html)
  const [restoreCount, setRestoreCount] = useState(0)
  // Server and editor serialize the same text differently; comparing them requires a browser.
  const isHydrated = useHydrated()
  const hasTheirs = theirs !== undefined && !(isHydrated && isSameText(theirs, draft))
  return (
    <div className="field">
      <span className="field-label" id={id}>
        {label}
      </span>
      {hint ? <p className="field-hint">{hint}</p> : null}
      <DraftField
        name={name}
        value={draft}
        disabled={!Editor && restoreCount === 0}
        onRestore={(html) => {
          setDraft(html)
          setRestoreCount((n) => n + 1)
          want(true)
        }}
      />
      {Editor ? (
        <div className="rich-field">
          <Editor
            html={draft}
            generation={restoreCount}
            label={label}
            autoFocus={isClosed}
            onChange={(next) => {
              setDraft(next)
              onChange?.()
            }}
          />
        </div>
      ) : (
        <>
          {isClosed && !html ? null : (
            <div className="rich-field needs-scripts">
              <RichText html={html} />
            </div>
          )}
          {isClosed ? (
            <div className="row needs-scripts">
              <button
                type="button"
                className="button is-small"
                aria-describedby={id}
                aria-busy={isWanted}
                onClick={() => want(true)}
              >
                {html ? 'Edit the text' : 'Write the text'}
              </button>
            </div>
          ) : null}
          <noscript>
            <textarea name={name} rows={12} className="code" aria-labelledby={id} defaultValue={html} />
          </noscript>
        </>
      )}
      {hasTheirs ? (
        <SavedMeanwhile>{theirs === '' ? <b>nothing</b> : <RichText html={theirs} />}</SavedMeanwhile>
      ) : null}
      {error ? <p className="field-error">{error}</p> : null}
    </div>
  )
}

import { useId, useState } from 'react'
import { RichText } from '../hub/rich-text.tsx'
import { useRichEditor } from '../story/use-rich-editor.ts'
import { issueAt, type Refused } from './issues.ts'

export interface RichFieldProps {
  label: string
  name: string
  hint?: string
  /** What is there, as HTML of the server's allowlist. */
  html: string
  refused?: Refused | undefined
  /** Told with the first change: no input event says it. */
  onChange?(): void
  /** Shows the text with a button that opens the editor, where the text is one field of many. */
  isClosed?: boolean
}

/** A formatted text in a form. With scripts it is written as it will be read; without, as HTML. */
export function RichField({ label, name, hint, html, refused, onChange, isClosed = false }: RichFieldProps) {
  const id = useId()
  const [isWanted, want] = useState(!isClosed)
  const Editor = useRichEditor(isWanted)
  const [draft, setDraft] = useState(html)
  const error = issueAt(refused, name)
  return (
    <div className="field">
      <span className="field-label" id={id}>
        {label}
      </span>
      {hint ? <p className="field-hint">{hint}</p> : null}
      {Editor ? (
        <div className="rich-field">
          <input type="hidden" name={name} value={draft} />
          <Editor
            html={html}
            generation={0}
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
      {error ? <p className="field-error">{error}</p> : null}
    </div>
  )
}

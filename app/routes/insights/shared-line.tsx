import { useId, type ReactNode } from 'react'
import { FieldFrame } from '#app/components/form/field.tsx'
import { CopyButton } from '#app/components/form/copy-button.tsx'

export interface SharedLineProps {
  label: string
  /** The text to copy. */
  text: string
  hint?: ReactNode
  isLong?: boolean
}

/** A text to copy with its label: a URL or HTML. */
export function SharedLine({ label, text, hint, isLong = false }: SharedLineProps) {
  const id = useId()
  return (
    <FieldFrame {...{ id, label, hint }} className="field shared-line">
      <div className="shared-text">
        {isLong ? (
          <textarea
            id={id}
            className="code"
            rows={4}
            readOnly
            value={text}
            aria-describedby={hint ? `${id}-hint` : undefined}
          />
        ) : (
          <input
            id={id}
            className="code"
            readOnly
            value={text}
            aria-describedby={hint ? `${id}-hint` : undefined}
          />
        )}
        <CopyButton text={text} what={label} />
      </div>
    </FieldFrame>
  )
}

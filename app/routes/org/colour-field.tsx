import { useEffect, useId, useRef, useState } from 'react'
import { FieldFrame } from '#app/components/form/field.tsx'
import { useField } from '#app/components/form/form-fields.ts'

export interface ColourFieldProps {
  label: string
  name: string
  hint?: string
  /** #rrggbb. */
  value: string
  /** Called with every change to a valid colour. */
  onChange?(colour: string): void
}

const whole = /^#[0-9a-f]{6}$/i

/** A colour input: text as #rrggbb, with the browser's picker. */
export function ColourField({ label, name, hint, value, onChange }: ColourFieldProps) {
  const id = useId()
  const [colour, setColour] = useState(value)
  const text = useRef<HTMLInputElement>(null)
  const { error } = useField(name)
  const change = (next: string) => {
    setColour(next)
    if (whole.test(next)) onChange?.(next)
  }
  const latestChange = useRef(change)
  latestChange.current = change
  useEffect(() => {
    // Text typed before hydration is kept.
    const typedText = text.current?.value
    if (typedText !== undefined && typedText !== value) latestChange.current(typedText)
  }, [value])
  return (
    <FieldFrame {...{ id, label, hint, error }}>
      <div className="row colour-field">
        <input
          type="color"
          className="needs-scripts"
          aria-label={`${label}, from a picker`}
          value={whole.test(colour) ? colour : '#000000'}
          onChange={(event) => change(event.target.value)}
        />
        <input
          id={id}
          ref={text}
          name={name}
          value={colour}
          maxLength={7}
          spellCheck={false}
          aria-describedby={hint ? `${id}-hint` : undefined}
          aria-invalid={error ? true : undefined}
          onChange={(event) => change(event.target.value.trim())}
        />
      </div>
    </FieldFrame>
  )
}

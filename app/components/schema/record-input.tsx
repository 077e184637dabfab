import { useEffect, useRef, useState } from 'react'
import { getFieldUnit } from '#functions/engine/chart/format.ts'
import { isCalendarDate, type Field } from '#functions/shapes/field.ts'
import { SelectField, TextArea, TextField } from '../form/field.tsx'
import type { FormErrors } from '../form/issues.ts'
import { formatInputValue, isLined, readValue } from './record-values.ts'

interface RecordInputProps {
  field: Field
  label: string
  /** The path of the value, with dots. */
  name: string
  value: unknown
  errors: FormErrors | undefined
  /** Undefined: no value. */
  onChange(value: unknown): void
}

/** The input for a value of a field. Typed text stays, even while it is invalid. */
export function RecordInput({ field, label, name, value, errors, onChange }: RecordInputProps) {
  const [text, setText] = useState(() => formatInputValue(field, value))
  const lastSent = useRef(value)
  useEffect(() => {
    if (lastSent.current === value) return
    lastSent.current = value
    setText(formatInputValue(field, value))
  }, [field, value])
  const change = (text: string) => {
    setText(text)
    lastSent.current = readValue(field, text)
    onChange(lastSent.current)
  }
  const unit = getFieldUnit(field)
  // Issues within a list are shown at its one input.
  const below = errors && {
    ...errors,
    issues: errors.issues.map((issue) =>
      issue.path.join('.').startsWith(`${name}.`) ? { ...issue, path: name.split('.') } : issue,
    ),
  }
  const common = {
    ...{ form: '', name, errors: below, value: text },
    label: unit ? `${label} (${unit})` : label,
    ...(field.notes ? { hint: field.notes } : {}),
    onChange: (event: { target: { value: string } }) => change(event.target.value),
  }
  const choices = field.validation?.enum
  if (Array.isArray(choices) || field.type === 'boolean') {
    const values = Array.isArray(choices) ? choices.map(String) : ['true', 'false']
    const words = (each: string) => (field.type === 'boolean' ? (each === 'true' ? 'True' : 'False') : each)
    return (
      <SelectField
        {...common}
        options={[
          { value: '', label: 'No value' },
          ...values.map((each) => ({ value: each, label: words(each) })),
        ]}
      />
    )
  }
  if (field.type === 'text') return <TextField {...common} type={getInputType(field)} />
  if (field.type === 'number') return <TextField {...common} inputMode="decimal" />
  if (isCalendarDate(field)) return <TextField {...common} {...calendarInputs[field.precision]} />
  if (field.type === 'date')
    return (
      <TextField
        {...common}
        type="datetime-local"
        step={1}
        hint={field.notes ? `${field.notes} In UTC.` : 'In UTC.'}
      />
    )
  const hints: Partial<Record<Field['type'], string>> = {
    point: 'Longitude and latitude in degrees, such as -73.99, 40.73',
    array: isLined(field) ? 'One item a line.' : 'As JSON.',
  }
  const hint = [field.notes, hints[field.type] ?? 'As JSON.'].filter(Boolean).join(' ')
  if (field.type === 'point') return <TextField {...common} hint={hint} />
  return <TextArea {...common} hint={hint} className={isLined(field) ? undefined : 'code'} rows={3} />
}

/** Inputs for calendar dates. Browsers have none for years. */
const calendarInputs = {
  day: { type: 'date' },
  month: { type: 'month' },
  year: { inputMode: 'numeric', maxLength: 4 },
} as const

function getInputType({ validation = {} }: Field): string {
  if (validation.email === true) return 'email'
  if (validation.phone === true) return 'tel'
  return ['url', 'image', 'video', 'audio', 'stream'].some((key) => validation[key] === true) ? 'url' : 'text'
}

import { useId, useState } from 'react'
import { constantFrom, isConstant } from './values.ts'
import { useLanguage } from './language.ts'

interface ConstantInputProps {
  value: unknown
  type: string | undefined
  label: string
  onChange(value: string | number | boolean): void
  /** The field whose values are suggested. */
  path?: string
}

/** An input for a constant of a type, with suggestions of frequent values. */
export function ConstantInput({ value, type, label, onChange, path }: ConstantInputProps) {
  const { list, onFocus, options } = useSuggestions(path)
  if (type === 'boolean')
    return (
      <select
        aria-label={label}
        value={String(value)}
        onChange={(event) => onChange(event.target.value === 'true')}
      >
        {value === true || value === false ? null : <option value={String(value)}>Choose</option>}
        <option value="true">True</option>
        <option value="false">False</option>
      </select>
    )
  return (
    <>
      <input
        aria-label={label}
        value={isConstant(value) && value !== null ? String(value) : ''}
        inputMode={type === 'number' ? 'decimal' : undefined}
        placeholder={type === 'date' ? '2026-01-31T00:00:00Z' : undefined}
        list={list}
        onFocus={onFocus}
        onChange={(event) => onChange(constantFrom(event.target.value, type))}
      />
      {options}
    </>
  )
}

/** A datalist with suggestions, loaded on first focus. */
export function useSuggestions(path: string | undefined) {
  const id = useId()
  const { suggest } = useLanguage()
  const [suggestions, setSuggestions] = useState<{ path: string; values: string[] } | null>(null)
  const values = suggestions && suggestions.path === path ? suggestions.values : []
  const onFocus = () => {
    if (!path || suggestions?.path === path) return
    suggest(path).then(
      (next) => setSuggestions({ path, values: next }),
      () => {},
    )
  }
  const options = values.length ? (
    <datalist id={id}>
      {values.map((each) => (
        <option key={each} value={each} />
      ))}
    </datalist>
  ) : null
  return { list: values.length ? id : undefined, onFocus, options }
}

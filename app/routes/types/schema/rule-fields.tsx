import { useState } from 'react'
import { parseCalendarDay } from '#functions/shapes/fields/dates.ts'
import { listValidators, type Validator } from '#functions/shapes/fields/validators.ts'
import { CheckField, TextArea, TextField } from '#app/components/form/field.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'
import type { FieldDraft } from '#app/components/schema/draft.ts'

export interface RuleFieldsProps {
  field: FieldDraft
  /** The path of the field, joined with dots. */
  at: string
  errors: FormErrors
  onChange(field: FieldDraft): void
}

const words: Record<string, string> = {
  required: 'Every record must have it',
  unique: 'No item may be there twice',
  notEmpty: 'Must not be empty',
}

/** The validation rules of the field's type, each with an input for its parameter. */
export function RuleFields({ field, at, errors, onChange }: RuleFieldsProps) {
  const rules = listValidators(field)
  const flags = rules.filter(({ input }) => input === 'boolean')
  const others = rules.filter(({ input }) => input !== 'boolean')
  const setRule = (key: string, value: unknown) =>
    onChange({ ...field, rules: { ...field.rules, [key]: value } })
  const renderRule = (rule: Validator) => (
    <RuleField
      key={rule.key}
      rule={rule}
      isNumber={field.type === 'number'}
      name={`${at}.validation.${rule.key}`}
      value={field.rules[rule.key]}
      errors={errors}
      onChange={(value) => setRule(rule.key, value)}
    />
  )
  return (
    <fieldset className="fieldset">
      <legend>Rules</legend>
      <div className="schema-flags">{flags.map(renderRule)}</div>
      {others.length ? <div className="field-row">{others.map(renderRule)}</div> : null}
    </fieldset>
  )
}

interface RuleFieldProps {
  rule: Validator
  isNumber: boolean
  name: string
  value: unknown
  errors: FormErrors
  onChange(value: unknown): void
}

function RuleField({ rule, isNumber, name, value, errors, onChange }: RuleFieldProps) {
  const shared = { form: '', errors, name, label: words[rule.key] ?? rule.label }
  switch (rule.input) {
    case 'boolean':
      return (
        <CheckField
          {...shared}
          checked={value === true}
          onChange={(event) => onChange(event.target.checked ? true : undefined)}
        />
      )
    case 'number':
      return <NumberRule {...shared} value={value} onChange={onChange} />
    case 'array':
      return <ChoicesRule {...shared} value={value} isNumber={isNumber} onChange={onChange} />
    case 'date':
      return (
        <TextField
          {...shared}
          hint="In UTC, such as 2026-01-31T00:00:00Z"
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
        />
      )
    case 'day':
      return (
        <TextField
          {...shared}
          type="date"
          value={typeof value === 'string' ? (parseCalendarDay(value) ?? '') : ''}
          onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
        />
      )
    case 'text':
      return (
        <TextField
          {...shared}
          className="code"
          spellCheck={false}
          hint="Found anywhere in the text; ^ and $ stand for its ends."
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
        />
      )
  }
}

interface ParameterProps {
  form: string
  errors: FormErrors
  name: string
  label: string
  value: unknown
  onChange(value: unknown): void
}

/**
 * The typed text is kept as it is, as `-` and `1.` may become a number. Other text is passed on, to be
 * rejected.
 */
function NumberRule({ value, onChange, ...shared }: ParameterProps) {
  const [inputText, setInputText] = useState(value === undefined ? '' : String(value))
  return (
    <TextField
      {...shared}
      inputMode="decimal"
      value={inputText}
      onChange={(event) => {
        const text = event.target.value
        setInputText(text)
        const number = Number(text)
        onChange(text.trim() === '' ? undefined : Number.isFinite(number) ? number : text)
      }}
    />
  )
}

/** The allowed values, one per line. */
function ChoicesRule({ value, isNumber, onChange, ...shared }: ParameterProps & { isNumber: boolean }) {
  const [inputText, setInputText] = useState(Array.isArray(value) ? value.map(String).join('\n') : '')
  return (
    <TextArea
      {...shared}
      label="Only these values"
      hint="One a line. Forms offer them as a choice."
      rows={3}
      value={inputText}
      onChange={(event) => {
        setInputText(event.target.value)
        const lines = event.target.value
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean)
        const values = isNumber
          ? lines.map((line) => (Number.isNaN(Number(line)) ? line : Number(line)))
          : lines
        onChange(values.length ? values : undefined)
      }}
    />
  )
}

import { useState } from 'react'
import { RemoveButton } from './clause.tsx'
import { ConstantInput, useSuggestions } from './constant-input.tsx'
import { getShownOperator, type FilterRule } from './filter-model.ts'
import { isObject } from './json.ts'
import { operatorWords, useLanguage, type BuilderOperator } from './language.ts'
import { ValueEditor } from './value-editor.tsx'
import { constantFrom, isConstant } from './values.ts'

interface FilterRuleProps {
  rule: FilterRule
  onChange(rule: FilterRule): void
}

/** The editor of a rule: field, operator for its type, and operand. */
export function FilterRuleEditor({ rule, onChange }: FilterRuleProps) {
  const { fields, operators } = useLanguage()
  const field = fields.find(({ field }) => field === rule.field)
  const type = field?.type
  const isNull = rule.value === null && ['$eq', '$ne', '$is'].includes(rule.operator)
  const operator = getShownOperator(rule)
  const choice = isNull ? (rule.operator === '$ne' ? 'filled' : 'empty') : operator
  const fitting = operators.filter(({ types }) => type === undefined || types.includes(type))
  const choose = (key: string) => {
    if (key === 'empty') return onChange({ ...rule, operator: '$eq', value: null, isPlain: true })
    if (key === 'filled') return onChange({ ...rule, operator: '$ne', value: null, isPlain: false })
    const takes = operators.find((each) => each.key === key)?.takes
    onChange({ ...rule, operator: key, value: fit(rule.value, takes), isPlain: false })
  }
  const chooseField = (field: string) => {
    const next = fields.find((each) => each.field === field)?.type
    if (next === type) return onChange({ ...rule, field })
    const first = operators.find(({ types }) => next !== undefined && types.includes(next))
    if (!first) return onChange({ kind: 'rule', field, operator: '$ne', value: null, isPlain: false })
    onChange({ kind: 'rule', field, operator: first.key, value: fit('', first.takes), isPlain: false })
  }
  const name = field?.name ?? rule.field
  return (
    <div className="rule">
      <select aria-label="Field" value={rule.field} onChange={(event) => chooseField(event.target.value)}>
        {field ? null : <option value={rule.field}>{rule.field}</option>}
        {fields.map((each) => (
          <option key={each.field} value={each.field}>
            {each.name}
          </option>
        ))}
      </select>
      <select
        aria-label={`Condition on ${name}`}
        value={choice}
        onChange={(event) => choose(event.target.value)}
      >
        {fitting.map(({ key }) => (
          <option key={key} value={key}>
            {operatorWords(key, type)}
          </option>
        ))}
        {fitting.some(({ key }) => key === choice) || isNull ? null : (
          <option value={choice}>{operatorWords(choice, type)}</option>
        )}
        <option value="filled">has a value</option>
        <option value="empty">has no value</option>
      </select>
      {isNull ? null : (
        <Right
          rule={rule}
          type={type === 'array' ? field?.items?.type : type}
          takes={operators.find(({ key }) => key === operator)?.takes ?? 'value'}
          label={name}
          onChange={(value) => onChange({ ...rule, value })}
        />
      )}
    </div>
  )
}

/** The operand for a newly chosen operator, keeping as much of the previous one as fits. */
function fit(value: unknown, takes: BuilderOperator['takes'] | undefined): unknown {
  const single = Array.isArray(value) ? (value[0] as unknown) : value
  if (takes === 'list' || takes === 'items')
    return Array.isArray(value) ? value : isConstant(value) && value !== null && value !== '' ? [value] : []
  if (takes === 'pair') return Array.isArray(value) && value.length === 2 ? value : [single ?? '', '']
  if (takes === 'truth') return typeof single === 'boolean' ? single : true
  if (takes === 'pattern' || takes === 'patterns') return typeof single === 'string' ? single : ''
  return single ?? ''
}

interface RightProps {
  rule: FilterRule
  type: string | undefined
  takes: BuilderOperator['takes']
  label: string
  onChange(value: unknown): void
}

function Right({ rule, type, takes, label, onChange }: RightProps) {
  const { value, field } = rule
  const isPattern = takes === 'pattern' || takes === 'patterns'
  if (takes === 'list' || takes === 'items') {
    if (!Array.isArray(value) || !value.every(isConstant))
      return <code className="code">{JSON.stringify(value)}</code>
    return <ListInput values={value} path={field} type={type} label={label} onChange={onChange} />
  }
  if (takes === 'pair') {
    if (!Array.isArray(value) || value.length !== 2 || !value.every(isConstant))
      return <code className="code">{JSON.stringify(value)}</code>
    return (
      <div className="rule-pair">
        <ConstantInput
          value={value[0]}
          type={type}
          label={`${label} from`}
          onChange={(low) => onChange([low, value[1]])}
        />
        <ConstantInput
          value={value[1]}
          type={type}
          label={`${label} to`}
          onChange={(high) => onChange([value[0], high])}
        />
      </div>
    )
  }
  if (takes === 'truth' || isConstant(value)) {
    return (
      <div className="rule-right">
        <ConstantInput
          value={value}
          type={isPattern ? 'text' : type}
          label={`Value of ${label}`}
          onChange={onChange}
          {...(isPattern ? {} : { path: field })}
        />
        {takes === 'value' && type ? (
          <button type="button" className="button is-quiet is-small" onClick={() => onChange({ field })}>
            or a field
          </button>
        ) : null}
        {takes === 'patterns' ? <span className="muted">% stands for any text</span> : null}
      </div>
    )
  }
  if (isObject(value) && ('field' in value || 'function' in value))
    return (
      <ValueEditor value={value} types={type ? [type] : []} label={`Value of ${label}`} onChange={onChange} />
    )
  return <code className="code">{JSON.stringify(value)}</code>
}

interface ListInputProps {
  values: (string | number | boolean | null)[]
  path: string
  type: string | undefined
  label: string
  onChange(values: unknown[]): void
}

/** An input for several values: the chosen ones, and an input that adds one. */
function ListInput({ values, path, type, label, onChange }: ListInputProps) {
  const [text, setText] = useState('')
  const { list, onFocus, options } = useSuggestions(path)
  const add = (text: string) => {
    setText('')
    const value = constantFrom(text, type)
    if (text !== '' && !values.includes(value)) onChange([...values, value])
  }
  return (
    <div className="rule-list">
      {values.map((value, i) => (
        <span key={i} className="chip">
          {String(value)}
          <RemoveButton what={String(value)} onPress={() => onChange(values.toSpliced(i, 1))} />
        </span>
      ))}
      <input
        aria-label={`Add a value of ${label}`}
        placeholder="Add a value"
        value={text}
        list={list}
        onFocus={onFocus}
        onChange={(event) => {
          // Choosing a suggestion inserts it at once, typing letter by letter.
          const isChosen = (event.nativeEvent as InputEvent).inputType === 'insertReplacementText'
          if (isChosen) add(event.target.value)
          else setText(event.target.value)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add(text)
        }}
        onBlur={() => add(text)}
      />
      {options}
    </div>
  )
}

import { useHydrated } from '#app/client/use-hydrated.ts'
import { isObject } from '#app/components/builder/json.ts'
import { messagesAt, useLanguage } from '#app/components/builder/language.ts'
import { Messages } from '#app/components/builder/clause.tsx'
import { Arguments, buildInitialCall, ValueEditor } from '#app/components/builder/value-editor.tsx'
import { callIn, type BuilderFunctions } from '#app/components/builder/values.ts'
import { SelectField, TextArea, TextField } from '#app/components/form/field.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'
import { comparisonWords, type ObserverCondition } from '#app/components/observer/words.ts'
import { DraftField } from '#app/components/form/draft-field.tsx'

export interface ConditionEditorProps {
  condition: ObserverCondition
  onChange(condition: ObserverCondition): void
  errors: FormErrors | undefined
  /** The submitted value after an error, for pages without scripts. */
  formValues?: string | undefined
}

const operatorOptions = [
  ...Object.entries(comparisonWords).map(([value, words]) => ({ value, label: `A figure ${words} …` })),
  { value: 'change', label: 'A value changes' },
  { value: 'each', label: 'A record is new' },
]

/** The editor of an observer's condition, submitted as JSON under `condition`. Without scripts a JSON input. */
export function ConditionEditor({ condition, onChange, errors, formValues }: ConditionEditorProps) {
  const isHydrated = useHydrated()
  const language = useLanguage()
  const { functions } = language
  const json = JSON.stringify(condition)
  if (!isHydrated)
    return (
      <TextArea
        label="Condition"
        name="condition"
        hint='As JSON: {"operator": "gt", "aggregation": {"function": "count"}, "value": 5}. Operators: gt, gte, lt, lte, eq, change, each.'
        className="code"
        rows={3}
        spellCheck={false}
        defaultValue={formValues ?? json}
        errors={errors}
      />
    )
  const { operator, aggregation } = condition
  const isCompared = operator in comparisonWords
  const choose = (next: string) => {
    if (next === 'each') return onChange({ operator: next })
    const nextAggregation = aggregation ?? { function: 'count' }
    if (next === 'change') return onChange({ operator: next, aggregation: nextAggregation })
    onChange({ operator: next, aggregation: nextAggregation, value: condition.value ?? 0 })
  }
  return (
    <div className="stack is-tight">
      <DraftField
        name="condition"
        value={json}
        onRestore={(draftText) => onChange(JSON.parse(draftText) as ObserverCondition)}
      />
      <SelectField
        label="Give an alert when"
        name="condition.operator"
        form=""
        options={operatorOptions}
        value={operator}
        onChange={(event) => choose(event.target.value)}
        errors={errors}
      />
      {operator === 'each' ? null : (
        <div className="field" role="group" aria-label="The value it looks at">
          <span className="field-label">What it looks at</span>
          <AggregationEditor
            value={aggregation}
            functions={functions}
            isNumber={isCompared}
            onChange={(next) => onChange({ ...condition, aggregation: next })}
          />
          <Messages messages={messagesAt(errors?.issues ?? [], 'condition', 'aggregation')} />
        </div>
      )}
      {isCompared ? (
        <TextField
          label={`${comparisonWords[operator]?.replace(/^is/, 'Is') ?? ''} …`}
          name="condition.value"
          form=""
          type="number"
          step="any"
          required
          value={typeof condition.value === 'number' ? condition.value : ''}
          onChange={(event) =>
            onChange({ ...condition, value: event.target.value === '' ? null : Number(event.target.value) })
          }
          errors={errors}
        />
      ) : null}
    </div>
  )
}

interface AggregationProps {
  value: unknown
  functions: BuilderFunctions
  /** Whether it must be a number. */
  isNumber: boolean
  onChange(value: unknown): void
}

/** An aggregate function and its argument. Nested ones are edited as JSON. */
function AggregationEditor({ value, functions, isNumber, onChange }: AggregationProps) {
  const language = useLanguage()
  const functionCall = callIn(value)
  const functionOptions = Object.entries(functions).filter(
    ([, each]) =>
      each.aggregate &&
      (!isNumber || each.returns.static === undefined || each.returns.static.type === 'number'),
  )
  const isPlain = functionCall !== null && functions[functionCall.name]?.aggregate === true
  if (!isPlain && isObject(value))
    return (
      <ValueEditor
        value={value}
        types={isNumber ? ['number'] : []}
        label="Value"
        mayAggregate
        mayBeConstant={false}
        onChange={onChange}
      />
    )
  return (
    <div className="value-editor">
      <select
        aria-label="Function"
        value={functionCall?.name ?? ''}
        onChange={(event) =>
          onChange(buildInitialCall(event.target.value, language, functionCall?.args ?? []))
        }
      >
        {functionOptions.some(([key]) => key === functionCall?.name) ? null : (
          <option value={functionCall?.name ?? ''}>
            {(functionCall && functions[functionCall.name]?.name) ?? functionCall?.name ?? 'Choose'}
          </option>
        )}
        {functionOptions.map(([key, { name }]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
      {functionCall ? (
        <Arguments call={functionCall} onChange={onChange} mayAggregate={false} label="Value" />
      ) : null}
    </div>
  )
}

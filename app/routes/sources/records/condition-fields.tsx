import { Link, useLocation } from '@remix-run/react'
import { X } from 'lucide-react'
import { useState } from 'react'
import { useHydrated } from '#app/client/use-hydrated.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import {
  conditionOperatorLabel,
  operatorsForType,
  maxConditions,
  takesValue,
  withoutCondition,
  type Condition,
  type ConditionOperator,
} from './condition.ts'

export interface ConditionFieldsProps {
  schema: FieldSchema
  conditions: Condition[]
}

/**
 * The field conditions in a GET form, and inputs for one more. Without scripts each has all operators and
 * both values.
 */
export function ConditionFields({ schema, conditions }: ConditionFieldsProps) {
  const { search } = useLocation()
  return (
    <>
      {conditions.map((condition, i) => (
        <ConditionRow
          key={i}
          {...{ schema, condition }}
          number={i + 1}
          without={withoutCondition(search, conditions, i)}
        />
      ))}
      {conditions.length < maxConditions ? (
        <ConditionRow schema={schema} condition={null} number={conditions.length + 1} without={null} />
      ) : null}
    </>
  )
}

interface ConditionRowProps {
  schema: FieldSchema
  condition: Condition | null
  number: number
  /** The URL without this condition; null for the row of a new one. */
  without: string | null
}

function ConditionRow({ schema, condition, number, without }: ConditionRowProps) {
  const [where, setWhere] = useState(condition?.where ?? '')
  const [how, setHow] = useState<ConditionOperator>(condition?.how ?? 'is')
  const isHydrated = useHydrated()
  const type = schema[where]?.type
  // Without scripts the field can change, but the operators cannot follow it.
  const operators = operatorsForType(isHydrated ? type : undefined)
  const current = operators.find((each) => each === how) ?? operators[0] ?? 'is'
  const isKnown = where !== ''
  const valueClass = (isNeeded: boolean) => (isNeeded ? 'is-value' : 'is-value is-unchosen')
  // A date and time does not fit a date input: it stays as text, unchanged.
  const isMoment = condition !== null && condition.is.length > 10
  const value = {
    type: type === 'date' && !isMoment ? 'date' : 'text',
    inputMode: type === 'number' ? ('decimal' as const) : undefined,
  }
  return (
    <div className="condition" role="group" aria-label={`Condition ${number}`}>
      <select
        name="where"
        aria-label="Only records whose"
        value={where}
        onChange={(event) => setWhere(event.currentTarget.value)}
      >
        <option value="">{without === null ? 'Any field' : 'Any field (remove)'}</option>
        {Object.entries(schema).map(([key, field]) => (
          <option key={key} value={key}>
            {field.name}
          </option>
        ))}
      </select>
      <select
        name="how"
        aria-label="How"
        className={isKnown ? undefined : 'is-unchosen'}
        value={current}
        onChange={(event) => setHow(event.currentTarget.value as ConditionOperator)}
      >
        {operators.map((each) => (
          <option key={each} value={each}>
            {conditionOperatorLabel(each, type)}
          </option>
        ))}
      </select>
      <input
        name="is"
        aria-label={current === 'between' ? 'From' : 'Value'}
        placeholder={current === 'between' ? 'from' : 'value'}
        defaultValue={condition?.is}
        className={valueClass(isKnown && takesValue(current))}
        {...value}
      />
      <input
        name="to"
        aria-label="To"
        placeholder="to"
        defaultValue={condition?.to}
        className={valueClass(isKnown && current === 'between')}
        {...value}
      />
      {without === null ? null : (
        <Link
          to={without}
          preventScrollReset
          className="button is-quiet is-icon is-small"
          aria-label={`Remove condition ${number}`}
          title="Remove"
        >
          <X size={16} aria-hidden="true" />
        </Link>
      )}
    </div>
  )
}

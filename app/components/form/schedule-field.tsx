import { useState } from 'react'
import { useHydrated } from '#app/client/use-hydrated.ts'
import { SelectField, TextField } from './field.tsx'
import { useField } from './form-fields.ts'
import type { FormErrors } from './issues.ts'
import {
  parseSchedule,
  changePlan,
  toSchedule,
  describeSchedule,
  formatTime,
  weekdays,
  type Plan,
} from './schedule.ts'
import { DraftField } from './draft-field.tsx'

interface ScheduleFieldProps {
  label: string
  name: string
  /** `onData`, or five fields of cron. */
  value: string
  /** Whether "when the data change" is offered. */
  hasOnData: boolean
  /** The time zone of the times. */
  timeZone: string
  errors?: FormErrors | undefined
  onChange?(schedule: string): void
}

const kinds: Record<Plan['every'], string> = {
  onData: 'Whenever the data change',
  hour: 'Every hour',
  day: 'Every day',
  weekday: 'Monday to Friday',
  week: 'Every week',
  month: 'Every month',
  custom: 'By cron',
}

/** A schedule as a choice in words, submitted as cron. Without scripts a text input for cron. */
export function ScheduleField(props: ScheduleFieldProps) {
  const { label, name, value, hasOnData, timeZone, errors, onChange } = props
  const [plan, setPlan] = useState(() => parseSchedule(value))
  const isHydrated = useHydrated()
  const also = hasOnData ? ' onData: whenever the data change.' : ''
  if (!isHydrated)
    return (
      <TextField
        label={label}
        name={name}
        hint={`Five fields of cron: minute, hour, day, month, weekday, in ${timeZone}.${also}`}
        className="code"
        maxLength={100}
        defaultValue={value}
        errors={errors}
      />
    )
  const applyPlan = (next: Plan) => {
    setPlan(next)
    onChange?.(toSchedule(next))
  }
  const choices = Object.entries(kinds).filter(([every]) => hasOnData || every !== 'onData')
  return (
    <div className="stack is-tight">
      <DraftField name={name} value={toSchedule(plan)} onRestore={(text) => applyPlan(parseSchedule(text))} />
      <div className="field-row">
        <SelectField
          label={label}
          name={`${name}.every`}
          form=""
          options={choices.map(([every, text]) => ({ value: every, label: text }))}
          value={plan.every}
          onChange={(event) => applyPlan(changePlan(event.target.value as Plan['every'], plan))}
        />
        <PlanFields {...{ plan, name, errors }} onChange={applyPlan} />
      </div>
      {plan.every === 'onData' ? null : (
        <p className="field-hint" role="status">
          {sentence(toSchedule(plan), timeZone)}
        </p>
      )}
      {plan.every === 'custom' ? null : <ScheduleErrors errors={errors} name={name} />}
    </div>
  )
}

interface PlanFieldsProps {
  plan: Plan
  name: string
  errors: FormErrors | undefined
  onChange(plan: Plan): void
}

/** The inputs of a plan besides its frequency: day, time, or the cron expression. */
function PlanFields({ plan, name, errors, onChange }: PlanFieldsProps) {
  return (
    <>
      {plan.every === 'week' ? (
        <SelectField
          label="Day"
          name={`${name}.weekday`}
          form=""
          options={weekdays.map((day, i) => ({ value: String(i), label: day }))}
          value={String(plan.weekday)}
          onChange={(event) => onChange({ ...plan, weekday: Number(event.target.value) })}
        />
      ) : null}
      {plan.every === 'month' ? (
        <SelectField
          label="Day of the month"
          name={`${name}.day`}
          form=""
          options={Array.from({ length: 31 }, (_, i) => ({ value: String(i + 1), label: String(i + 1) }))}
          value={String(plan.day)}
          onChange={(event) => onChange({ ...plan, day: Number(event.target.value) })}
        />
      ) : null}
      {'hour' in plan ? (
        <TextField
          label="At"
          name={`${name}.time`}
          form=""
          type="time"
          value={formatTime(plan)}
          onChange={(event) => {
            const [hour, minute] = event.target.value.split(':').map(Number)
            if (hour !== undefined && minute !== undefined) onChange({ ...plan, hour, minute })
          }}
        />
      ) : null}
      {plan.every === 'hour' ? (
        <TextField
          label="Minutes past"
          name={`${name}.minute`}
          form=""
          type="number"
          min={0}
          max={59}
          value={plan.minute}
          onChange={(event) =>
            onChange({ ...plan, minute: Math.min(59, Math.max(0, Math.floor(Number(event.target.value)))) })
          }
        />
      ) : null}
      {plan.every === 'custom' ? (
        <TextField
          label="Cron"
          name={name}
          form=""
          hint="Minute, hour, day, month, weekday"
          className="code"
          maxLength={100}
          value={plan.cron}
          onChange={(event) => onChange({ every: 'custom', cron: event.target.value })}
          errors={errors}
        />
      ) : null}
    </>
  )
}

function ScheduleErrors({ errors, name }: { errors: FormErrors | undefined; name: string }) {
  const { error } = useField(name, errors)
  return error ? <p className="field-error">{error}</p> : null
}

function sentence(schedule: string, timeZone: string): string {
  const words = describeSchedule(schedule, timeZone)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

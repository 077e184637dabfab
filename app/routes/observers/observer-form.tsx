import { useState } from 'react'
import { FilteredData, FilterField, type FilterLanguage } from '#app/components/query/filter-field.tsx'
import { CheckField, SelectField, TextArea, TextField } from '#app/components/form/field.tsx'
import { EditForm, useSentForm, type SentForm } from '#app/components/form/edit-form.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'
import { ScheduleField } from '#app/components/form/schedule-field.tsx'
import { ConditionEditor } from './condition-editor.tsx'
import { RecipientFields, type RecipientFieldsProps } from './recipient-fields.tsx'
import { WatchPreview } from '#app/components/observer/watch-preview.tsx'
import { durationWords, type ObserverCondition } from '#app/components/observer/words.ts'

/** An observer in its form. */
export interface ObserverValues {
  /** Absent for a new one. */
  id?: string
  name: string
  notes: string
  sourceId: string | null
  filters: unknown
  condition: ObserverCondition
  schedule: string
  cooldown: string | null
  channels: readonly string[]
  recipients: readonly string[]
  webhookUrl: string | null
  enabled: boolean
  version?: number
}

export interface ObserverFormProps {
  observer: ObserverValues
  data: { placeId: string; dataTypeId: string; sources: { id: string; name: string }[] }
  language: FilterLanguage
  people: RecipientFieldsProps['people']
  timeZone: string
  save: { intent: string; label: string; doing: string }
  cancelUrl: string
}

const names = [
  ...['name', 'notes', 'sourceId', 'filters', 'schedule', 'cooldown', 'recipients', 'webhookUrl'],
  ...['condition', 'condition.operator', 'condition.value', 'condition.aggregation'],
]
const cooldowns = ['PT15M', 'PT1H', 'PT6H', 'P1D', 'P7D']

/** The current form values that determine the preview. */
function useWatched(observer: ObserverValues, formValues: SentForm['formValues']) {
  const [sourceId, setSourceId] = useState(formValues?.sourceId ?? observer.sourceId ?? '')
  const [filters, setFilters] = useState(observer.filters)
  const [condition, setCondition] = useState(observer.condition)
  return { sourceId, setSourceId, filters, setFilters, condition, setCondition }
}

/** The form of an observer: data, condition, and recipients. */
export function ObserverForm(props: ObserverFormProps) {
  const { observer, data, language, save, cancelUrl } = props
  const { errors, formValues } = useSentForm(save.intent)
  const watchedData = useWatched(observer, formValues)
  const { sourceId, filters, condition } = watchedData
  return (
    <FilteredData
      language={language}
      placeId={data.placeId}
      dataTypeId={data.dataTypeId}
      sourceId={sourceId || null}
      errors={errors}
    >
      <EditForm
        thing={`observer/${observer.id ?? `new of ${data.dataTypeId}`}`}
        title={observer.name || 'A new observer'}
        version={observer.version ?? null}
        className="observer-form"
        names={names}
        saved={{ ...observer, sourceId: undefined, filters: undefined, cooldown: observer.cooldown ?? '' }}
        save={save}
        cancel={{ to: cancelUrl }}
        place={moveToInputs}
        aside={
          <aside className="observer-aside" aria-label="What it would see now">
            <WatchPreview
              previewRequest={{
                sourceId,
                filters: filters ? JSON.stringify(filters) : '',
                condition: JSON.stringify(condition),
              }}
              condition={condition}
              names={language}
            />
          </aside>
        }
      >
        <WatchedFields {...props} {...{ watchedData, errors, formValues }} />
        <AlertFields {...props} {...{ errors, formValues }} />
      </EditForm>
    </FilteredData>
  )
}

interface WatchedFieldsProps extends ObserverFormProps, SentForm {
  watchedData: ReturnType<typeof useWatched>
}

/** Name, watched records and condition. */
function WatchedFields({ data, errors, formValues, watchedData }: WatchedFieldsProps) {
  const { sourceId, setSourceId, filters, setFilters, condition, setCondition } = watchedData
  return (
    <>
      <TextField label="Name" name="name" hint="Its alerts begin with it." required maxLength={200} />
      <SelectField
        label="Watches"
        name="sourceId"
        options={[
          { value: '', label: 'All sources of this type here' },
          ...data.sources.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={sourceId}
        onChange={(event) => setSourceId(event.target.value)}
      />
      <FilterField
        label="Only records where"
        filters={filters}
        formValues={formValues?.filters}
        errors={errors}
        onChange={setFilters}
      />
      <ConditionEditor
        condition={condition}
        formValues={formValues?.condition}
        errors={errors}
        onChange={setCondition}
      />
    </>
  )
}

/** Schedule, cooldown, recipients, and notes. */
function AlertFields({ observer, people, timeZone, errors, formValues }: ObserverFormProps & SentForm) {
  const isPreset = cooldowns.includes(observer.cooldown ?? 'PT15M')
  const cooldownOptions = isPreset ? cooldowns : [...cooldowns, observer.cooldown ?? '']
  return (
    <>
      <ScheduleField
        label="Looks"
        name="schedule"
        value={formValues?.schedule ?? observer.schedule}
        hasOnData
        timeZone={timeZone}
        errors={errors}
      />
      <SelectField
        label="After an alert"
        name="cooldown"
        hint="A crossing in this time is told when it is over, if it still holds."
        options={[
          { value: '', label: 'Tell the next one at once' },
          ...cooldownOptions.map((each) => ({ value: each, label: `Wait ${durationWords(each)}` })),
        ]}
      />
      <RecipientFields people={people} value={observer} errors={errors} />
      <CheckField
        label="It is on"
        name="enabled"
        value="yes"
        defaultChecked={observer.enabled}
        hint="Off, it looks at nothing and keeps its alerts."
      />
      <TextArea
        label="Notes"
        name="notes"
        hint="Why it is watched, and what to do about an alert."
        rows={3}
        maxLength={10_000}
      />
    </>
  )
}

/** Maps issues within a filter or aggregation to their input; the editors show the details. */
const moveToInputs = (errors: FormErrors): FormErrors => ({
  ...errors,
  issues: errors.issues.map((issue) =>
    issue.path[0] === 'filters' || issue.path[0] === 'recipients'
      ? { ...issue, path: [issue.path[0]] }
      : issue.path[1] === 'aggregation'
        ? { ...issue, path: ['condition', 'aggregation'] }
        : issue,
  ),
})

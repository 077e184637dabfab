import { fieldTypes, precisions, type FieldType, type Precision } from '#functions/shapes/field.ts'
import { findMeasurements } from '#functions/shapes/fields/measurements.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { CheckField, SelectField, TextArea, TextField } from '#app/components/form/field.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'
import { innermost, renameField, retypeField, type FieldDraft } from '#app/components/schema/draft.ts'
import { KnowledgeFields } from './knowledge-fields.tsx'
import { RegionFields } from './region-fields.tsx'
import { RuleFields } from './rule-fields.tsx'

export interface FieldFormProps {
  field: FieldDraft
  /** The path of the field in the document. */
  path: string[]
  issues: Issue[]
  /** Whether it is a field of the record itself: only those have map labels. */
  isTop: boolean
  /** Whether it is the item type of a list: such a field has no key. */
  isItem?: boolean
  /** The fields on the same level. */
  beside?: readonly FieldDraft[]
  onChange(field: FieldDraft): void
  /** Opens the nested fields of a map or of a list of maps. */
  onOpen(): void
  onRemove?(): void
}

const precisionLabels: Record<Precision, string> = {
  second: 'To the second: a moment',
  minute: 'To the minute: a moment',
  day: 'To the day: a calendar date',
  month: 'To the month: a calendar date',
  year: 'To the year: a calendar date',
}

const typeOptions = Object.entries(fieldTypes).map(([value, label]) => ({ value, label }))

/** The form of a field. Its inputs belong to no HTML form: they are submitted together as one document. */
export function FieldForm(props: FieldFormProps) {
  const { field, path, issues, isTop, isItem = false, onChange, onOpen, onRemove } = props
  const at = path.join('.')
  const errors: FormErrors = { ok: false, message: '', issues }
  const shared = { form: '', errors }
  return (
    <div className="form schema-field">
      <NamingFields {...{ field, at, errors, isItem, onChange }} />
      <Issues issues={issues} paths={[at, ...(isItem ? [] : [`${at}.validation`])]} />
      <TextArea
        {...shared}
        label="Notes"
        name={`${at}.notes`}
        hint="What the values mean and how they come about."
        rows={2}
        maxLength={2048}
        value={field.notes}
        onChange={(event) => onChange({ ...field, notes: event.target.value })}
      />
      {field.type === 'date' ? (
        <SelectField
          {...shared}
          label="How exact"
          name={`${at}.precision`}
          hint="A day, month or year is a date on the calendar: no time zone moves it."
          options={precisions.map((value) => ({ value, label: precisionLabels[value] }))}
          value={field.precision ?? 'second'}
          onChange={(event) => onChange({ ...field, precision: event.target.value as Precision })}
        />
      ) : null}
      <MeasurementField {...{ field, at, errors, onChange }} />
      <KnowledgeFields {...{ field, at, errors, onChange }} />
      {isTop && !isItem ? (
        <TextField
          {...shared}
          label="Label on maps"
          name={`mappingLabelSchema.${field.key}`}
          hint="Maps show the field under this name. Empty: they do not show it."
          maxLength={200}
          value={field.label}
          onChange={(event) => onChange({ ...field, label: event.target.value })}
        />
      ) : null}
      {field.type === 'text' ? (
        <CheckField
          {...shared}
          label="Searching records looks into it"
          name={`${at}.search`}
          checked={field.isSearched}
          onChange={(event) => onChange({ ...field, isSearched: event.target.checked })}
        />
      ) : null}
      {field.type === 'text' && isTop && !isItem ? (
        <RegionFields {...{ field, at, errors, onChange }} beside={props.beside ?? []} />
      ) : null}
      {field.regionOf && field.type === 'text' ? null : <RuleFields {...{ field, at, errors, onChange }} />}
      <ItemsField {...props} />
      {field.type === 'object' ? (
        <div>
          <button type="button" className="button" onClick={onOpen}>
            Open its fields ({innermost(field).fields.length})
          </button>
        </div>
      ) : null}
      {onRemove ? (
        <div>
          <button type="button" className="button is-small is-danger" onClick={onRemove}>
            Remove the field
          </button>
        </div>
      ) : null}
    </div>
  )
}

/** The inputs for name, key and type. */
function NamingFields({ field, at, errors, isItem, onChange }: PartProps & { isItem: boolean }) {
  const shared = { form: '', errors }
  return (
    <div className="field-row">
      <TextField
        {...shared}
        label="Name"
        name={`${at}.name`}
        maxLength={128}
        autoFocus={field.name === '' && !isItem}
        value={field.name}
        onChange={(event) => onChange(renameField(field, event.target.value))}
      />
      {isItem ? null : (
        <TextField
          {...shared}
          label="Key"
          name={`${at}.key`}
          {...(field.was !== null && field.was !== field.key
            ? { hint: `Was ${field.was}. What names it is rewritten.` }
            : {})}
          className="code"
          maxLength={128}
          spellCheck={false}
          value={field.key}
          onChange={(event) => onChange({ ...field, key: event.target.value.trim(), isKeyMade: false })}
        />
      )}
      <SelectField
        {...shared}
        label="Type"
        name={`${at}.type`}
        options={typeOptions}
        value={field.type}
        onChange={(event) => onChange(retypeField(field, event.target.value as FieldType))}
      />
    </div>
  )
}

/** The form for the items of a list: a field without a key. */
function ItemsField({ field, path, issues, onChange, onOpen }: FieldFormProps) {
  if (field.type !== 'array' || !field.items) return null
  return (
    <fieldset className="fieldset">
      <legend>Each item</legend>
      <FieldForm
        field={field.items}
        path={[...path, 'items']}
        issues={issues}
        isTop={false}
        isItem
        onChange={(items) => onChange({ ...field, items })}
        onOpen={onOpen}
      />
    </fieldset>
  )
}

/** Issues of the field as a whole, which have no input. */
function Issues({ issues, paths }: { issues: Issue[]; paths: string[] }) {
  const lines = issues.filter(({ path }) => paths.includes(path.join('.'))).map(({ message }) => message)
  return [...new Set(lines)].map((line) => (
    <p key={line} className="field-error">
      {line}
    </p>
  ))
}

interface PartProps {
  field: FieldDraft
  at: string
  errors: FormErrors
  onChange(field: FieldDraft): void
}

/** The measurement and unit of a number, or the bucket of a date. */
function MeasurementField({ field, at, errors, onChange }: PartProps) {
  const kinds = findMeasurements(field.type)
  if (!kinds) return null
  const { measurement } = field
  const units = measurement ? (kinds[measurement.type]?.values ?? {}) : {}
  const name = `${at}.measurement`
  return (
    <div className="field-row">
      <SelectField
        form=""
        errors={errors}
        label="Measures"
        name={`${name}.type`}
        options={[
          { value: '', label: 'Nothing in particular' },
          ...Object.entries(kinds).map(([value, { label }]) => ({ value, label })),
        ]}
        value={measurement && kinds[measurement.type] ? measurement.type : ''}
        onChange={(event) => {
          const type = event.target.value
          const [unit] = Object.keys(kinds[type]?.values ?? {})
          onChange({ ...field, measurement: type && unit ? { type, value: unit } : null })
        }}
      />
      {measurement && kinds[measurement.type] ? (
        <SelectField
          form=""
          errors={errors}
          label="Unit"
          name={`${name}.value`}
          options={Object.entries(units).map(([value, label]) => ({ value, label }))}
          value={measurement.value}
          onChange={(event) =>
            onChange({ ...field, measurement: { ...measurement, value: event.target.value } })
          }
        />
      ) : null}
    </div>
  )
}

import type { Field, FieldSchema } from '#functions/shapes/field.ts'
import type { FormErrors } from '../form/issues.ts'
import { RecordInput } from './record-input.tsx'

interface RecordFormProps {
  schema: FieldSchema
  /** By field key; missing keys have no value. */
  record: Record<string, unknown>
  /** Issues by the path of their field. */
  errors: FormErrors | undefined
  onChange(record: Record<string, unknown>): void
  /** The path of the record within a larger one. */
  path?: string[]
}

/** The inputs of a record, one per field in schema order, with their errors. They belong to no form. */
export function RecordForm({ schema, record, errors, onChange, path = [] }: RecordFormProps) {
  return (
    <div className="form">
      {Object.entries(schema).map(([key, field]) => {
        const at = [...path, key]
        const changeMember = (value: unknown) =>
          onChange(
            value === undefined
              ? Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))
              : { ...record, [key]: value },
          )
        if (field.type === 'object' && field.schema)
          return (
            <fieldset key={key} className="fieldset">
              <legend>{getFieldLabel(field)}</legend>
              {field.notes ? <p className="field-hint">{field.notes}</p> : null}
              <RecordForm
                schema={field.schema}
                record={asRecord(record[key])}
                errors={errors}
                onChange={changeMember}
                path={at}
              />
            </fieldset>
          )
        return (
          <RecordInput
            // A change of type remounts the input with the value in the new format.
            key={`${key}:${field.type}`}
            field={field}
            label={getFieldLabel(field)}
            name={at.join('.')}
            value={record[key]}
            errors={errors}
            onChange={changeMember}
          />
        )
      })}
    </div>
  )
}

const asRecord = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}

function getFieldLabel({ name, validation }: Field): string {
  return validation?.required === true ? `${name} *` : name
}

import { useState } from 'react'
import { isObject } from '#app/components/builder/json.ts'
import { fieldTypes, type Field, type FieldSchema } from '#functions/shapes/field.ts'
import type { TypeDocument } from '#app/components/schema/draft.ts'

export interface SchemaJsonProps {
  document: TypeDocument
  onChange(document: TypeDocument): void
}

/** The fields as JSON of the API, to copy or edit. */
export function SchemaJson({ document, onChange }: SchemaJsonProps) {
  const [inputText, setInputText] = useState<string | null>(null)
  const problem = inputText === null ? null : read(inputText).problem
  return (
    <details className="disclosure">
      <summary>The fields as JSON</summary>
      <label className="field">
        <span className="field-hint">
          Another key here is another field: to keep values under a new key, change it in the editor.
        </span>
        <textarea
          className="code"
          form=""
          rows={16}
          spellCheck={false}
          aria-invalid={problem ? true : undefined}
          value={inputText ?? JSON.stringify(document, null, 2)}
          onFocus={(event) => setInputText(event.target.value)}
          onBlur={() => problem === null && setInputText(null)}
          onChange={(event) => {
            setInputText(event.target.value)
            const { document: next } = read(event.target.value)
            if (next) onChange(next)
          }}
        />
        {problem ? (
          <span className="field-error" role="status">
            {problem}
          </span>
        ) : null}
      </label>
    </details>
  )
}

/** Parses a document, or says why it is invalid. Rejects what the editor cannot display. */
function read(text: string): { document?: TypeDocument; problem: string | null } {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return { problem: `Not valid JSON: ${error instanceof Error ? error.message : ''}` }
  }
  if (!isObject(json) || !isSchema(json.schema))
    return { problem: 'It has a `schema` of fields by key, each with a `name` and a `type`.' }
  const { schema, temporal, mappingLabelSchema: labels } = json
  const primary = isObject(temporal) && typeof temporal.primary === 'string' ? temporal.primary : null
  const hasLabels = isObject(labels) && Object.values(labels).every((label) => typeof label === 'string')
  return {
    problem: null,
    document: {
      schema,
      temporal: primary === null ? null : { primary },
      mappingLabelSchema: hasLabels ? (labels as Record<string, string>) : null,
    },
  }
}

function isSchema(value: unknown): value is FieldSchema {
  return isObject(value) && Object.values(value).every(isField)
}

function isField(value: unknown): value is Field {
  if (!isObject(value) || typeof value.name !== 'string') return false
  if (typeof value.type !== 'string' || !Object.hasOwn(fieldTypes, value.type)) return false
  const { notes, items, schema, validation, measurement, unit, values } = value
  return (
    (notes === undefined || typeof notes === 'string') &&
    (items === undefined || isField(items)) &&
    (schema === undefined || isSchema(schema)) &&
    (validation === undefined || isObject(validation)) &&
    (measurement === undefined || isObject(measurement)) &&
    (unit === undefined || typeof unit === 'string') &&
    (values === undefined || (Array.isArray(values) && values.every(isObject)))
  )
}

import { useMemo, useState } from 'react'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { recordChecker } from '#functions/shapes/fields/record.ts'
import { CopyButton } from '#app/components/form/copy-button.tsx'
import { messageWords } from '#app/components/form/message-words.ts'
import { buildExampleRecord } from './example.ts'
import { RecordForm } from '#app/components/schema/record-form.tsx'

export interface LiveExampleProps {
  schema: FieldSchema
  /** Whether the schema is valid: records cannot be validated against an invalid one. */
  canBeTried: boolean
}

/**
 * An example record as JSON for programs, and as the form that people fill in, validated by the rules of the
 * API.
 */
export function LiveExample({ schema, canBeTried }: LiveExampleProps) {
  const [editedRecord, setEditedRecord] = useState<Record<string, unknown> | null>(null)
  const example = useMemo(() => buildExampleRecord(schema), [schema])
  const check = useMemo(() => (canBeTried ? recordChecker(schema) : null), [schema, canBeTried])
  if (Object.keys(schema).length === 0 || !check) return null
  const record = editedRecord ?? example
  const issues = check(record).map((issue) => ({ ...issue, message: messageWords(issue.message) }))
  const json = JSON.stringify(record, null, 2)
  return (
    <section className="stack" aria-labelledby="example">
      <div className="card-head is-bare">
        <h2 id="example" className="card-title">
          An example record
        </h2>
        <span role="status" className={issues.length ? 'badge is-warning' : 'badge is-success'}>
          {issues.length ? `${issues.length} not accepted` : 'Accepted'}
        </span>
        {editedRecord ? (
          <button type="button" className="button is-small is-quiet" onClick={() => setEditedRecord(null)}>
            Start over
          </button>
        ) : null}
      </div>
      <div className="schema-example">
        <RecordForm
          schema={schema}
          record={record}
          errors={{ ok: false, message: '', issues }}
          onChange={setEditedRecord}
        />
        <div className="stack">
          <pre className="code schema-json" tabIndex={0} aria-label="The record as JSON">
            <code>{json}</code>
          </pre>
          <CopyButton text={json} what="the record" />
        </div>
      </div>
    </section>
  )
}

import { Link } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { useHydrated } from '#app/client/use-hydrated.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { EditForm, useSentForm } from '#app/components/form/edit-form.tsx'
import { TextArea } from '#app/components/form/field.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { Moment } from '#app/components/list/time.tsx'
import { RecordForm } from '#app/components/schema/record-form.tsx'
import { DraftField } from '#app/components/form/draft-field.tsx'

export interface RecordPanelProps {
  schema: FieldSchema
  /** Null for a new record. */
  record: {
    id: string
    externalId: string
    createdAt: string | Date
    updatedAt: string | Date
    data: Record<string, unknown>
  } | null
  mayWrite: boolean
  mayDelete: boolean
  /** The URL with the panel closed. */
  closed: string
}

/** One record with all of its fields: to view, edit, delete, or create. */
export function RecordPanel(props: RecordPanelProps) {
  const { schema, record, mayWrite, closed } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="card record-panel" aria-labelledby="record-title">
      <div className="card-head">
        <h2 id="record-title" className="card-title" tabIndex={-1} ref={heading}>
          {record ? `Record ${record.externalId}` : 'New record'}
        </h2>
        <Link className="button is-small" to={closed} preventScrollReset>
          Close
        </Link>
      </div>
      <div className="card-body stack">
        {record ? (
          <Facts
            facts={[
              ['Added', <Moment key="added" date={record.createdAt} />],
              ['Last changed', <Moment key="changed" date={record.updatedAt} />],
            ]}
          />
        ) : null}
        {mayWrite ? (
          <RecordEditor {...props} />
        ) : (
          <Facts
            facts={Object.entries(schema).map(([key, { name }]) => [name, valueText(record?.data[key])])}
          />
        )}
      </div>
    </section>
  )
}

/** The form of a record; without scripts a text area with JSON. */
function RecordEditor({ schema, record, mayDelete, closed }: RecordPanelProps) {
  const [data, setData] = useState(record?.data ?? {})
  // A changed key remounts the inputs, as they read the record only at first.
  const [restored, setRestored] = useState(0)
  const isHydrated = useHydrated()
  const intent = record ? 'saveRecord' : 'addRecord'
  const { errors } = useSentForm(intent, 'deleteRecord')
  return (
    <EditForm
      thing={`record/${record?.id ?? `new ${closed.replace(/\?.*/, '')}`}`}
      title={record ? `Record ${record.externalId}` : 'A new record'}
      isRepeated={record !== null}
      className="stack"
      preventScrollReset
      names={listInputNames(schema)}
      save={{ intent, label: record ? 'Save the record' : 'Add the record', doing: 'Saving…' }}
      intents={['deleteRecord']}
      more={
        record && mayDelete ? (
          <ConfirmButton
            intent="deleteRecord"
            className="button is-danger"
            question={`Delete record ${record.externalId}?`}
            text="It is gone from the source, from charts and from exports. The next import may bring it back."
            answer="Delete"
          >
            Delete
          </ConfirmButton>
        ) : null
      }
    >
      {isHydrated ? (
        <>
          <RecordForm schema={schema} record={data} errors={errors} onChange={setData} key={restored} />
          <DraftField
            name="record"
            value={JSON.stringify(data)}
            onRestore={(keptText) => {
              setData(JSON.parse(keptText) as Record<string, unknown>)
              setRestored((n) => n + 1)
            }}
          />
        </>
      ) : (
        <TextArea
          label="The record as JSON"
          name="record"
          className="code"
          rows={12}
          defaultValue={JSON.stringify(data, null, 2)}
        />
      )}
    </EditForm>
  )
}

const valueText = (value: unknown) =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value)

/** The names of all inputs, so that other errors are shown above the form. */
function listInputNames(schema: FieldSchema, at = ''): string[] {
  return Object.entries(schema).flatMap(([key, field]) => [
    `${at}${key}`,
    ...(field.schema ? listInputNames(field.schema, `${at}${key}.`) : []),
  ])
}

import { useLoaderData } from '@remix-run/react'
import { FieldFactsList } from '#app/components/records/field-facts.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { fieldsScreen } from './source.server.ts'

/** The statistics of a source's fields. */
export const loader = fieldsScreen

export default function SourceFields() {
  const { fields, count } = useLoaderData<typeof loader>()
  if (!count)
    return (
      <EmptyState
        level={2}
        title="No records yet"
        text="Once there are some, each field is described here."
      />
    )
  return (
    <section className="stack" aria-labelledby="values">
      <h2 id="values" className="sr-only">
        Fields
      </h2>
      <FieldFactsList facts={fields} hasRecords />
    </section>
  )
}

import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { unitOf } from '#app/charts/format.ts'
import { DataTable } from '#app/components/hub/data-table.tsx'
import { VisibilityBadge, type Visibility } from '#app/components/list/badges.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { recordTable } from '#app/components/list/record-table.ts'
import { Count, Day } from '#app/components/list/time.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { load } from '#app/server/load.server.ts'
import { readingOf } from '#app/server/reading.server.ts'
import { guard } from '#app/server/session.server.ts'
import { fieldTypes, type Field, type FieldSchema } from '#functions/shapes/field.ts'
import { v1 } from '#functions/v1/index.ts'

interface SourceRow {
  id: string
  name: string
  visibility: Visibility
  count: number
}

const sampleSize = 5

/** What records of a type are made of, who keeps some, and a few of them. */
export async function loader(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'withPlace')
  const sourcesHere = { resource: 'sources', filters: { placeId }, limit: 100 }
  const [reading, { dataType, sample }] = await Promise.all([
    readingOf(args),
    load(args, {
      dataType: { endpoint: v1.dataType.findById, options: { includes: [sourcesHere] } },
      sample: { endpoint: v1.place.dataType.datum.find, options: { limit: sampleSize } },
    }),
  ])
  const schema = dataType.schema as unknown as FieldSchema
  return {
    dataType: {
      id: dataType.id,
      name: dataType.name,
      category: dataType.category,
      notes: dataType.notes,
      isOfficial: dataType.ownerPlaceId === null,
      updatedAt: dataType.updatedAt,
    },
    fields: Object.entries(schema).map(([key, field]) => fieldRow(key, field)),
    sources: (dataType as { sources?: SourceRow[] }).sources ?? [],
    sample: recordTable(schema, sample.results, reading),
    total: sample.meta.total ?? 0,
  }
}

function fieldRow(key: string, field: Field): string[] {
  const rules = Object.entries(field.validation ?? {}).map(([rule, value]) =>
    value === true ? rule : `${rule}: ${plain(value)}`,
  )
  return [field.name, key, fieldTypes[field.type], unitOf(field), rules.join('; '), field.notes ?? '']
}

const plain = (value: unknown) =>
  Array.isArray(value) ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value)

const fieldColumns = ['Name', 'Key', 'Type', 'Unit', 'Rules', 'Notes'].map((label) => ({ label }))

export const meta = placeTitle<{ dataType: { name: string } }>(({ dataType }) => dataType.name)

export default function DataType() {
  const { dataType, fields, sources, sample, total } = useLoaderData<typeof loader>()
  return (
    <div className="page-wide">
      <PageHead
        title={dataType.name}
        crumbs={[{ label: 'Data', to: '/sources' }]}
        badges={dataType.isOfficial ? <span className="badge">Official</span> : null}
        sub={dataType.notes}
      />
      <Facts
        facts={[
          ['Category', dataType.category],
          ['Fields', fields.length],
          ['Records here', <Count key="total" n={total} />],
          ['Changed', <Day key="day" date={dataType.updatedAt} />],
        ]}
      />
      <section className="stack is-wrapping" aria-labelledby="fields">
        <h2 id="fields">Fields</h2>
        <DataTable columns={fieldColumns} rows={fields} label={`Fields of ${dataType.name}`} />
      </section>
      <section className="stack" aria-labelledby="sources">
        <h2 id="sources">Sources here</h2>
        {sources.length ? (
          <ul className="list">
            {sources.map((source) => (
              <ListItem
                key={source.id}
                to={`/sources/${source.id}`}
                title={source.name}
                meta={
                  <>
                    <span>
                      <Count n={source.count} /> records
                    </span>
                    <VisibilityBadge visibility={source.visibility} />
                  </>
                }
              />
            ))}
          </ul>
        ) : (
          <EmptyState
            level={3}
            title="No sources yet"
            text="This organization keeps no records of this type."
          />
        )}
      </section>
      {sample.rows.length ? (
        <section className="stack" aria-labelledby="sample">
          <h2 id="sample">Newest records</h2>
          <DataTable {...sample} label={`Newest records of ${dataType.name}`} />
        </section>
      ) : null}
    </div>
  )
}

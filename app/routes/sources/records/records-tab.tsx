import { Form, Link, useLocation } from '@remix-run/react'
import { lazy, Suspense } from 'react'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { Pager } from '#app/components/list/pager.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { ConditionFields } from './condition-fields.tsx'
import type { RecordPanelProps } from './record-panel.tsx'
import { isSearched, recordHref, type RecordsQuery } from './records-query.ts'
import { RecordsTable } from './records-table.tsx'
import { WithinFields } from './within-fields.tsx'

/** Loaded with the first opened record, as most readers open none. Rendered documents include it. */
const RecordPanel = lazy(async () => ({ default: (await import('./record-panel.tsx')).RecordPanel }))

export interface RecordsTabProps {
  source: { id: string; name: string; count: number }
  schema: FieldSchema
  sortable: string[]
  records: {
    query: Omit<RecordsQuery, 'options'>
    columns: { label: string; isNumber?: boolean }[]
    /**
     * The organization's public boundary sets, by whose areas records can be filtered besides the built-in
     * ones; null without a filter by area.
     */
    sets: { id: string; name: string }[] | null
    rows: { id: string; cells: string[] }[]
    total: number
    isEstimated: boolean
    problem: string | null
    record: RecordPanelProps['record']
    isNew: boolean
  }
  rights: { mayAdd: boolean; mayWrite: boolean; mayRemove: boolean; mayImport: boolean }
}

/** The records of a source: searched, sorted, filtered, one of them open. */
export function RecordsTab({ source, schema, sortable, records, rights }: RecordsTabProps) {
  const { search } = useLocation()
  const { query, columns, rows, total, record, isNew } = records
  const isNarrowed = query.search !== '' || query.conditions.length > 0 || query.place.area !== ''
  const keys = Object.keys(schema)
  return (
    <section className="stack" aria-label="Records">
      {record || (isNew && rights.mayAdd) ? (
        <Suspense fallback={<div className="skeleton is-block" />}>
          <RecordPanel
            key={record?.id ?? 'new'}
            schema={schema}
            record={record}
            mayWrite={record ? rights.mayWrite : rights.mayAdd}
            mayDelete={rights.mayRemove}
            closed={recordHref(search, null)}
          />
        </Suspense>
      ) : null}
      {source.count || isNarrowed ? <Narrow query={query} schema={schema} sets={records.sets} /> : null}
      {records.problem ? <p className="notice is-warning">{records.problem}</p> : null}
      {rows.length ? (
        <>
          <RecordsTable
            label={`Records of ${source.name}`}
            query={query}
            columns={columns.map((column, i) => {
              const key = keys[i] ?? ''
              return { ...column, key: sortable.includes(key) ? key : null }
            })}
            rows={rows}
            open={record?.id ?? null}
          />
          <Pager
            query={query}
            visibleCount={rows.length}
            total={total}
            noun={records.isEstimated ? 'records, about' : 'records'}
          />
          {isNarrowed ? <ExportThese to={`/sources/${source.id}/export${recordHref(search, null)}`} /> : null}
        </>
      ) : isNarrowed ? (
        <EmptyState
          level={3}
          title="No results!"
          text="No record fits what you are looking for."
          action={
            <Link className="button" to="?">
              Show all records
            </Link>
          }
        />
      ) : (
        <EmptyState
          level={3}
          title="No records yet"
          text="They come with an import, or one by one."
          action={
            rights.mayImport ? (
              <Link className="button is-primary" to={`/sources/${source.id}/importers/create`}>
                Import records
              </Link>
            ) : null
          }
        />
      )}
      {rights.mayAdd && !isNew ? (
        <p>
          <Link className="button is-small" to={recordHref(search, 'new')} preventScrollReset>
            Add a record
          </Link>
        </p>
      ) : null}
    </section>
  )
}

function ExportThese({ to }: { to: string }) {
  return (
    <p>
      <Link className="button is-small" to={to}>
        Export these records
      </Link>
    </p>
  )
}

/**
 * Search, if there are searchable fields, and conditions on fields. A GET form, so that the URL holds the
 * state.
 */
function Narrow({
  query,
  schema,
  sets,
}: Pick<RecordsTabProps['records'], 'query' | 'sets'> & Pick<RecordsTabProps, 'schema'>) {
  return (
    <Form
      method="get"
      role="search"
      className="toolbar"
      preventScrollReset
      key={JSON.stringify([query.search, query.conditions, query.place])}
    >
      {isSearched(schema) ? (
        <input
          type="search"
          name="search"
          placeholder="Search records"
          aria-label="Search records"
          defaultValue={query.search}
        />
      ) : null}
      <ConditionFields schema={schema} conditions={query.conditions} />
      {sets ? <WithinFields sets={sets} place={query.place} /> : null}
      {query.sort ? (
        <>
          <input type="hidden" name="sort" value={query.sort} />
          <input type="hidden" name="direction" value={query.direction} />
        </>
      ) : null}
      <button className="button">Show</button>
    </Form>
  )
}

import { Form, Link, useLoaderData, useSearchParams } from '@remix-run/react'
import { useState } from 'react'
import { ColumnChoice, Files, ProgramCall } from '#app/components/export/files.tsx'
import { tools } from '#app/components/export/tools.ts'
import { SelectField } from '#app/components/form/field.tsx'
import { FilteredData, FilterField } from '#app/components/query/filter-field.tsx'
import { TypeTabs } from '#app/components/schema/type-tabs.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { typeExport } from './export.server.ts'

export const loader = typeExport

export const meta = placeTitle<{ dataType: { name: string } }>(({ dataType }) => `Export ${dataType.name}`)

export default function ExportType() {
  const screen = useLoaderData<typeof loader>()
  const { dataType, rights, data, source, files, rows, api, isPublic } = screen
  return (
    <Screen
      title={`Export ${dataType.name}`}
      crumbs={[
        { label: 'Data', to: '/sources' },
        { label: 'Data types', to: '/types/catalog' },
        { label: dataType.name, to: `/types/${dataType.id}` },
      ]}
      sub="The records as files and as addresses that programs read."
    >
      <TypeTabs id={dataType.id} {...rights} />
      {data.sources.length ? (
        <>
          <Choice key={JSON.stringify([source?.id, screen.filters])} />
          {screen.issues.length ? null : (
            <Files rows={rows} files={files} unavailableNote={isPublic ? null : 'Not all of it is public'} />
          )}
          <ProgramCall api={api} isPublic={isPublic}>
            {source ? (
              <p>
                Open {source.name} in{' '}
                {Object.values(tools).map(({ id, name }, i) => (
                  <span key={id}>
                    {i ? ', ' : ''}
                    <Link to={`/export/${id}?source=${source.id}`}>{name}</Link>
                  </span>
                ))}
                .
              </p>
            ) : (
              <p className="muted">Choose one source to see how it is opened in other tools.</p>
            )}
          </ProgramCall>
        </>
      ) : (
        <EmptyState
          title="No records yet"
          text="This organization has no source of this data type, so there is nothing to export."
          action={
            <Link className="button" to={`/types/${dataType.id}`}>
              See the data type
            </Link>
          }
        />
      )}
    </Screen>
  )
}

/** The choice of records and columns. A GET form, so that the URL holds the state. */
function Choice() {
  const { data, source, filters: initialFilters, fields, language, issues } = useLoaderData<typeof loader>()
  const [filters, setFilters] = useState<unknown>(initialFilters)
  const [search] = useSearchParams()
  const errors = issues.length ? { ok: false as const, message: '', issues } : undefined
  return (
    <FilteredData
      language={language}
      placeId={data.placeId}
      dataTypeId={data.dataTypeId}
      sourceId={source?.id ?? null}
      errors={errors}
    >
      <Form method="get" className="form" preventScrollReset>
        <SelectField
          label="Of"
          name="source"
          options={[
            { value: '', label: 'All sources here' },
            ...data.sources.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          defaultValue={source?.id ?? ''}
        />
        <FilterField
          label="Only records where"
          filters={filters}
          onChange={setFilters}
          errors={errors}
          formValues={search.get('filters') ?? ''}
        />
        <ColumnChoice fields={fields} />
        <div className="form-actions">
          <button className="button">Show the files</button>
        </div>
      </Form>
    </FilteredData>
  )
}

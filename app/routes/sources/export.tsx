import { Form, Link, useLoaderData } from '@remix-run/react'
import { ColumnChoice, Files, ProgramCall } from '#app/components/export/files.tsx'
import { tools } from '#app/components/export/tools.ts'
import { ConditionFields } from './records/condition-fields.tsx'
import { WithinFields } from './records/within-fields.tsx'
import { isSearched } from './records/records-query.ts'
import { SourceNav } from './source-nav.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { sourceExport } from './export.server.ts'

export const loader = sourceExport

export const meta = placeTitle<{ source: { name: string } }>(({ source }) => `Export ${source.name}`)

export default function ExportSource() {
  const { source, tabs, rows, files, problem, isPublic, api } = useLoaderData<typeof loader>()
  return (
    <Screen
      isStack
      title={`Export ${source.name}`}
      crumbs={[
        { label: 'Data', to: '/sources' },
        { label: source.name, to: `/sources/${source.id}` },
      ]}
      sub="The records as files and as addresses that programs read."
    >
      <SourceNav id={source.id} tabs={tabs} />
      <Choice />
      {problem ? <p className="notice is-warning">{problem}</p> : null}
      <Files rows={rows} files={files} unavailableNote={isPublic ? null : 'This source is not public'} />
      <section className="stack" aria-labelledby="tools">
        <h2 id="tools">In a tool</h2>
        <div className="button-group">
          {Object.values(tools).map(({ id, name }) => (
            <Link key={id} className="button" to={`/export/${id}?source=${source.id}`}>
              {name}
            </Link>
          ))}
        </div>
      </section>
      <ProgramCall api={api} isPublic={isPublic} />
    </Screen>
  )
}

/** The filters and columns of the export. A GET form, so the URL has the state. */
function Choice() {
  const { query, fields, schema, sets } = useLoaderData<typeof loader>()
  return (
    <Form method="get" className="stack" preventScrollReset key={JSON.stringify([query, fields])}>
      <div className="toolbar">
        {isSearched(schema) ? (
          <input
            type="search"
            name="search"
            placeholder="Records that say"
            aria-label="Records that say"
            defaultValue={query.search}
          />
        ) : null}
        <ConditionFields schema={schema} conditions={query.conditions} />
        {sets ? <WithinFields sets={sets} place={query.place} /> : null}
      </div>
      <ColumnChoice fields={fields} />
      <p>
        <button className="button">Show the files</button>
      </p>
    </Form>
  )
}

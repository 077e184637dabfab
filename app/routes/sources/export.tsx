import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useLoaderData } from '@remix-run/react'
import { tools } from '#app/components/export/tools.ts'
import { CopyButton } from '#app/components/form/copy-button.tsx'
import { Count } from '#app/components/list/time.tsx'
import { SourceNav } from '#app/components/records/source-nav.tsx'
import { formatNotes } from '#app/components/schema/export-size.ts'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { sourceExport } from '#app/server/source-export.server.ts'

export function loader(args: LoaderFunctionArgs) {
  return sourceExport(args)
}

export const meta = placeTitle<{ source: { name: string } }>(({ source }) => `Export ${source.name}`)

export default function ExportSource() {
  const { source, tabs, rows, files, isPublic, api } = useLoaderData<typeof loader>()
  const call = `curl '${api}'${isPublic ? '' : " \\\n  -H 'authorization: Bearer YOUR_ACCOUNT_KEY'"}`
  return (
    <div className="page-wide stack">
      <PageHead
        title={`Export ${source.name}`}
        crumbs={[
          { label: 'Data', to: '/sources' },
          { label: source.name, to: `/sources/${source.id}` },
        ]}
        sub="The records as files and as addresses that programs read."
      />
      <SourceNav id={source.id} current="export" tabs={tabs} />
      <Choice />
      <section className="stack" aria-labelledby="files">
        <h2 id="files">
          <Count n={rows} /> {rows === 1 ? 'record' : 'records'}
        </h2>
        {isPublic ? null : (
          <p className="notice is-warning">
            This source is not public: these addresses work here while you are signed in, and elsewhere with
            an account key in the header <code>authorization</code>.
          </p>
        )}
        <ul className="list">
          {files.map(({ format, label, size, url, href }) => (
            <li key={format} className="list-item">
              <div className="list-main">
                <p className="list-title">{label}</p>
                <p className="list-note">{formatNotes[format]}</p>
              </div>
              <div className="list-meta">
                <span>{size === null ? 'packed' : `about ${size}`}</span>
              </div>
              <div className="list-actions">
                <a className="button is-small" href={href} download>
                  Download<span className="sr-only"> {label}</span>
                </a>
                <CopyButton text={url} what={`the address of ${label}`} />
              </div>
            </li>
          ))}
        </ul>
      </section>
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
      <section className="stack" aria-labelledby="programs">
        <h2 id="programs">From a program</h2>
        <pre className="code" tabIndex={0}>
          <code>{call}</code>
        </pre>
        <CopyButton text={call} what="the call" />
      </section>
    </div>
  )
}

/** Which records and which of their columns. A GET form: the address says what is exported. */
function Choice() {
  const { query, fields, sortable, schema } = useLoaderData<typeof loader>()
  return (
    <Form method="get" className="stack" preventScrollReset key={JSON.stringify([query, fields])}>
      <div className="toolbar">
        <input
          type="search"
          name="search"
          placeholder="Records that say"
          aria-label="Records that say"
          defaultValue={query.search}
        />
        <select name="where" aria-label="Only records whose" defaultValue={query.where}>
          <option value="">Any field</option>
          {sortable.map((key) => (
            <option key={key} value={key}>
              {schema[key]?.name ?? key}
            </option>
          ))}
        </select>
        <input name="is" aria-label="is" placeholder="is" defaultValue={query.is} className="is-value" />
      </div>
      <details className="disclosure" open={fields.some(({ isChosen }) => !isChosen)}>
        <summary>
          Columns: {fields.filter(({ isChosen }) => isChosen).length} of {fields.length}
        </summary>
        <div className="columns-choice">
          {fields.map(({ key, name, isChosen }) => (
            <label key={key} className="choice">
              <input type="checkbox" name="fields" value={key} defaultChecked={isChosen} />
              {name}
            </label>
          ))}
        </div>
      </details>
      <p>
        <button className="button">Show the files</button>
      </p>
    </Form>
  )
}

import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useLoaderData, useSubmit } from '@remix-run/react'
import { CheckNow } from './check-now.tsx'
import { lossText } from '#app/components/hub/loss-text.ts'
import { exportUrl, tools, withUrl, type ToolFormat, type ToolId } from '#app/components/export/tools.ts'
import { CopyButton } from '#app/components/form/copy-button.tsx'
import { aboutBytes } from '#app/components/schema/export-size.ts'
import { formatBytes } from '#functions/shapes/format-bytes.ts'
import { Count, Day } from '#app/components/list/time.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { load, toErrorResponse } from '#app/server/load.server.ts'
import { Failure } from '#functions/errors.ts'
import { listExportLosses } from '#functions/shapes/export-losses.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { v1 } from '#functions/v1/index.ts'

/** Number of records for estimating their size. */
const sampleSize = 50

/** What a format cannot represent depends on the fields. */
const includes = [{ resource: 'dataType' }]

/** How to open a public source in a tool; the source is given in the URL (`?source=`), or chosen first. */
export async function loader(args: LoaderFunctionArgs) {
  const { ctx } = args.context
  const url = new URL(args.request.url)
  const id = url.pathname.split('/').at(-1) ?? ''
  if (!isTool(id)) throw toErrorResponse(new Failure('notFound'), args)
  const sourceId = url.searchParams.get('source')?.slice(0, 64) ?? ''
  const [{ choices }, example] = await Promise.all([
    load(args, {
      choices: {
        endpoint: v1.source.find,
        options: { maxVisibility: 'public', orderings: [{ value: { field: 'name' } }], limit: 500 },
      },
    }),
    sourceId
      ? load(args, {
          source: { endpoint: v1.source.findById, params: { sourceId }, options: { includes } },
          sample: { endpoint: v1.source.datum.find, params: { sourceId }, options: { limit: sampleSize } },
        })
      : Promise.resolve(null),
  ])
  const placeId = example?.source.placeId
  const at = placeId
    ? await load(args, { place: { endpoint: v1.place.findById, params: { placeId } } })
    : undefined
  return {
    toolId: id,
    origin: ctx.site.origin,
    isSignedIn: ctx.actor.user !== null,
    choices: choices.results.map(({ id, name, count }) => ({ id, name, count })),
    source: example && pickSourceFields(example.source),
    losses: example && lossesIn(tools[id].formats, example.source.dataType, at?.place.timeZone ?? 'UTC'),
    sizes: example && estimateFileSizes(tools[id].formats, example.sample.results, example.source.count),
  }
}

/** What each format cannot represent, in sentences; empty if nothing is lost. */
function lossesIn(
  formats: readonly ToolFormat[],
  dataType: { schema?: unknown } | null | undefined,
  timeZone: string,
): Record<string, string> {
  const schema = (dataType?.schema ?? {}) as FieldSchema
  return Object.fromEntries(
    formats.map(({ format }) => [format, lossText(listExportLosses(format, schema, timeZone), 'en')]),
  )
}

/** The estimated size of each file, formatted; empty for compressed formats. */
function estimateFileSizes(formats: readonly ToolFormat[], records: readonly SampleRecord[], rows: number) {
  const sample = records.map(({ data, geometry }) => ({ data: data ?? {}, geometry }))
  return Object.fromEntries(
    formats.flatMap(({ format }) => {
      const bytes = aboutBytes(format, sample, rows)
      return bytes === null ? [] : [[format, formatBytes(bytes)]]
    }),
  )
}

interface SampleRecord {
  data?: Record<string, unknown> | null
  geometry?: unknown
}

/** The members of a source that a guide shows. */
function pickSourceFields({
  id,
  name,
  count,
  visibility,
  dataUpdatedAt,
  extent,
}: ChosenSource): ChosenSource {
  return { id, name, count, visibility, dataUpdatedAt, extent }
}

interface ChosenSource {
  id: string
  name: string
  count: number
  visibility: string
  dataUpdatedAt: Date | string | null
  extent: unknown
}

function isTool(id: string): id is ToolId {
  return Object.hasOwn(tools, id)
}

export const meta = placeTitle<{ toolId: ToolId }>(({ toolId }) => `Open data in ${tools[toolId].name}`)

export default function Guide() {
  const { toolId, origin, choices, source, losses, sizes, isSignedIn } = useLoaderData<typeof loader>()
  const tool = tools[toolId]
  return (
    <div className="page-narrow guide">
      <PageHead
        title={`Open data in ${tool.name}`}
        crumbs={[{ label: isSignedIn ? 'Data' : 'Explore', to: isSignedIn ? '/sources' : '/explore' }]}
        sub={tool.aim}
      />
      <nav className="tabs" aria-label="Tools">
        {Object.values(tools).map(({ id, name }) => (
          <Link
            key={id}
            to={`/export/${id}${source ? `?source=${source.id}` : ''}`}
            aria-current={id === toolId ? 'page' : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      <SourceChoice choices={choices} source={source} />
      {source ? (
        <>
          <p className="muted">
            <Count n={source.count} /> records, last changed <Day date={source.dataUpdatedAt} never="never" />
            .
          </p>
          {source.visibility === 'public' ? null : (
            <p className="notice is-warning">
              This source is not public: {tool.name} can only read it by a downloaded file, or with an account
              key in the header <code>authorization</code>.
            </p>
          )}
          {tool.formats
            .filter(({ needsGeometry }) => !needsGeometry || source.extent !== null)
            .map((format) => (
              <Way
                key={format.format}
                format={format}
                url={exportUrl(origin, source.id, format.format)}
                losses={losses?.[format.format]}
                size={sizes?.[format.format]}
              />
            ))}
          <h2>How it stays current</h2>
          <p>{tool.refresh}</p>
          <h2>Limits</h2>
          <p>{tool.limits}</p>
        </>
      ) : (
        <FirstChoices toolId={toolId} choices={choices} />
      )}
    </div>
  )
}

/** Number of sources shown initially; the others are in the select. */
const shownFirst = 20

function FirstChoices({
  toolId,
  choices,
}: {
  toolId: ToolId
  choices: { id: string; name: string; count: number }[]
}) {
  if (!choices.length)
    return <EmptyState title="No public data yet" text="No organization has made data public yet." />
  return (
    <section className="stack" aria-labelledby="choose">
      <h2 id="choose">Choose a source</h2>
      <p className="muted">Its links stand here then, with the steps to take and how it stays current.</p>
      <ul className="list">
        {choices.slice(0, shownFirst).map(({ id, name, count }) => (
          <ListItem
            key={id}
            to={`/export/${toolId}?source=${encodeURIComponent(id)}`}
            title={name}
            note={
              <>
                <Count n={count} /> records
              </>
            }
          />
        ))}
      </ul>
    </section>
  )
}

function SourceChoice({
  choices,
  source,
}: {
  choices: { id: string; name: string }[]
  source: { id: string; name: string } | null
}) {
  const submit = useSubmit()
  const isListed = source === null || choices.some(({ id }) => id === source.id)
  const options = isListed ? choices : [source, ...choices]
  return (
    <Form
      method="get"
      className="toolbar"
      onChange={(event) => void submit(event.currentTarget, { replace: true })}
    >
      <label>
        <span className="sr-only">Source</span>
        <select name="source" defaultValue={source?.id ?? ''} key={source?.id}>
          <option value="">Choose a source…</option>
          {options.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button className="button">Show</button>
    </Form>
  )
}

const fileNames = { csv: 'CSV', json: 'JSON', geojson: 'GeoJSON', shp: 'Shapefile' }

/** One way to open the records: steps, text to paste or download, and a check of its URL. */
function Way({
  format,
  url,
  losses,
  size,
}: {
  format: ToolFormat
  url: string
  losses: string | undefined
  size: string | undefined
}) {
  const text = format.snippet && withUrl(format.snippet, url)
  return (
    <section className="stack" aria-labelledby={`way-${format.format}`}>
      <h2 id={`way-${format.format}`}>{format.label}</h2>
      <ol className="numbered">
        {format.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {text ? (
        <pre className="code" tabIndex={0}>
          <code>{text}</code>
        </pre>
      ) : null}
      {losses ? <p className="muted">{losses}</p> : null}
      <CheckNow url={url} label={format.label}>
        <a className="button" href={url} download>
          Download {fileNames[format.format]}
          {size ? `, about ${size}` : ''}
        </a>
        {text ? <CopyButton text={text} what={format.label} /> : null}
      </CheckNow>
    </section>
  )
}

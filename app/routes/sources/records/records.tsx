import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { ShownInsight } from '#app/components/insight/shown-insight.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { Count, Day } from '#app/components/list/time.tsx'
import { changeRecords } from '../change.server.ts'
import { recordsScreen } from '../source.server.ts'
import { RecordsTab } from './records-tab.tsx'

/** A source's metadata, its first figure, and its records. */
export const loader = recordsScreen

export const action = changeRecords

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export default function SourceRecords() {
  const screen = useLoaderData<typeof loader>()
  useToast(useActionData<typeof action>(), {})
  return (
    <>
      <SourceFacts {...screen} />
      {screen.figure ? <SourceFigure {...screen.figure} /> : null}
      <RecordsTab {...screen} />
    </>
  )
}

type Screen = ReturnType<typeof useLoaderData<typeof loader>>

function SourceFacts({ source, dataType, place }: Pick<Screen, 'source' | 'dataType' | 'place'>) {
  return (
    <Facts
      facts={[
        [
          'Data type',
          <Link key="type" to={`/types/${dataType.id}`}>
            {dataType.name}
          </Link>,
        ],
        ['Records', <Count key="count" n={source.count} />],
        ['Last data', <Day key="day" date={source.dataUpdatedAt} never="none yet" />],
        ['Organization', place],
        [
          'From',
          source.attributionUrl ? (
            <a key="from" href={source.attributionUrl}>
              {source.attribution ?? source.attributionUrl}
            </a>
          ) : (
            source.attribution
          ),
        ],
        ['Licence', source.licence],
      ]}
    />
  )
}

/** The source's first insight, or a suggested chart, and links to the insights that use the source. */
function SourceFigure({ insight, suggestion, insights }: NonNullable<Screen['figure']>) {
  return (
    <>
      {insight ? <ShownInsight view={insight} /> : null}
      {suggestion ? (
        <section className="card suggestion" aria-labelledby="suggestion">
          <div className="card-head">
            <h2 id="suggestion" className="card-title">
              A first chart
            </h2>
            <Link className="button is-primary is-small" to={suggestion.to}>
              Make this chart
            </Link>
          </div>
          <div className="card-body">
            <ShownInsight view={suggestion.shown} live={suggestion.live} />
          </div>
        </section>
      ) : null}
      {insights.length ? (
        <p className="muted">
          Insights:{' '}
          {insights.map(({ id, name }, i) => (
            <span key={id}>
              {i ? ', ' : ''}
              <Link to={`/insights/${id}`}>{name}</Link>
            </span>
          ))}
        </p>
      ) : null}
    </>
  )
}

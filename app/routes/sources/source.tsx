import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { lazy, Suspense, useRef } from 'react'
import { useLiveMap } from '#app/client/live-map.ts'
import { useToast } from '#app/client/use-toast.ts'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { Keys } from '#app/components/form/keys.tsx'
import { SourceForm } from './source-form.tsx'
import { MapWithList } from '#app/components/hub/map-page.tsx'
import { ShownInsight } from '#app/components/insight/shown-insight.tsx'
import { VisibilityBadge } from '#app/components/list/badges.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { Count, Day } from '#app/components/list/time.tsx'
import { FieldFactsList as FactsList } from '#app/components/records/field-facts.tsx'
import { ImportersTab } from './importers-tab.tsx'
import { RecordsTab } from './records/records-tab.tsx'
import { SourceNav } from './source-nav.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { changeSource } from './change.server.ts'
import { sourceScreen } from './source.server.ts'

/** Fetched with the tab of the fields: who looks through records needs none of it. */
const FieldFactsList = import.meta.env.SSR
  ? FactsList
  : lazy(async () => ({ default: (await import('#app/components/records/field-facts.tsx')).FieldFactsList }))

export function loader(args: LoaderFunctionArgs) {
  return sourceScreen(args)
}

export function action(args: ActionFunctionArgs) {
  return changeSource(args)
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/kept/keep-typed.ts'

export const meta = placeTitle<{ source: { name: string } }>(({ source }) => source.name)

const done = {
  save: 'Saved.',
  publish: 'Published. The hub shows it within seconds.',
  unpublish: 'No longer public. The hub hides it within seconds.',
  wipe: 'All records are removed.',
  makeKey: 'The key is made.',
  revokeKey: 'The key is revoked.',
}

export default function Source() {
  const screen = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const { source, rights, tab, tabs, records, fields, map, importers, figure } = screen
  useToast(outcome, done)
  return (
    <div className="page-wide stack">
      <PageHead
        title={source.name}
        crumbs={[{ label: 'Data', to: '/sources' }]}
        badges={<VisibilityBadge visibility={source.visibility} />}
        sub={source.notes}
        actions={<SourceActions {...screen} />}
      />
      <SourceNav id={source.id} current={tab} tabs={tabs} />
      {tab === 'records' ? <SourceFacts {...screen} /> : null}
      {figure ? <SourceFigure {...figure} /> : null}
      {records ? <RecordsTab {...screen} records={records} /> : null}
      {fields ? (
        source.count ? (
          <section className="stack" aria-labelledby="values">
            <h2 id="values" className="sr-only">
              Fields
            </h2>
            <Suspense fallback={<div className="skeleton is-block" />}>
              <FieldFactsList shown={fields} hasRecords />
            </Suspense>
          </section>
        ) : (
          <EmptyState
            level={2}
            title="No records yet"
            text="Once there are some, each field is described here."
          />
        )
      ) : null}
      {tab === 'map' ? <MapTab map={map} count={source.count} mayChart={rights.mayChart} /> : null}
      {importers ? (
        <ImportersTab sourceId={source.id} importers={importers} mayImport={rights.mayImport} />
      ) : null}
      {tab === 'settings' && rights.mayUpdate ? <SettingsTab {...screen} /> : null}
    </div>
  )
}

type Screen = ReturnType<typeof useLoaderData<typeof loader>>
function SourceActions({ hubUrl, source, rights }: Pick<Screen, 'hubUrl' | 'source' | 'rights'>) {
  return (
    <>
      {hubUrl ? (
        <a className="button" href={hubUrl}>
          Open on the hub
        </a>
      ) : null}
      {rights.mayImport ? (
        <Link className="button" to={`/sources/${source.id}/importers/create`}>
          Import
        </Link>
      ) : null}
      {rights.mayChart && source.count > 0 ? (
        <Link className="button" to={`/insights/create?source=${source.id}`}>
          Ask a question
        </Link>
      ) : null}
    </>
  )
}

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

/** The insight that stands for the source, or a chart that may be made of it, and the insights that ask it. */
function SourceFigure({ insight, suggestion, insights }: NonNullable<Screen['figure']>) {
  return (
    <>
      {insight ? <ShownInsight shown={insight} /> : null}
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
            <ShownInsight shown={suggestion.shown} live={suggestion.live} />
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

/** The source itself, its keys, and what cannot be taken back. */
function SettingsTab({ source, rights, isHub, keys }: Pick<Screen, 'source' | 'rights' | 'isHub' | 'keys'>) {
  const outcome = useActionData<typeof action>()
  const made = outcome?.ok && outcome.intent === 'makeKey' ? outcome.result : null
  return (
    <>
      <SourceForm source={source} isHub={isHub} />
      {keys ? (
        <Keys
          title="Keys of programs"
          text={`A program that sends a key adds, changes and removes records of ${source.name}, and does nothing else.`}
          keys={keys}
          made={made}
        />
      ) : null}
      <Form method="post" className="danger-zone">
        {rights.mayWipe && source.count > 0 ? (
          <ConfirmButton
            intent="wipe"
            question={`Remove all records of ${source.name}?`}
            text={`${source.count.toLocaleString('en')} records are gone from charts, exports and the hub. The source, its importers and insights stay.`}
            answer="Remove them all"
          >
            Remove all records
          </ConfirmButton>
        ) : null}
        {rights.mayDelete ? (
          <ConfirmButton
            intent="delete"
            question={`Delete ${source.name}?`}
            text="Its records and importers go with it, and insights that ask it have nothing to show. It can be brought back for 30 days."
            answer="Delete"
          >
            Delete the source
          </ConfirmButton>
        ) : null}
      </Form>
    </>
  )
}

interface MapTabProps {
  map: Screen['map']
  count: number
  mayChart: boolean
}

function MapTab({ map, count, mayChart }: MapTabProps) {
  const screen = useRef<HTMLElement>(null)
  useLiveMap(screen)
  if (map)
    return (
      <section className="stack map-page" aria-label="Map" ref={screen}>
        <MapWithList {...map} />
        {mayChart && map.to ? (
          <p>
            <Link className="button is-small" to={map.to}>
              Make a map of it
            </Link>
          </p>
        ) : null}
      </section>
    )
  return (
    <EmptyState
      level={2}
      title="Nothing to put on a map"
      text={
        count
          ? 'None of its records has a place.'
          : 'Once there are records with a place, they are drawn here.'
      }
    />
  )
}

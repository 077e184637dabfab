import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { ShownInsight } from '#app/components/insight/shown-insight.tsx'
import { Count } from '#app/components/list/time.tsx'
import { sizeText } from '#app/components/media/asset.ts'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { OrgTabs } from '#app/components/org/org-tabs.tsx'
import { ranges, usageScreen } from './usage.server.ts'
import { SpeedTable, UsageTables } from './usage-tables.tsx'

export async function loader(args: LoaderFunctionArgs) {
  return { ...(await usageScreen(args)), ranges: [...ranges] }
}

export const meta = placeTitle('Usage')

/** The anonymous usage of a place: its hub, data and files. */
export default function Usage() {
  const {
    range,
    held: totals,
    sums,
    figures,
    parts,
    csvHref,
    ranges: rangeOptions,
  } = useLoaderData<typeof loader>()
  return (
    <Screen
      title="Usage"
      crumbs={[{ label: 'Manage organization', to: '/org/manage' }]}
      sub="What was read and asked. No one is followed: no cookies, no addresses, no accounts."
    >
      <OrgTabs />
      <div className="row">
        <nav className="button-group" aria-label="Range">
          {rangeOptions.map((days) => (
            <Link
              key={days}
              className={days === range ? 'button is-primary' : 'button'}
              to={`?days=${days}`}
              aria-current={days === range || undefined}
              preventScrollReset
            >
              {days} days
            </Link>
          ))}
        </nav>
        <a className="button is-quiet" href={csvHref} download>
          Hub usage as CSV
        </a>
      </div>
      <dl className="metrics">
        <Metric label="Page views" n={sums.views} />
        <Metric label="Visits" n={sums.visits} />
        <Metric label="Files taken" n={sums.files} />
        <Metric label="API requests" n={sums.requests} />
      </dl>
      <dl className="metrics">
        <Metric label="Records" n={totals.data} />
        <Metric label="Sources" n={totals.sources} />
        <Metric label="Insights" n={totals.insights} />
        <div className="card card-body">
          <dt className="metric-label">Stored</dt>
          <dd className="metric-value">{sizeText(totals.storageBytes)}</dd>
        </div>
      </dl>
      {sums.views === 0 ? (
        <EmptyState
          title="No page of the hub was read in these days"
          text="Pages count themselves when a reader leaves them, so the first ones show up here a little later. Programs and readers who ask not to be tracked are not counted."
          action={
            <Link className="button" to="/org/manage/hub">
              To the hub
            </Link>
          }
        />
      ) : null}
      {figures.views ? <ShownInsight view={figures.views} /> : null}
      {figures.visits ? <ShownInsight view={figures.visits} /> : null}
      {parts.speed.length > 0 ? (
        <section className="stack">
          <h2 id="usage-speed">Speed for readers</h2>
          <SpeedTable rows={parts.speed} />
        </section>
      ) : null}
      <UsageTables tables={[...parts.views, ...parts.others]} />
      {figures.requests ? <ShownInsight view={figures.requests} /> : null}
      {figures.exports ? <ShownInsight view={figures.exports} /> : null}
      <WhatIsCounted />
    </Screen>
  )
}

function WhatIsCounted() {
  return (
    <section className="stack">
      <h2>What is counted</h2>
      <p className="muted">
        A <b>view</b> is a page of the hub that a browser with scripts showed to someone who then left it. A{' '}
        <b>visit</b> is a view that did not come from another page of the hub. Visitors are not counted: no
        one is recognized, neither on the next page nor on the next day.
      </p>
      <p className="muted">
        Pages, hosts of referrers, countries, kinds of devices and languages are added up each by itself. No
        row says two of these things about the same reader. Addresses and browsers are stored nowhere.
      </p>
      <p className="muted">
        Not counted: readers without scripts, with “Do Not Track” or “Global Privacy Control”, and programs.
        Files taken are those of the hub’s host, by people and programs alike.
      </p>
      <p className="muted">
        A request is an answered question about this organization through the API; an export is one that made
        a file of records. Days are those of UTC; those of the hub are kept for 400 days.
      </p>
    </section>
  )
}

function Metric({ label, n }: { label: string; n: number }) {
  return (
    <div className="card card-body">
      <dt className="metric-label">{label}</dt>
      <dd className="metric-value">
        <Count n={n} />
      </dd>
    </div>
  )
}

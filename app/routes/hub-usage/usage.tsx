import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { ShownInsight } from '#app/components/insight/shown-insight.tsx'
import { Count } from '#app/components/list/time.tsx'
import { sizeText } from '#app/components/media/asset.ts'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { OrgTabs } from '#app/routes/org/org-tabs.tsx'
import { ranges, usageScreen } from '#app/server/usage-screen.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  return { ...(await usageScreen(args)), ranges: [...ranges] }
}

export const meta = placeTitle('Usage')

/** What was asked of a place: of its hub, its data and its files, without knowing by whom. */
export default function Usage() {
  const { range, held, sums, figures, ranges: offered } = useLoaderData<typeof loader>()
  const isQuiet = sums.requests === 0
  return (
    <div className="page-wide">
      <PageHead
        title="Usage"
        crumbs={[{ label: 'Manage organization', to: '/org/manage' }]}
        sub="What was asked of your data. No visitor is counted: no cookies, no addresses, no accounts."
      />
      <OrgTabs />
      <nav className="button-group" aria-label="Range">
        {offered.map((days) => (
          <Link
            key={days}
            className="button"
            to={`?days=${days}`}
            aria-current={days === range || undefined}
            preventScrollReset
          >
            {days} days
          </Link>
        ))}
      </nav>
      <dl className="metrics">
        <Metric label={`Requests in ${range} days`} n={sums.requests} />
        <Metric label={`Downloads in ${range} days`} n={sums.exports} />
        <Metric label="Records" n={held.data} />
        <Metric label="Sources" n={held.sources} />
        <Metric label="Insights" n={held.insights} />
        <div className="card card-body">
          <dt className="metric-label">Stored</dt>
          <dd className="metric-value">{sizeText(held.storageBytes)}</dd>
        </div>
      </dl>
      {isQuiet ? (
        <EmptyState
          title="Nothing was asked in these days"
          text="Requests for your data are counted here: by programs, by maps and charts, and files that people download."
          action={
            <Link className="button" to="/org/manage/hub">
              To the hub
            </Link>
          }
        />
      ) : (
        <>
          <ShownInsight shown={figures.requests} />
          <ShownInsight shown={figures.exports} />
        </>
      )}
      <p className="muted">
        Days are those of UTC. A request is any answered question about this organization through the API; a
        download is one that gave a file of records. Pages of the hub come ready made and are not among them.
      </p>
    </div>
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

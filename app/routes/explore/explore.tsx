import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { ListBar } from '#app/components/list/list-bar.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { listQuery, type ListOffer } from '#app/components/list/list-query.ts'
import { Pager } from '#app/components/list/pager.tsx'
import { Count, Day } from '#app/components/list/time.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { load } from '#app/server/load.server.ts'
import { publicSourceUrls } from '#app/server/public-urls.server.ts'
import { ExplorePanel } from './explore-panel.tsx'
import { explorePanel } from './explore-panel.server.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: {
    name: { label: 'By name', field: 'name', direction: 'asc' },
    updated: { label: 'Last changed first', field: 'updatedAt', direction: 'desc' },
  },
  pageSize: 50,
}

/** The public sources of all places; whoever is signed out reads them on their hubs, or here (`?source=`) where there is none. */
export async function loader(args: LoaderFunctionArgs) {
  const { ctx } = args.context
  const query = listQuery(new URL(args.request.url), offer)
  const includes = [
    { resource: 'dataType', attributes: ['id', 'name', 'category'] },
    { resource: 'place', attributes: ['id', 'displayName', 'isHub'] },
  ]
  const [{ sources }, panel] = await Promise.all([
    load(args, {
      sources: { endpoint: v1.source.find, options: { ...query.options, maxVisibility: 'public', includes } },
    }),
    explorePanel(args),
  ])
  const urls = await publicSourceUrls(
    args,
    sources.results.filter(({ place }) => place?.isHub),
  )
  const rows = sources.results.map((source) => {
    const { id, name, count, dataUpdatedAt } = source
    return {
      id,
      name,
      count,
      dataUpdatedAt,
      place: source.place?.displayName ?? source.placeId,
      dataType: source.dataType?.name ?? source.dataTypeId,
      href: ctx.actor.user ? `/sources/${id}` : (urls.get(id) ?? `/explore?source=${encodeURIComponent(id)}`),
    }
  })
  return { query, rows, panel, total: sources.meta.total }
}

export const meta = placeTitle('Explore')

export default function Explore() {
  const { query, rows, panel, total } = useLoaderData<typeof loader>()
  return (
    <div className="page-wide">
      <PageHead
        title="Explore"
        sub="Public data of every organization here. Look at it, download it, ask it questions."
      />
      {panel ? <ExplorePanel panel={panel} /> : null}
      <ListBar query={query} sorts={offer.sorts} searchLabel="Search public sources" />
      {rows.length ? (
        <ul className="list">
          {rows.map((row) => (
            <ListItem
              key={row.id}
              to={row.href}
              title={row.name}
              note={`${row.place} · ${row.dataType}`}
              meta={
                <>
                  <span>
                    <Count n={row.count} /> records
                  </span>
                  <Day date={row.dataUpdatedAt} never="no data yet" />
                </>
              }
            />
          ))}
        </ul>
      ) : (
        <EmptyState
          title="No results!"
          text={
            query.search
              ? 'No public source has these words in its name or notes.'
              : 'No organization has made data public yet.'
          }
        />
      )}
      <Pager query={query} shown={rows.length} total={total} noun="sources" />
    </div>
  )
}

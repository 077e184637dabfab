import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { List } from '#app/components/list/list.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { byName, lastChanged, type ListOffer } from '#app/components/list/list-query.ts'
import { Count, Day } from '#app/components/list/time.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { listRequest } from '#app/server/list.server.ts'
import { load } from '#app/server/load.server.ts'
import { publicSourceUrls } from '#app/server/public-urls.server.ts'
import { ExplorePanel } from './explore-panel.tsx'
import { explorePanel } from './explore-panel.server.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: { name: byName, updated: lastChanged },
}

/** The public sources of all places; signed-out people read them on their hubs, or here (`?source=`) if there is none. */
export async function loader(args: LoaderFunctionArgs) {
  const { ctx } = args.context
  const { options, ...list } = await listRequest(args, offer)
  const includes = [
    { resource: 'dataType', attributes: ['id', 'name', 'category'] },
    { resource: 'place', attributes: ['id', 'displayName', 'isHub'] },
  ]
  const [{ sources }, panel] = await Promise.all([
    load(args, {
      sources: { endpoint: v1.source.find, options: { ...options, maxVisibility: 'public', includes } },
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
  return { list: { ...list, total: sources.meta.total }, rows, panel }
}

export const meta = placeTitle('Explore')

export default function Explore() {
  const { list, rows, panel } = useLoaderData<typeof loader>()
  return (
    <Screen
      title="Explore"
      sub="Public data of every organization here. Look at it, download it, ask it questions."
    >
      {panel ? <ExplorePanel panel={panel} /> : null}
      <List
        {...{ offer, list }}
        noun="sources"
        visibleCount={rows.length}
        searchLabel="Search public sources"
        noResults={{ text: 'No public source has these words in its name or notes.' }}
        empty={{ title: 'No results!', text: 'No organization has made data public yet.' }}
      >
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
      </List>
    </Screen>
  )
}

import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { CopyButton } from '#app/components/form/copy-button.tsx'
import { List } from '#app/components/list/list.tsx'
import { byName, lastChanged, type ListOffer } from '#app/components/list/list-query.ts'
import { Count, Day } from '#app/components/list/time.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { listRequest } from '#app/server/list.server.ts'
import { load } from '#app/server/load.server.ts'
import { apiUrl } from '#app/server/public-urls.server.ts'
import { requireAdmin } from '#app/server/require-permission.server.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: { name: byName, updated: lastChanged },
}

/** The public sources of other places: to view, link to, and import from. */
export async function loader(args: LoaderFunctionArgs) {
  const { placeId } = await requireAdmin(args, 'look through the sources of other organizations')
  const { ctx } = args.context
  const { options, ...list } = await listRequest(args, offer)
  const includes = [
    { resource: 'dataType', attributes: ['id', 'name'] },
    { resource: 'place', attributes: ['id', 'displayName'] },
  ]
  const filters = { placeId: { $ne: placeId } }
  const { sources } = await load(args, {
    sources: {
      endpoint: v1.source.find,
      options: { ...options, maxVisibility: 'public', filters, includes },
    },
  })
  const rows = sources.results.map((source) => ({
    id: source.id,
    name: source.name,
    count: source.count,
    dataUpdatedAt: source.dataUpdatedAt,
    licence: source.licence,
    place: source.place?.displayName ?? source.placeId,
    dataType: source.dataType?.name ?? source.dataTypeId,
    address: apiUrl(ctx, `/sources/${source.id}/export?format=csv`),
  }))
  return { list: { ...list, total: sources.meta.total }, rows }
}

export const meta = placeTitle('Community sources')

export default function Community() {
  const { list, rows } = useLoaderData<typeof loader>()
  return (
    <Screen
      isStack
      title="Community sources"
      crumbs={[{ label: 'Data', to: '/sources' }]}
      sub="What other organizations have made public. Copy an address to read it with an importer of your own."
    >
      <List
        {...{ offer, list }}
        noun="sources"
        visibleCount={rows.length}
        searchLabel="Search community sources"
        noResults={{
          text: 'No public source of another organization has these words in its name or notes.',
          all: 'Show all',
        }}
        empty={{ title: 'Nothing public yet', text: 'No other organization has made a source public.' }}
      >
        <ul className="list">
          {rows.map(({ id, name, count, dataUpdatedAt, licence, place, dataType, address }) => (
            <li key={id} className="list-item">
              <div className="list-main">
                <p className="list-title">
                  <Link to={`/sources/${id}`}>{name}</Link>
                </p>
                <p className="list-note">{[place, dataType, licence].filter(Boolean).join(' · ')}</p>
              </div>
              <div className="list-meta">
                <span>
                  <Count n={count} /> records
                </span>
                <Day date={dataUpdatedAt} never="no data yet" />
              </div>
              <div className="list-actions">
                <CopyButton text={address} what={`the address of ${name}`} />
              </div>
            </li>
          ))}
        </ul>
      </List>
    </Screen>
  )
}

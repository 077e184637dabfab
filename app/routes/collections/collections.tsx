import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { VisibilityBadge, visibilityFilter } from '#app/components/list/badges.tsx'
import { ListBar } from '#app/components/list/list-bar.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { listQuery, type ListOffer } from '#app/components/list/list-query.ts'
import { Pager } from '#app/components/list/pager.tsx'
import { Day } from '#app/components/list/time.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { load } from '#app/server/load.server.ts'
import { guard, may } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: {
    name: { label: 'By name', field: 'name', direction: 'asc' },
    updated: { label: 'Last changed first', field: 'updatedAt', direction: 'desc' },
  },
  filters: { visibility: ['public', 'place', 'private'] },
}

export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const query = listQuery(new URL(args.request.url), offer)
  const includes = [{ resource: 'insights', attributes: ['id'], limit: 100 }]
  const { collections } = await load(args, {
    collections: { endpoint: v1.place.collection.find, options: { ...query.options, includes } },
  })
  const rows = collections.results.map((collection) => ({
    ...collection,
    size: (collection as { insights?: object[] }).insights?.length ?? 0,
  }))
  const { ctx } = args.context
  return {
    query,
    rows,
    total: collections.meta.total,
    mayCreate: may(ctx, 'collection.create'),
    mayAsk: may(ctx, 'insight.create'),
  }
}

export const meta = placeTitle('Insights')

export default function Collections() {
  const { query, rows, total, mayCreate, mayAsk } = useLoaderData<typeof loader>()
  return (
    <div className="page-wide">
      <PageHead
        title="Insights"
        sub="Saved questions, gathered in collections."
        actions={
          <>
            <Link className="button" to="/collections/inventory">
              All insights
            </Link>
            {mayCreate ? (
              <Link className="button" to="/collections/create">
                Create a collection
              </Link>
            ) : null}
            {mayAsk ? (
              <Link className="button is-primary" to="/insights/create">
                Create an insight
              </Link>
            ) : null}
          </>
        }
      />
      <ListBar
        query={query}
        sorts={offer.sorts}
        searchLabel="Search collections"
        filters={[{ name: 'visibility', label: 'Visibility', options: visibilityFilter }]}
      />
      {rows.length ? (
        <ul className="list">
          {rows.map((collection) => (
            <ListItem
              key={collection.id}
              to={`/collections/${collection.id}`}
              title={collection.name}
              note={collection.notes}
              meta={
                <>
                  <span>{collection.size === 1 ? '1 insight' : `${collection.size} insights`}</span>
                  <Day date={collection.updatedAt} />
                  <VisibilityBadge visibility={collection.visibility} />
                </>
              }
            />
          ))}
        </ul>
      ) : query.search || Object.keys(query.filters).length ? (
        <EmptyState title="No results!" text="No collection fits what you are looking for." />
      ) : (
        <EmptyState
          title="No collections yet"
          text="A collection gathers insights that answer one matter."
          action={
            mayCreate ? (
              <Link className="button is-primary" to="/collections/create">
                Create a collection
              </Link>
            ) : undefined
          }
        />
      )}
      <Pager query={query} shown={rows.length} total={total} noun="collections" />
    </div>
  )
}

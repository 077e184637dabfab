import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { Choosing } from '#app/components/list/choosing.tsx'
import { VisibilityBadge, visibilityFilter } from '#app/components/list/badges.tsx'
import { DeletedList, DeletedSwitch, noneDeleted } from '#app/components/list/deleted-list.tsx'
import { ListBar } from '#app/components/list/list-bar.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { listQuery, showsPart, nounOf, type ListOffer } from '#app/components/list/list-query.ts'
import { Pager } from '#app/components/list/pager.tsx'
import { Day } from '#app/components/list/time.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { deletedRights } from '#app/server/deleted.server.ts'
import { actKeeping } from '#app/server/keeping.server.ts'
import { load } from '#app/server/load.server.ts'
import { actionsOffered } from '#app/server/many-ways.server.ts'
import { tagFilter, tagOptions, tagsInUse } from '#app/server/tags.server.ts'
import { guard, may } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: {
    name: { label: 'By name', field: 'name', direction: 'asc' },
    updated: { label: 'Last changed first', field: 'updatedAt', direction: 'desc' },
  },
  filters: { visibility: ['public', 'place', 'private'], tag: null },
}

/** So many of its insights and texts are counted. */
const most = 100

export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const query = listQuery(new URL(args.request.url), offer)
  const { gone: deletedFilter, ...rights } = deletedRights(args, 'collection.delete')
  const tags = await tagsInUse(args)
  const { tag, ...columns } = query.filters
  const filters = { ...columns, ...tagFilter(tags, tag) }
  const includes = ['insights', 'texts'].map((resource) => ({ resource, attributes: ['id'], limit: most }))
  const { collections } = await load(args, {
    collections: {
      endpoint: v1.place.collection.find,
      options: { ...query.options, ...deletedFilter, filters, includes },
    },
  })
  const rows = collections.results.map(({ insights = [], texts = [], ...collection }) => ({
    ...collection,
    size: { insights: insights.length, texts: texts.length },
  }))
  const { ctx } = args.context
  return {
    query,
    rows,
    ...rights,
    total: collections.meta.total,
    actions: actionsOffered(args, 'collections', rows.length),
    tags: tagOptions(tags, 'collection'),
    mayCreate: may(ctx, 'collection.create'),
    mayAsk: may(ctx, 'insight.create'),
  }
}

export function action(args: ActionFunctionArgs) {
  return actKeeping(args, ({ id = '' }) => ({
    restore: { endpoint: v1.place.collection.restore, params: { collectionId: id } },
  }))
}

export const meta = placeTitle('Insights')

/** "1 insight", "12 insights", "100 insights or more". */
const countText = (n: number, noun: string) => `${n} ${nounOf(n, noun)}${n === most ? ' or more' : ''}`

export default function Collections() {
  const { query, rows, total, tags, mayCreate, mayAsk, mayRestore, isDeleted } =
    useLoaderData<typeof loader>()
  useToast(useActionData<typeof action>(), { restore: 'The collection is back as it was.' })
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
        filters={[
          { name: 'visibility', label: 'Visibility', options: visibilityFilter },
          ...(tags.length ? [{ name: 'tag', label: 'Tag', options: tags }] : []),
        ]}
        end={mayRestore ? <DeletedSwitch noun="collections" isDeleted={isDeleted} /> : null}
      />
      {isDeleted ? (
        rows.length ? (
          <DeletedList rows={rows.map(({ id, name }) => ({ id, name, note: 'Collection' }))} />
        ) : (
          <EmptyState {...noneDeleted} />
        )
      ) : rows.length ? (
        <CollectionList />
      ) : showsPart(query) ? (
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

/** The collections of the page, each with how much is in it. */
function CollectionList() {
  const { rows, actions } = useLoaderData<typeof loader>()
  return (
    <Choosing to="/many/collections" actions={actions}>
      <ul className="list">
        {rows.map((collection) => (
          <ListItem
            key={collection.id}
            to={`/collections/${collection.id}`}
            title={collection.name}
            choice={collection}
            note={collection.notes}
            meta={
              <>
                <span>{countText(collection.size.insights, 'insights')}</span>
                {collection.size.texts ? <span>{countText(collection.size.texts, 'texts')}</span> : null}
                <Day date={collection.updatedAt} />
                <VisibilityBadge visibility={collection.visibility} />
              </>
            }
          />
        ))}
      </ul>
    </Choosing>
  )
}

import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { BulkSelection } from '#app/components/list/bulk-selection.tsx'
import { VisibilityBadge, visibilityFilter } from '#app/components/list/badges.tsx'
import { List } from '#app/components/list/list.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { byName, lastChanged, pickNounForm, type ListOffer } from '#app/components/list/list-query.ts'
import { Day } from '#app/components/list/time.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { listRequest } from '#app/server/list.server.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { actionsOffered } from '#app/server/bulk-endpoints.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: { name: byName, updated: lastChanged },
  filters: { visibility: visibilityFilter, tag: { label: 'Tag' } },
}

/** Entries are counted up to this number. */
const most = 100

export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const { options, ...list } = await listRequest(args, offer, {
    deletes: 'collection.delete',
    tagged: 'collection',
  })
  const includes = ['insights', 'texts'].map((resource) => ({ resource, attributes: ['id'], limit: most }))
  const { collections } = await load(args, {
    collections: { endpoint: v1.place.collection.find, options: { ...options, includes } },
  })
  const rows = collections.results.map(({ insights = [], texts = [], ...collection }) => ({
    ...collection,
    size: { insights: insights.length, texts: texts.length },
  }))
  const { ctx } = args.context
  return {
    list: { ...list, total: collections.meta.total },
    rows,
    actions: actionsOffered(args, 'collections', rows.length),
    mayCreate: hasPermission(ctx, 'collection.create'),
    mayAsk: hasPermission(ctx, 'insight.create'),
  }
}

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, ({ id = '' }) => ({
    restore: { endpoint: v1.place.collection.restore, params: { collectionId: id } },
  }))
}

export const meta = placeTitle('Insights')

/** "1 insight", "12 insights", "100 insights or more". */
const countText = (n: number, noun: string) => `${n} ${pickNounForm(n, noun)}${n === most ? ' or more' : ''}`

export default function Collections() {
  const { list, rows, actions, mayCreate, mayAsk } = useLoaderData<typeof loader>()
  return (
    <Screen
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
      done={{ restore: 'The collection is back as it was.' }}
    >
      <List
        {...{ offer, list }}
        noun="collections"
        visibleCount={rows.length}
        deleted={rows.map(({ id, name }) => ({ id, name, note: 'Collection' }))}
        empty={{
          title: 'No collections yet',
          text: 'A collection gathers insights that answer one matter.',
          action: mayCreate ? (
            <Link className="button is-primary" to="/collections/create">
              Create a collection
            </Link>
          ) : null,
        }}
      >
        <BulkSelection to="/many/collections" actions={actions}>
          <ul className="list">
            {rows.map((collection) => (
              <CollectionItem key={collection.id} collection={collection} />
            ))}
          </ul>
        </BulkSelection>
      </List>
    </Screen>
  )
}

type Collection = ReturnType<typeof useLoaderData<typeof loader>>['rows'][number]

/** A collection with its number of entries. */
function CollectionItem({ collection }: { collection: Collection }) {
  return (
    <ListItem
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
  )
}

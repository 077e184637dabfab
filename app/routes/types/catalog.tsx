import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { CatalogRow } from './catalog-row.tsx'
import { useToast } from '#app/client/use-toast.ts'
import { Choosing } from '#app/components/list/choosing.tsx'
import { DeletedList, DeletedSwitch, noneDeleted } from '#app/components/list/deleted-list.tsx'
import { ListBar } from '#app/components/list/list-bar.tsx'
import { listQuery, showsPart, type ListOffer } from '#app/components/list/list-query.ts'
import { Pager } from '#app/components/list/pager.tsx'
import { UnreadAlerts } from '#app/components/observer/unread-alerts.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { deletedRights } from '#app/server/deleted.server.ts'
import { actKeeping } from '#app/server/keeping.server.ts'
import { load } from '#app/server/load.server.ts'
import { actionsOffered } from '#app/server/many-ways.server.ts'
import { unreadAlerts } from '#app/server/observer-screen.server.ts'
import { guard, may } from '#app/server/session.server.ts'
import { categoriesInUse, usableTypes } from '#app/server/type-screen.server.ts'
import { v1 } from '#functions/v1/index.ts'

const owners = [
  { value: 'own', label: 'This organization' },
  { value: 'official', label: 'Official' },
]

const offer: ListOffer = {
  sorts: {
    name: { label: 'By name', field: 'name', direction: 'asc' },
    category: { label: 'By category', field: 'category', direction: 'asc' },
    updated: { label: 'Last changed first', field: 'updatedAt', direction: 'desc' },
  },
  filters: { category: null, owner: owners.map(({ value }) => value) },
}

interface SourceRow {
  placeId: string
  count: number
}

/** Every data type that the place may see: its own, the official ones, and those that public sources of others use. */
export async function loader(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'withPlace')
  const { ctx } = args.context
  const query = listQuery(new URL(args.request.url), offer)
  const { gone: deletedFilter, ...rights } = deletedRights(args, 'dataType.delete')
  const { owner, ...filters } = query.filters
  const ownerPlaceId = owner === 'own' ? placeId : null
  const options = {
    ...query.options,
    ...deletedFilter,
    filters: { ...filters, ...(owner ? { ownerPlaceId } : {}) },
    includes: [{ resource: 'sources', attributes: ['id', 'placeId', 'count'], limit: 100 }],
  }
  const [{ found: types }, categories, unread] = await Promise.all([
    // What was deleted is asked of the place that could bring it back.
    load(args, {
      found: { endpoint: rights.isDeleted ? v1.place.dataType.find : v1.dataType.find, options },
    }),
    categoriesInUse(args),
    unreadAlerts(args),
  ])
  const usable = await usableTypes(
    args,
    types.results.map(({ id }) => id),
  )
  return {
    query,
    ...rights,
    categories: categories.map((category) => ({ value: category, label: category })),
    unread,
    total: types.meta.total,
    actions: actionsOffered(
      args,
      'types',
      types.results.filter((row) => row.ownerPlaceId === placeId).length,
    ),
    mayCreate: may(ctx, 'dataType.create'),
    maySource: may(ctx, 'source.create'),
    rows: types.results.map((row) => {
      const sources = (row as { sources?: SourceRow[] }).sources ?? []
      return {
        id: row.id,
        name: row.name,
        category: row.category,
        notes: row.notes,
        fields: Object.keys(row.schema).length,
        owner:
          row.ownerPlaceId === null
            ? ('official' as const)
            : row.ownerPlaceId === placeId
              ? ('own' as const)
              : ('other' as const),
        isUsable: usable.has(row.id),
        here: sources.filter((source) => source.placeId === placeId).length,
        elsewhere: sources.filter((source) => source.placeId !== placeId).length,
        records: sources.reduce((sum, { count }) => sum + count, 0),
      }
    }),
  }
}

export function action(args: ActionFunctionArgs) {
  return actKeeping(args, ({ id = '' }) => ({
    restore: { endpoint: v1.place.dataType.restore, params: { dataTypeId: id } },
  }))
}

export const meta = placeTitle('Data types')

export default function Catalog() {
  const { query, actions, categories, unread, rows, total, mayCreate, maySource, mayRestore, isDeleted } =
    useLoaderData<typeof loader>()
  useToast(useActionData<typeof action>(), { restore: 'The data type is back as it was.' })
  const isNarrowed = showsPart(query)
  const create = (
    <Link className="button is-primary" to="/types/create">
      Create a data type
    </Link>
  )
  return (
    <div className="page-wide">
      <PageHead
        title="Data types"
        crumbs={[{ label: 'Data', to: '/sources' }]}
        sub="What records can be. Two sources of one data type can be asked, compared and mapped together."
        actions={mayCreate ? create : null}
      />
      <UnreadAlerts unread={unread} />
      <ListBar
        query={query}
        sorts={offer.sorts}
        searchLabel="Search data types"
        filters={[
          { name: 'category', label: 'Category', options: categories },
          { name: 'owner', label: 'Kept by', options: owners },
        ]}
        end={mayRestore ? <DeletedSwitch noun="data types" isDeleted={isDeleted} /> : null}
      />
      {isDeleted ? (
        rows.length ? (
          <DeletedList rows={rows.map(({ id, name, category }) => ({ id, name, note: category ?? id }))} />
        ) : (
          <EmptyState {...noneDeleted} />
        )
      ) : rows.length ? (
        <Choosing to="/many/types" actions={actions}>
          <ul className="list">
            {rows.map((row) => (
              <CatalogRow key={row.id} row={row} mayCopy={mayCreate} maySource={maySource && row.isUsable} />
            ))}
          </ul>
        </Choosing>
      ) : isNarrowed ? (
        <EmptyState
          title="No results!"
          text="No data type fits what you are looking for."
          action={
            <Link className="button" to="/types/catalog">
              Show all data types
            </Link>
          }
        />
      ) : (
        <EmptyState
          title="No data types yet"
          text="A data type says what records of one kind are made of: names, dates, numbers, shapes on the map."
          action={mayCreate ? create : null}
        />
      )}
      <Pager query={query} shown={rows.length} total={total} noun="data types" />
    </div>
  )
}

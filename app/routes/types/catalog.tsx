import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { CatalogRow } from './catalog-row.tsx'
import { BulkSelection } from '#app/components/list/bulk-selection.tsx'
import { List } from '#app/components/list/list.tsx'
import { byName, lastChanged, type ListOffer } from '#app/components/list/list-query.ts'
import { UnreadAlerts } from '#app/components/observer/unread-alerts.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { listRequest } from '#app/server/list.server.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { actionsOffered } from '#app/server/bulk-endpoints.server.ts'
import { countUnreadAlerts } from '#app/server/observer-screen.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'
import { categoriesInUse, usableTypes } from '#app/server/type-screen.server.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: {
    name: byName,
    category: { label: 'By category', field: 'category', direction: 'asc' },
    updated: lastChanged,
  },
  filters: {
    category: { label: 'Category' },
    owner: {
      label: 'Kept by',
      options: [
        { value: 'own', label: 'This organization' },
        { value: 'official', label: 'Official' },
      ],
    },
  },
}

interface SourceRow {
  placeId: string
  count: number
}

/**
 * Lists every data type that the organization may see: its own, the official ones, and those used by public
 * sources of others.
 */
export async function loader(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'withPlace')
  const { ctx } = args.context
  const { options: request, ...list } = await listRequest(args, offer, { deletes: 'dataType.delete' })
  const { owner, ...filters } = request.filters
  const ownerPlaceId = owner === 'own' ? placeId : null
  const options = {
    ...request,
    filters: { ...filters, ...(owner ? { ownerPlaceId } : {}) },
    includes: [{ resource: 'sources', attributes: ['id', 'placeId', 'count'], limit: 100 }],
  }
  const [{ found: types }, categories, unread] = await Promise.all([
    // Deleted data types are listed by the organization that can restore them.
    load(args, {
      found: { endpoint: list.isDeleted ? v1.place.dataType.find : v1.dataType.find, options },
    }),
    categoriesInUse(args),
    countUnreadAlerts(args),
  ])
  const usable = await usableTypes(
    args,
    types.results.map(({ id }) => id),
  )
  return {
    list: { ...list, total: types.meta.total },
    categories: categories.map((category) => ({ value: category, label: category })),
    unread,
    actions: actionsOffered(
      args,
      'types',
      types.results.filter((row) => row.ownerPlaceId === placeId).length,
    ),
    mayCreate: hasPermission(ctx, 'dataType.create'),
    maySource: hasPermission(ctx, 'source.create'),
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
  return handleFormKeepingValues(args, ({ id = '' }) => ({
    restore: { endpoint: v1.place.dataType.restore, params: { dataTypeId: id } },
  }))
}

export const meta = placeTitle('Data types')

export default function Catalog() {
  const { list, rows, actions, categories, unread, mayCreate, maySource } = useLoaderData<typeof loader>()
  const create = (
    <Link className="button is-primary" to="/types/create">
      Create a data type
    </Link>
  )
  return (
    <Screen
      title="Data types"
      crumbs={[{ label: 'Data', to: '/sources' }]}
      sub="What records can be. Two sources of one data type can be asked, compared and mapped together."
      actions={mayCreate ? create : null}
      done={{ restore: 'The data type is back as it was.' }}
    >
      <UnreadAlerts unread={unread} />
      <List
        {...{ offer, list }}
        noun="data types"
        visibleCount={rows.length}
        choices={{ category: categories }}
        deleted={rows.map(({ id, name, category }) => ({ id, name, note: category ?? id }))}
        empty={{
          title: 'No data types yet',
          text: 'A data type says what records of one kind are made of: names, dates, numbers, shapes on the map.',
          action: mayCreate ? create : null,
        }}
      >
        <BulkSelection to="/many/types" actions={actions}>
          <ul className="list">
            {rows.map((row) => (
              <CatalogRow key={row.id} row={row} mayCopy={mayCreate} maySource={maySource && row.isUsable} />
            ))}
          </ul>
        </BulkSelection>
      </List>
    </Screen>
  )
}

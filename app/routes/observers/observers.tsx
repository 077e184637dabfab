import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { ListBar } from '#app/components/list/list-bar.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { listQuery, showsPart, type ListOffer } from '#app/components/list/list-query.ts'
import { Pager } from '#app/components/list/pager.tsx'
import { Day } from '#app/components/list/time.tsx'
import { StateBadge, UnreadBadge } from './state-badge.tsx'
import { whyBlind } from '#app/components/observer/blind.ts'
import { conditionIn, conditionWords, seenWords } from '#app/components/observer/words.ts'
import { scheduleWords } from '#app/components/form/schedule.ts'
import { TypeTabs } from '#app/components/schema/type-tabs.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { load } from '#app/server/load.server.ts'
import { observerNames } from '#app/server/observer-screen.server.ts'
import { may } from '#app/server/session.server.ts'
import { typeRights, typeWithSources } from '#app/server/type-screen.server.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: {
    name: { label: 'By name', field: 'name', direction: 'asc' },
    updated: { label: 'Last changed first', field: 'updatedAt', direction: 'desc' },
    created: { label: 'Newest first', field: 'createdAt', direction: 'desc' },
  },
  filters: { enabled: ['true', 'false'] },
}

/** What watches the records of a data type in the place. */
export async function loader(args: LoaderFunctionArgs) {
  const dataTypeId = args.params.dataTypeId ?? ''
  const query = listQuery(new URL(args.request.url), offer)
  const options = { ...query.options, filters: { ...query.filters, dataTypeId } }
  const [{ dataType, sources }, { observers }, names] = await Promise.all([
    typeWithSources(args),
    load(args, { observers: { endpoint: v1.place.observer.find, options } }),
    observerNames(args, dataTypeId),
  ])
  return {
    query,
    rights: typeRights(args, dataType),
    mayCreate: may(args.context.ctx, 'observer.create'),
    dataType: { id: dataType.id, name: dataType.name },
    total: observers.meta.total,
    rows: observers.results.map((row) => ({
      ...row,
      words: conditionWords(conditionIn(row.condition), names),
      blind: whyBlind(sources, row.sourceId),
    })),
  }
}

export const meta = placeTitle<{ dataType: { name: string } }>(
  ({ dataType }) => `Observers of ${dataType.name}`,
)

export default function Observers() {
  const { query, rights, mayCreate, dataType, rows, total } = useLoaderData<typeof loader>()
  const url = `/types/${dataType.id}/observers`
  const isNarrowed = showsPart(query)
  const create = (
    <Link className="button is-primary" to={`${url}/create`}>
      Create an observer
    </Link>
  )
  return (
    <div className="page-wide">
      <PageHead
        title={`Observers of ${dataType.name}`}
        crumbs={[
          { label: 'Data', to: '/sources' },
          { label: 'Data types', to: '/types/catalog' },
          { label: dataType.name, to: `/types/${dataType.id}` },
        ]}
        sub="What watches the records, and speaks up when a condition holds."
        actions={mayCreate ? create : null}
      />
      <TypeTabs id={dataType.id} {...rights} />
      <ListBar
        query={query}
        sorts={offer.sorts}
        searchLabel="Search observers"
        filters={[
          {
            name: 'enabled',
            label: 'State',
            options: [
              { value: 'true', label: 'On' },
              { value: 'false', label: 'Paused' },
            ],
          },
        ]}
      />
      {rows.length ? (
        <ul className="list">
          {rows.map((row) => (
            <ListItem
              key={row.id}
              to={`${url}/${row.id}`}
              title={row.name}
              note={`${row.words}; looks ${scheduleWords(row.schedule)}${row.blind ? `. ${row.blind}` : ''}`}
              meta={
                <>
                  <UnreadBadge count={row.unreadCount} />
                  <span title="What it last saw">{seenWords(row.lastValue)}</span>
                  <span title="Last alert">
                    <Day date={row.lastAlertAt} never="no alert yet" />
                  </span>
                  <StateBadge observer={row} />
                </>
              }
            />
          ))}
        </ul>
      ) : isNarrowed ? (
        <EmptyState
          title="No results!"
          text="No observer fits what you are looking for."
          action={
            <Link className="button" to={url}>
              Show all observers
            </Link>
          }
        />
      ) : (
        <EmptyState
          title="No observers yet"
          text="An observer looks at the records whenever they change, or by a schedule, and tells the team when a figure is too high, too low, or new."
          action={mayCreate ? create : null}
        />
      )}
      <Pager query={query} shown={rows.length} total={total} noun="observers" />
    </div>
  )
}

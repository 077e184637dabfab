import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { useContext } from 'react'
import { List } from '#app/components/list/list.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { byName, lastChanged, newest, type ListOffer } from '#app/components/list/list-query.ts'
import { Day } from '#app/components/list/time.tsx'
import { TimeZone } from '#app/components/list/time-zone.ts'
import { StateBadge, UnreadBadge } from './state-badge.tsx'
import { explainNoVisibleData } from '#app/components/observer/no-visible-data.ts'
import { conditionIn, describeCondition, formatMeasuredValue } from '#app/components/observer/words.ts'
import { describeSchedule } from '#app/components/form/schedule.ts'
import { TypeTabs } from '#app/components/schema/type-tabs.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { listRequest } from '#app/server/list.server.ts'
import { load } from '#app/server/load.server.ts'
import { observerNames } from '#app/server/observer-screen.server.ts'
import { hasPermission } from '#app/server/session.server.ts'
import { typeRights, typeWithSources } from '#app/server/type-screen.server.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: { name: byName, updated: lastChanged, created: newest },
  filters: {
    enabled: {
      label: 'State',
      options: [
        { value: 'true', label: 'On' },
        { value: 'false', label: 'Paused' },
      ],
    },
  },
}

/** The observers of a data type in the place. */
export async function loader(args: LoaderFunctionArgs) {
  const dataTypeId = args.params.dataTypeId ?? ''
  const { options: request, ...list } = await listRequest(args, offer)
  const options = { ...request, filters: { ...request.filters, dataTypeId } }
  const [{ dataType, sources }, { observers }, names] = await Promise.all([
    typeWithSources(args),
    load(args, { observers: { endpoint: v1.place.observer.find, options } }),
    observerNames(args, dataTypeId),
  ])
  return {
    list: { ...list, total: observers.meta.total },
    rights: typeRights(args, dataType),
    mayCreate: hasPermission(args.context.ctx, 'observer.create'),
    dataType: { id: dataType.id, name: dataType.name },
    rows: observers.results.map((row) => ({
      ...row,
      words: describeCondition(conditionIn(row.condition), names),
      blind: explainNoVisibleData(sources, row.sourceId),
    })),
  }
}

export const meta = placeTitle<{ dataType: { name: string } }>(
  ({ dataType }) => `Observers of ${dataType.name}`,
)

export default function Observers() {
  const { list, rows, rights, mayCreate, dataType } = useLoaderData<typeof loader>()
  const timeZone = useContext(TimeZone)
  const url = `/types/${dataType.id}/observers`
  const create = (
    <Link className="button is-primary" to={`${url}/create`}>
      Create an observer
    </Link>
  )
  return (
    <Screen
      title={`Observers of ${dataType.name}`}
      crumbs={[
        { label: 'Data', to: '/sources' },
        { label: 'Data types', to: '/types/catalog' },
        { label: dataType.name, to: `/types/${dataType.id}` },
      ]}
      sub="What watches the records, and speaks up when a condition holds."
      actions={mayCreate ? create : null}
    >
      <TypeTabs id={dataType.id} {...rights} />
      <List
        {...{ offer, list }}
        noun="observers"
        visibleCount={rows.length}
        empty={{
          title: 'No observers yet',
          text: 'An observer looks at the records whenever they change, or by a schedule, and tells the team when a figure is too high, too low, or new.',
          action: mayCreate ? create : null,
        }}
      >
        <ul className="list">
          {rows.map((row) => (
            <ListItem
              key={row.id}
              to={`${url}/${row.id}`}
              title={row.name}
              note={`${row.words}; looks ${describeSchedule(row.schedule, timeZone)}${row.blind ? `. ${row.blind}` : ''}`}
              meta={
                <>
                  <UnreadBadge count={row.unreadCount} />
                  <span title="What it last saw">{formatMeasuredValue(row.lastValue)}</span>
                  <span title="Last alert">
                    <Day date={row.lastAlertAt} never="no alert yet" />
                  </span>
                  <StateBadge observer={row} />
                </>
              }
            />
          ))}
        </ul>
      </List>
    </Screen>
  )
}

import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useLoaderData } from '@remix-run/react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { ActionError } from '#app/components/form/form-error.tsx'
import { UsedIn } from './used-in.tsx'
import { BulkSelection, SelectionCheckbox } from '#app/components/list/bulk-selection.tsx'
import { VisibilityBadge, visibilityFilter } from '#app/components/list/badges.tsx'
import { List } from '#app/components/list/list.tsx'
import { byName, lastChanged, newest, type ListOffer } from '#app/components/list/list-query.ts'
import { Day } from '#app/components/list/time.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { listRequest } from '#app/server/list.server.ts'
import { usesOfInsights } from './insight-uses.server.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { actionsOffered } from '#app/server/bulk-endpoints.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'
import { chartTypes } from '#functions/engine/chart/type/index.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: { name: byName, updated: lastChanged, created: newest },
  filters: {
    visibility: visibilityFilter,
    dataTypeId: { label: 'Data type' },
    used: {
      label: 'Shown',
      options: [
        { value: 'yes', label: 'Somewhere' },
        { value: 'no', label: 'Nowhere' },
      ],
    },
    tag: { label: 'Tag' },
  },
}

/** All insights of the place with their uses, including those in no collection. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const { ctx } = args.context
  const [{ options, ...list }, uses, { dataTypes }] = await Promise.all([
    listRequest(args, offer, { deletes: 'insight.delete', tagged: 'insight' }),
    usesOfInsights(args),
    load(args, { dataTypes: { endpoint: v1.place.dataType.find, options: { limit: 1000 } } }),
  ])
  const { used, ...filters } = options.filters
  const usedIds = [...uses.keys()]
  const ids = used === 'yes' ? { id: { $in: usedIds } } : used === 'no' ? { id: { $notIn: usedIds } } : {}
  const { insights } = await load(args, {
    insights: { endpoint: v1.place.insight.find, options: { ...options, filters: { ...filters, ...ids } } },
  })
  const typeNames = new Map(dataTypes.results.map(({ id, name }) => [id, name]))
  return {
    list: { ...list, total: insights.meta.total },
    types: dataTypes.results.map(({ id, name }) => ({ value: id, label: name })),
    rows: insights.results.map(({ id, name, visibility, updatedAt, dataTypeId, visualization }) => ({
      ...{ id, name, visibility, updatedAt },
      type: chartTypes[visualization.type].name,
      dataType: typeNames.get(dataTypeId) ?? dataTypeId,
      uses: uses.get(id) ?? [],
    })),
    actions: actionsOffered(args, 'insights', insights.results.length),
    mayCreate: hasPermission(ctx, 'insight.create'),
  }
}

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, ({ insightId = '', id = '' }) => ({
    delete: { endpoint: v1.insight.deleteById, params: { insightId } },
    restore: { endpoint: v1.place.insight.restore, params: { insightId: id } },
  }))
}

export const meta = placeTitle('All insights')

export default function Inventory() {
  const { list, rows, types, actions, mayCreate } = useLoaderData<typeof loader>()
  const create = mayCreate ? (
    <Link className="button is-primary" to="/insights/create">
      Create an insight
    </Link>
  ) : undefined
  return (
    <Screen
      title="All insights"
      crumbs={[{ label: 'Insights', to: '/collections' }]}
      sub="Every saved question, and where it is shown."
      actions={create}
      done={{ delete: 'Deleted.', restore: 'The insight is back as it was.' }}
    >
      <ActionError />
      <List
        {...{ offer, list }}
        noun="insights"
        visibleCount={rows.length}
        choices={{ dataTypeId: types }}
        deleted={rows.map(({ id, name, dataType }) => ({ id, name, note: dataType }))}
        empty={{
          title: 'No insights yet',
          text: 'An insight is a question to your data, saved with the chart that answers it.',
          action: create,
        }}
      >
        <BulkSelection to="/many/insights" actions={actions}>
          <InsightList rows={rows} mayDelete={list.mayRestore} />
        </BulkSelection>
      </List>
    </Screen>
  )
}

type Screen = ReturnType<typeof useLoaderData<typeof loader>>

/** Insights with their uses, and delete buttons. */
function InsightList({ rows, mayDelete }: Pick<Screen, 'rows'> & { mayDelete: boolean }) {
  return (
    <ul className="list">
      {rows.map(({ id, name, type, dataType, visibility, updatedAt, uses }) => (
        <li key={id} className="list-item">
          <SelectionCheckbox id={id} name={name} />
          <div className="list-main list-plain">
            <p className="list-title">
              <Link to={`/insights/${id}`}>{name}</Link>
            </p>
            <p className="list-note">
              {dataType} · {type} · <UsedIn uses={uses} />
            </p>
          </div>
          <div className="list-meta">
            <Day date={updatedAt} />
            <VisibilityBadge visibility={visibility} />
          </div>
          {mayDelete ? (
            <Form method="post" className="list-actions" preventScrollReset>
              <input type="hidden" name="insightId" value={id} />
              <ConfirmButton
                intent="delete"
                className="button is-small"
                question={`Delete ${name}?`}
                text={
                  uses.length
                    ? `It is shown in ${uses.map((use) => use.name).join(', ')}, and leaves a gap there. It can be brought back for 30 days.`
                    : 'It is shown nowhere. It can be brought back for 30 days.'
                }
                answer="Delete"
              >
                Delete<span className="sr-only"> {name}</span>
              </ConfirmButton>
            </Form>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

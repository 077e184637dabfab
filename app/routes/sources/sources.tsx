import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { ActionError } from '#app/components/form/form-error.tsx'
import { BulkSelection } from '#app/components/list/bulk-selection.tsx'
import { VisibilityBadge, visibilityFilter } from '#app/components/list/badges.tsx'
import { CompletenessMark } from '#app/components/list/completeness.tsx'
import { List } from '#app/components/list/list.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { byName, lastChanged, newest, type ListOffer } from '#app/components/list/list-query.ts'
import { Count, Day } from '#app/components/list/time.tsx'
import { useRoot } from '#app/root.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { listRequest } from '#app/server/list.server.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { actionsOffered } from '#app/server/bulk-endpoints.server.ts'
import { NoPlace } from './no-place.tsx'
import { guard, isOrgAdmin, hasPermission } from '#app/server/session.server.ts'
import { sourcesWaiting } from './awaiting-import.server.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: { name: byName, updated: lastChanged, created: newest },
  filters: { visibility: visibilityFilter, dataTypeId: { label: 'Data type' }, tag: { label: 'Tag' } },
}

/**
 * Lists the sources of the active organization; null in a personal account, as sources belong to
 * organizations.
 */
export async function loader(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'working')
  if (!placeId) return null
  const { options, ...list } = await listRequest(args, offer, { deletes: 'source.delete', tagged: 'source' })
  const includes = [{ resource: 'dataType', attributes: ['id', 'name'] }]
  const { ctx } = args.context
  const [{ sources, dataTypes }, completeness] = await Promise.all([
    load(args, {
      sources: { endpoint: v1.place.source.find, options: { ...options, includes } },
      dataTypes: { endpoint: v1.place.dataType.find, options: { limit: 1000 } },
    }),
    // Completeness is not computed for deleted sources.
    hasPermission(ctx, 'activity.read') && !list.isDeleted
      ? load(args, { sources: { endpoint: v1.place.source.completeness, options } })
      : null,
  ])
  const waiting = new Set(list.isDeleted ? [] : await sourcesWaiting(ctx, sources.results))
  return {
    list: { ...list, total: sources.meta.total },
    rows: sources.results.map((source) => ({ ...source, isWaiting: waiting.has(source.id) })),
    described: Object.fromEntries((completeness?.sources.results ?? []).map((each) => [each.id, each])),
    dataTypes: dataTypes.results.map(({ id, name }) => ({ value: id, label: name })),
    mayCreate: hasPermission(ctx, 'source.create'),
    mayUpdate: hasPermission(ctx, 'source.update'),
    mayReadReports: hasPermission(ctx, 'errorReport.read'),
    actions: actionsOffered(args, 'sources', sources.results.length),
    maySeeCommunity: isOrgAdmin(ctx.actor, placeId),
  }
}

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, ({ id = '' }) => ({
    restore: { endpoint: v1.place.source.restore, params: { sourceId: id } },
  }))
}

export const meta = placeTitle('Data')

export default function Sources() {
  useToast(useActionData<typeof action>(), { restore: 'The source is back with its records.' })
  const screen = useLoaderData<typeof loader>()
  const main = useRoot()?.main
  if (screen) return <PlaceSources {...screen} />
  return (
    <Screen title="Data">
      <NoPlace isSuperAdmin={main?.isSuperAdmin ?? false} hasOwn={(main?.places.length ?? 0) > 0} />
    </Screen>
  )
}

type Screen = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>>

function PlaceSources({ list, rows, described: completenessById, dataTypes, actions, ...rights }: Screen) {
  const { mayCreate, mayUpdate, mayReadReports, maySeeCommunity } = rights
  return (
    <Screen
      title="Data"
      sub="The sources of this organization and the records they hold."
      actions={
        <>
          <Link className="button" to="/types/catalog">
            Data types
          </Link>
          {mayUpdate && rows.length > 0 ? (
            <Link className="button" to="/sources/describe">
              Describe many
            </Link>
          ) : null}
          {mayReadReports ? (
            <Link className="button" to="/error-reports">
              Reported errors
            </Link>
          ) : null}
          {maySeeCommunity ? (
            <Link className="button" to="/sources/community">
              Community
            </Link>
          ) : null}
          {mayCreate ? (
            <Link className="button is-primary" to="/sources/create">
              Add data
            </Link>
          ) : null}
        </>
      }
    >
      <ActionError />
      <List
        {...{ offer, list }}
        noun="sources"
        visibleCount={rows.length}
        choices={{ dataTypeId: dataTypes }}
        deleted={rows.map((row) => ({
          id: row.id,
          name: row.name,
          note: row.dataType?.name ?? row.dataTypeId,
        }))}
        empty={{
          title: 'No sources yet',
          text: 'A source holds the records of one data type: what happened, where and when.',
          action: mayCreate ? (
            <Link className="button is-primary" to="/sources/create">
              Add data
            </Link>
          ) : null,
        }}
      >
        <BulkSelection to="/many/sources" actions={actions}>
          <ul className="list">
            {rows.map((source) => (
              <SourceItem
                key={source.id}
                source={source}
                mayDescribe={rights.mayUpdate}
                {...completenessById[source.id]}
              />
            ))}
          </ul>
        </BulkSelection>
      </List>
    </Screen>
  )
}

type SourceItemProps = { source: Screen['rows'][number]; mayDescribe: boolean } & Partial<
  Screen['described'][string]
>

function SourceItem({ source, mayDescribe, freshness, completeness }: SourceItemProps) {
  return (
    <ListItem
      to={`/sources/${source.id}`}
      title={source.name}
      choice={source}
      note={source.dataType?.name ?? source.dataTypeId}
      meta={
        <>
          <span>
            <Count n={source.count} /> records
          </span>
          {source.isWaiting ? (
            <span className="badge is-warning">Not brought in yet</span>
          ) : (
            <Day date={source.dataUpdatedAt} never="no data yet" />
          )}
          {freshness?.state === 'late' ? <span className="badge is-warning">Late</span> : null}
          <CompletenessMark completeness={completeness} source={mayDescribe ? source : undefined} />
          <VisibilityBadge visibility={source.visibility} />
        </>
      }
    />
  )
}

import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { FormError } from '#app/components/form/form-error.tsx'
import { refusalIn } from '#app/components/form/issues.ts'
import type { Option } from '#app/components/form/field.tsx'
import { Choosing } from '#app/components/list/choosing.tsx'
import { VisibilityBadge, visibilityFilter } from '#app/components/list/badges.tsx'
import { DeletedList, DeletedSwitch, noneDeleted } from '#app/components/list/deleted-list.tsx'
import { CompletenessMark } from '#app/components/list/completeness.tsx'
import { ListBar } from '#app/components/list/list-bar.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { listQuery, showsPart, type ListOffer } from '#app/components/list/list-query.ts'
import { Pager } from '#app/components/list/pager.tsx'
import { Count, Day } from '#app/components/list/time.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { deletedRights } from '#app/server/deleted.server.ts'
import { actKeeping } from '#app/server/keeping.server.ts'
import { load } from '#app/server/load.server.ts'
import { actionsOffered } from '#app/server/many-ways.server.ts'
import { tagFilter, tagOptions, tagsInUse } from '#app/server/tags.server.ts'
import { guard, isOrgAdmin, may } from '#app/server/session.server.ts'
import type { Completeness, Freshness } from '#functions/shapes/completeness.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: {
    name: { label: 'By name', field: 'name', direction: 'asc' },
    updated: { label: 'Last changed first', field: 'updatedAt', direction: 'desc' },
    created: { label: 'Newest first', field: 'createdAt', direction: 'desc' },
  },
  filters: { visibility: ['public', 'place', 'private'], dataTypeId: null, tag: null },
}

/** What the screen shows without a place. */
const noPlace = {
  sources: null,
  described: {} as Record<string, { completeness: Completeness; freshness: Freshness }>,
  dataTypes: [],
  tags: [] as Option[],
  mayCreate: false,
  mayUpdate: false,
  mayReadReports: false,
  actions: [] as Option[],
  maySeeCommunity: false,
}

/** The sources of the place. In the personal account there are none: sources belong to organizations. */
export async function loader(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'working')
  const query = listQuery(new URL(args.request.url), offer)
  const { gone: deletedFilter, ...rights } = deletedRights(args, 'source.delete')
  if (!placeId) return { ...noPlace, query, ...rights }
  const includes = [{ resource: 'dataType', attributes: ['id', 'name'] }]
  const { ctx } = args.context
  const tags = await tagsInUse(args)
  const { tag, ...columns } = query.filters
  const filters = { ...columns, ...tagFilter(tags, tag) }
  const options = { ...query.options, ...deletedFilter, filters }
  const [{ sources, dataTypes }, described] = await Promise.all([
    load(args, {
      sources: { endpoint: v1.place.source.find, options: { ...options, includes } },
      dataTypes: { endpoint: v1.place.dataType.find, options: { limit: 1000 } },
    }),
    // What was deleted is described to nobody.
    may(ctx, 'activity.read') && !rights.isDeleted
      ? load(args, { sources: { endpoint: v1.place.source.completeness, options } })
      : null,
  ])
  return {
    query,
    sources,
    described: Object.fromEntries((described?.sources.results ?? []).map((each) => [each.id, each])),
    ...rights,
    dataTypes: dataTypes.results.map(({ id, name }) => ({ value: id, label: name })),
    tags: tagOptions(tags, 'source'),
    mayCreate: may(ctx, 'source.create'),
    mayUpdate: may(ctx, 'source.update'),
    mayReadReports: may(ctx, 'errorReport.read'),
    actions: actionsOffered(args, 'sources', sources.results.length),
    maySeeCommunity: isOrgAdmin(ctx.actor, placeId),
  }
}

export function action(args: ActionFunctionArgs) {
  return actKeeping(args, ({ id = '' }) => ({
    restore: { endpoint: v1.place.source.restore, params: { sourceId: id } },
  }))
}

export const meta = placeTitle('Data')

export default function Sources() {
  const {
    query,
    sources,
    described,
    dataTypes,
    tags,
    mayCreate,
    mayUpdate,
    mayReadReports,
    maySeeCommunity,
    mayRestore,
    isDeleted,
    actions,
  } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  useToast(outcome, { restore: 'The source is back with its records.' })
  if (!sources) return <NoPlace />
  return (
    <div className="page-wide">
      <PageHead
        title="Data"
        sub="The sources of this organization and the records they hold."
        actions={
          <>
            <Link className="button" to="/types/catalog">
              Data types
            </Link>
            {mayUpdate && sources.results.length > 0 ? (
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
      />
      <FormError refused={refusalIn(outcome)} names={[]} />
      <ListBar
        query={query}
        sorts={offer.sorts}
        searchLabel="Search sources"
        filters={[
          { name: 'visibility', label: 'Visibility', options: visibilityFilter },
          { name: 'dataTypeId', label: 'Data type', options: dataTypes },
          ...(tags.length ? [{ name: 'tag', label: 'Tag', options: tags }] : []),
        ]}
        end={mayRestore ? <DeletedSwitch noun="sources" isDeleted={isDeleted} /> : null}
      />
      <Choosing to="/many/sources" actions={isDeleted ? [] : actions}>
        <SourceList {...{ query, described, isDeleted, mayCreate }} rows={sources.results} />
      </Choosing>
      <Pager query={query} shown={sources.results.length} total={sources.meta.total} noun="sources" />
    </div>
  )
}

type Screen = ReturnType<typeof useLoaderData<typeof loader>>
type SourceListProps = Pick<Screen, 'query' | 'described' | 'isDeleted' | 'mayCreate'> & {
  rows: NonNullable<Screen['sources']>['results']
}

/** The sources, or those that were deleted, or why there are none. */
function SourceList({ query, described, isDeleted, mayCreate, rows }: SourceListProps) {
  const isNarrowed = showsPart(query)
  return isDeleted ? (
    rows.length ? (
      <DeletedList
        rows={rows.map(({ id, name, dataType, dataTypeId }) => ({
          ...{ id, name },
          note: dataType?.name ?? dataTypeId,
        }))}
      />
    ) : (
      <EmptyState {...noneDeleted} />
    )
  ) : rows.length ? (
    <ul className="list">
      {rows.map((source) => (
        <ListItem
          key={source.id}
          to={`/sources/${source.id}`}
          title={source.name}
          choice={source}
          note={source.dataType?.name ?? source.dataTypeId}
          meta={
            <>
              <span>
                <Count n={source.count} /> records
              </span>
              <Day date={source.dataUpdatedAt} never="no data yet" />
              {described[source.id]?.freshness.state === 'late' ? (
                <span className="badge is-warning">Late</span>
              ) : null}
              <CompletenessMark completeness={described[source.id]?.completeness} />
              <VisibilityBadge visibility={source.visibility} />
            </>
          }
        />
      ))}
    </ul>
  ) : isNarrowed ? (
    <EmptyState
      title="No results!"
      text="No source fits what you are looking for."
      action={
        <Link className="button" to="/sources">
          Show all sources
        </Link>
      }
    />
  ) : (
    <EmptyState
      title="No sources yet"
      text="A source holds the records of one data type: what happened, where and when."
      action={
        mayCreate ? (
          <Link className="button is-primary" to="/sources/create">
            Add data
          </Link>
        ) : null
      }
    />
  )
}

function NoPlace() {
  return (
    <div className="page-wide">
      <PageHead title="Data" />
      <EmptyState
        title="Your personal account has no data"
        text="Data belong to organizations. Choose one in the switcher, or look at what others have made public."
        action={
          <Link className="button is-primary" to="/explore">
            Explore public data
          </Link>
        }
      />
    </div>
  )
}

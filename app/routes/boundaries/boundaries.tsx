import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { VisibilityBadge, visibilityFilter } from '#app/components/list/badges.tsx'
import { DeletedList, DeletedSwitch, noneDeleted } from '#app/components/list/deleted-list.tsx'
import { ListBar } from '#app/components/list/list-bar.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { listQuery, showsPart, nounOf, type ListOffer } from '#app/components/list/list-query.ts'
import { Pager } from '#app/components/list/pager.tsx'
import { Day } from '#app/components/list/time.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { OrgTabs } from '#app/components/org/org-tabs.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { deletedRights } from '#app/server/deleted.server.ts'
import { actKeeping } from '#app/server/keeping.server.ts'
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

/** The boundary sets of the place, and those that everyone has. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const query = listQuery(new URL(args.request.url), offer)
  const { gone: deletedFilter, ...rights } = deletedRights(args, 'boundarySet.delete')
  const { sets, offered } = await load(args, {
    sets: { endpoint: v1.place.boundarySet.find, options: { ...query.options, ...deletedFilter } },
    offered: { endpoint: v1.place.boundarySet.offered, options: { search: query.search } },
  })
  const rows = sets.results.map(
    ({ id, name, origin, licence, vintage, visibility, areaCount, updatedAt }) => ({
      ...{ id, name, about: aboutOf({ origin, licence, vintage }), visibility, areaCount, updatedAt },
    }),
  )
  return {
    ...{ query, rows, ...rights, total: sets.meta.total },
    ofEveryone: offered.results
      .filter(({ placeId }) => placeId === null)
      .map(({ id, name, ...about }) => ({ id, name, about: aboutOf(about) })),
    mayCreate: may(args.context.ctx, 'boundarySet.create'),
    mayManage: may(args.context.ctx, 'place.update'),
  }
}

/** Where a set is from: who drew it, of when, under which licence. */
const aboutOf = ({ origin, vintage, licence }: Record<'origin' | 'vintage' | 'licence', string>) =>
  [origin, vintage, licence].filter(Boolean).join(' · ')

export function action(args: ActionFunctionArgs) {
  return actKeeping(args, ({ id = '' }) => ({
    restore: { endpoint: v1.place.boundarySet.restore, params: { boundarySetId: id } },
  }))
}

export const meta = placeTitle('Boundaries')

export default function Boundaries() {
  const { query, rows, total, mayCreate, mayRestore, isDeleted, ofEveryone, mayManage } =
    useLoaderData<typeof loader>()
  useToast(useActionData<typeof action>(), { restore: 'The set is back as it was.' })
  const create = mayCreate ? (
    <Link className="button is-primary" to="/boundaries/create">
      Add boundaries
    </Link>
  ) : undefined
  return (
    <div className="page-wide">
      <PageHead
        title="Boundaries"
        sub="Districts, wards, school areas: what maps are coloured by."
        actions={create}
      />
      {mayManage ? <OrgTabs /> : null}
      <ListBar
        query={query}
        sorts={offer.sorts}
        searchLabel="Search boundaries"
        filters={[{ name: 'visibility', label: 'Visibility', options: visibilityFilter }]}
        end={mayRestore ? <DeletedSwitch noun="sets" isDeleted={isDeleted} /> : null}
      />
      {isDeleted ? (
        rows.length ? (
          <DeletedList rows={rows.map(({ id, name }) => ({ id, name, note: 'Boundary set' }))} />
        ) : (
          <EmptyState {...noneDeleted} />
        )
      ) : rows.length ? (
        <ul className="list">
          {rows.map((set) => (
            <ListItem
              key={set.id}
              to={`/boundaries/${set.id}`}
              title={set.name}
              note={set.about}
              meta={
                <>
                  <span>
                    {set.areaCount} {nounOf(set.areaCount, 'areas')}
                  </span>
                  <Day date={set.updatedAt} />
                  <VisibilityBadge visibility={set.visibility} />
                </>
              }
            />
          ))}
        </ul>
      ) : showsPart(query) ? (
        <EmptyState title="No results!" text="No set of your organization fits what you are looking for." />
      ) : (
        <EmptyState
          title="No boundaries of your own yet"
          text="Bring a file with the areas that your organization thinks in."
          action={create}
        />
      )}
      <Pager query={query} shown={rows.length} total={total} noun="sets" />
      {ofEveryone.length && !isDeleted ? (
        <section aria-labelledby="everyone" className="stack">
          <h2 id="everyone">Of everyone</h2>
          <ul className="list">
            {ofEveryone.map(({ id, name, about }) => (
              <li key={id} className="list-item">
                <strong>{name}</strong> <span className="muted">{about}</span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  )
}

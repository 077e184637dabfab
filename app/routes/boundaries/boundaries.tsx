import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { VisibilityBadge, visibilityFilter } from '#app/components/list/badges.tsx'
import { List } from '#app/components/list/list.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { byName, lastChanged, pickNounForm, type ListOffer } from '#app/components/list/list-query.ts'
import { Day } from '#app/components/list/time.tsx'
import { OrgTabs } from '#app/components/org/org-tabs.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { listRequest } from '#app/server/list.server.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'
import { factsOfSet } from '#functions/shapes/set-facts.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: { name: byName, updated: lastChanged },
  filters: { visibility: visibilityFilter },
}

/** The boundary sets of the place, and the built-in ones. */
export async function loader(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'withPlace')
  const { options, ...list } = await listRequest(args, offer, { deletes: 'boundarySet.delete' })
  const { sets, offeredSets } = await load(args, {
    sets: { endpoint: v1.place.boundarySet.find, options },
    offeredSets: { endpoint: v1.place.boundarySet.offered, options: { search: list.query.search } },
  })
  const rows = sets.results.map(
    ({ id, name, origin, licence, vintage, visibility, areaCount, updatedAt }) => ({
      ...{ id, name, about: formatOrigin({ origin, licence, vintage }), visibility, areaCount, updatedAt },
    }),
  )
  return {
    list: { ...list, total: sets.meta.total },
    rows,
    // The regions of 210 countries would be many screens below the organization's own sets.
    sharedSets: offeredSets.results
      .filter((set) => set.placeId === null && (list.query.search !== '' || set.areaCount === null))
      .map(({ id, name, ...about }) => ({
        ...{ id, name, about: formatOrigin(about), facts: factsOfSet(about) },
        geojson: `/v1/places/${encodeURIComponent(placeId)}/boundarySets/${id}.geojson`,
      })),
    mayCreate: hasPermission(args.context.ctx, 'boundarySet.create'),
    mayManage: hasPermission(args.context.ctx, 'place.update'),
  }
}

/** The origin of a set: author, date, licence. */
const formatOrigin = ({ origin, vintage, licence }: Record<'origin' | 'vintage' | 'licence', string>) =>
  [origin, vintage, licence].filter(Boolean).join(' · ')

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, ({ id = '' }) => ({
    restore: { endpoint: v1.place.boundarySet.restore, params: { boundarySetId: id } },
  }))
}

export const meta = placeTitle('Boundaries')

export default function Boundaries() {
  const { list, rows, mayCreate, sharedSets, mayManage } = useLoaderData<typeof loader>()
  const create = mayCreate ? (
    <Link className="button is-primary" to="/boundaries/create">
      Add boundaries
    </Link>
  ) : undefined
  return (
    <Screen
      title="Boundaries"
      sub="Districts, wards, school areas: what maps are coloured by."
      actions={create}
      done={{ restore: 'The set is back as it was.' }}
    >
      {mayManage ? <OrgTabs /> : null}
      <List
        {...{ offer, list }}
        noun="sets"
        visibleCount={rows.length}
        searchLabel="Search boundaries"
        noResults={{ text: 'No set of your organization fits what you are looking for.' }}
        deleted={rows.map(({ id, name }) => ({ id, name, note: 'Boundary set' }))}
        empty={{
          title: 'No boundaries of your own yet',
          text: 'Upload a file with the areas that your organization works with.',
          action: create,
        }}
      >
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
                    {set.areaCount} {pickNounForm(set.areaCount, 'areas')}
                  </span>
                  <Day date={set.updatedAt} />
                  <VisibilityBadge visibility={set.visibility} />
                </>
              }
            />
          ))}
        </ul>
      </List>
      {sharedSets.length && !list.isDeleted ? (
        <section aria-labelledby="everyone" className="stack">
          <h2 id="everyone">Of everyone</h2>
          {list.query.search === '' ? (
            <p>And the regions of each country: search for the country, or for one of its regions.</p>
          ) : null}
          <ul className="list">
            {sharedSets.map(({ id, name, about, facts, geojson }) => (
              <li key={id} className="list-item">
                <Link to={`/boundaries/everyone/${id}`}>{name}</Link>{' '}
                <span className="muted">
                  {about}
                  {facts ? ` · ${facts}` : ''}
                </span>{' '}
                <a href={geojson} download>
                  GeoJSON<span className="sr-only"> of {name}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </Screen>
  )
}

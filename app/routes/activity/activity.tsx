import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { Trail } from '#app/components/activity/trail.tsx'
import { nameOf } from '#app/components/activity/words.ts'
import { ListBar } from '#app/components/list/list-bar.tsx'
import { listQuery, showsPart, type ListOffer } from '#app/components/list/list-query.ts'
import { Pager } from '#app/components/list/pager.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { actKeeping } from '#app/server/keeping.server.ts'
import { load } from '#app/server/load.server.ts'
import { guard, may } from '#app/server/session.server.ts'
import { mostFileLines } from '#functions/shapes/activity.ts'
import { v1 } from '#functions/v1/index.ts'

const types = {
  source: 'Sources',
  dataType: 'Data types',
  insight: 'Insights',
  collection: 'Collections',
  page: 'Pages',
  importer: 'Importers',
  observer: 'Observers',
  errorReport: 'Reported errors',
  user: 'People',
  invite: 'Invitations',
  key: 'Keys',
  place: 'The organization',
}

const offer: ListOffer = {
  sorts: {
    newest: { label: 'Newest first', field: 'at', direction: 'desc' },
    oldest: { label: 'Oldest first', field: 'at', direction: 'asc' },
  },
  filters: { targetType: Object.keys(types), actorId: null },
}

/** What has happened in the place. The trail is not searched, only narrowed. */
export async function loader(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'withPlace')
  const query = listQuery(new URL(args.request.url), offer)
  const { search: _none, ...options } = query.options
  const { trail, people } = await load(args, {
    trail: { endpoint: v1.place.activity.find, options },
    people: { endpoint: v1.place.user.find, options: { limit: 200 } },
  })
  return {
    query: { ...query, search: '' },
    trail,
    people: people.results.map(({ id, name }) => ({ value: id, label: name })),
    mayHide: may(args.context.ctx, 'activity.delete'),
    csvHref: may(args.context.ctx, 'activity.export') ? csvPath(placeId, query.filters) : null,
  }
}

/** Where the same lines are a file. */
function csvPath(placeId: string, filters: Record<string, string>): string {
  const exportQuery = new URLSearchParams(
    Object.entries(filters).map(([name, value]) => [`filters[${name}]`, value]),
  )
  return `/v1/places/${encodeURIComponent(placeId)}/activities.csv?${exportQuery}`
}

export function action(args: ActionFunctionArgs) {
  return actKeeping(args, (formValues) => ({
    hide: { endpoint: v1.place.activity.deleteById, params: { activityId: formValues.id ?? '' } },
  }))
}

export const meta = placeTitle('Activity')

export default function Activity() {
  const { query, trail, people, mayHide, csvHref } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  useToast(outcome, { hide: 'The line is put away.' })
  const isNarrowed = showsPart(query)
  const options = Object.entries(types).map(([value, label]) => ({ value, label }))
  return (
    <div className="page-wide">
      <PageHead
        title="Activity"
        sub="Who did what in this organization, and when."
        actions={
          csvHref ? (
            <a className="button" href={csvHref} download>
              {trail.meta.total > mostFileLines
                ? `Download the newest ${mostFileLines.toLocaleString('en')} as CSV`
                : 'Download as CSV'}
            </a>
          ) : null
        }
      />
      <ListBar
        query={query}
        sorts={offer.sorts}
        filters={[
          { name: 'targetType', label: 'About', options },
          { name: 'actorId', label: 'By', options: people },
        ]}
      />
      {trail.results.length ? (
        <Trail
          lines={trail.results}
          actions={
            mayHide
              ? (line) => (
                  <Form method="post" preventScrollReset>
                    <input type="hidden" name="id" value={line.id} />
                    <button className="button is-small is-quiet" name="intent" value="hide">
                      Put away<span className="sr-only"> the line about {nameOf(line)}</span>
                    </button>
                  </Form>
                )
              : undefined
          }
        />
      ) : (
        <EmptyState
          title={isNarrowed ? 'No results!' : 'Nothing has happened yet'}
          text={
            isNarrowed
              ? 'No line fits what you are looking for.'
              : 'Whatever your team creates, changes or imports is listed here.'
          }
          action={
            isNarrowed ? (
              <Link className="button" to="/activity">
                Show everything
              </Link>
            ) : null
          }
        />
      )}
      <Pager query={query} shown={trail.results.length} total={trail.meta.total} noun="lines" />
    </div>
  )
}

import { formatNumber } from '#app/components/list/number-format.ts'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, useLoaderData } from '@remix-run/react'
import { ActivityLog } from '#app/components/activity/activity-log.tsx'
import { getTargetName, subjects } from '#app/components/activity/words.ts'
import { List } from '#app/components/list/list.tsx'
import type { ListOffer } from '#app/components/list/list-query.ts'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { listRequest } from '#app/server/list.server.ts'
import { load } from '#app/server/load.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'
import { maxFileLines } from '#functions/shapes/activity.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: {
    newest: { label: 'Newest first', field: 'at', direction: 'desc' },
    oldest: { label: 'Oldest first', field: 'at', direction: 'asc' },
  },
  filters: {
    targetType: {
      label: 'About',
      options: Object.entries(subjects).map(([value, label]) => ({ value, label })),
    },
    actorId: { label: 'By' },
  },
}

/** The audit log of the place, with filters but no search. */
export async function loader(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'withPlace')
  const {
    options: { search: _none, ...options },
    ...list
  } = await listRequest(args, offer)
  const { trail, people } = await load(args, {
    trail: { endpoint: v1.place.activity.find, options },
    people: v1.place.activity.actors,
  })
  return {
    list: { ...list, query: { ...list.query, search: '' }, total: trail.meta.total },
    lines: trail.results,
    people: people.results.map(({ id, name }) => ({ value: id, label: name })),
    mayHide: hasPermission(args.context.ctx, 'activity.delete'),
    csvHref: hasPermission(args.context.ctx, 'activity.export') ? csvPath(placeId, list.query.filters) : null,
  }
}

/** The CSV download of the filtered list. */
function csvPath(placeId: string, filters: Record<string, string>): string {
  const exportQuery = new URLSearchParams(
    Object.entries(filters).map(([name, value]) => [`filters[${name}]`, value]),
  )
  return `/v1/places/${encodeURIComponent(placeId)}/activities.csv?${exportQuery}`
}

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, (formValues) => ({
    hide: { endpoint: v1.place.activity.deleteById, params: { activityId: formValues.id ?? '' } },
  }))
}

export const meta = placeTitle('Activity')

export default function Activity() {
  const { list, lines, people, mayHide, csvHref } = useLoaderData<typeof loader>()
  return (
    <Screen
      title="Activity"
      sub="Who did what in this organization, and when."
      actions={
        csvHref ? (
          <a className="button" href={csvHref} download>
            {list.total > maxFileLines
              ? `Download the newest ${formatNumber(maxFileLines)} as CSV`
              : 'Download as CSV'}
          </a>
        ) : null
      }
      done={{ hide: 'The entry is hidden.' }}
    >
      <List
        {...{ offer, list }}
        noun="lines"
        visibleCount={lines.length}
        searchLabel={null}
        choices={{ actorId: people }}
        noResults={{ all: 'Show everything' }}
        empty={{
          title: 'Nothing has happened yet',
          text: 'Whatever your team creates, changes or imports is listed here.',
        }}
      >
        <ActivityLog
          lines={lines}
          actions={
            mayHide
              ? (line) => (
                  <Form method="post" preventScrollReset>
                    <input type="hidden" name="id" value={line.id} />
                    <button className="button is-small is-quiet" name="intent" value="hide">
                      Hide<span className="sr-only"> the entry about {getTargetName(line)}</span>
                    </button>
                  </Form>
                )
              : undefined
          }
        />
      </List>
    </Screen>
  )
}

import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { ChoicesField } from './choices-field.tsx'
import { ShortForm, useSentForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { readFormErrors } from '#app/components/form/issues.ts'
import {
  pageTypeNames,
  PublishBadge,
  VisibilityBadge,
  visibilityFilter,
} from '#app/components/list/badges.tsx'
import { BulkSelection } from '#app/components/list/bulk-selection.tsx'
import { List } from '#app/components/list/list.tsx'
import { PageItem } from '#app/components/list/page-item.tsx'
import { lastChanged, type ListOffer } from '#app/components/list/list-query.ts'
import { Day } from '#app/components/list/time.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { listRequest } from '#app/server/list.server.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { actionsOffered } from '#app/server/bulk-endpoints.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: {
    updated: lastChanged,
    title: { label: 'By title', field: 'title', direction: 'asc' },
  },
  filters: {
    type: {
      label: 'Type',
      options: Object.entries(pageTypeNames).map(([value, label]) => ({ value, label })),
    },
    publish: {
      label: 'Status',
      options: [
        { value: 'published', label: 'Published' },
        { value: 'draft', label: 'Draft' },
      ],
    },
    visibility: visibilityFilter,
    tag: { label: 'Tag' },
  },
}
/** The purpose of each type, in display order. */
const newTypes = [
  {
    value: 'storytelling',
    label: 'Story',
    hint: 'Words and figures in the order they are read; its figures stay in view while one scrolls.',
  },
  { value: 'dashboard', label: 'Dashboard', hint: 'Figures at a glance on a board, arranged by dragging.' },
  {
    value: 'blank',
    label: 'Page',
    hint: 'An empty page for anything else: a method, a note, a list of links.',
  },
]

export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const { options, ...list } = await listRequest(args, offer, { deletes: 'page.delete', tagged: 'page' })
  const { pages } = await load(args, { pages: { endpoint: v1.place.page.find, options } })
  return {
    list: { ...list, total: pages.meta.total },
    rows: pages.results,
    actions: actionsOffered(args, 'pages', pages.results.length),
    mayCreate: hasPermission(args.context.ctx, 'page.create'),
  }
}

export function action(args: ActionFunctionArgs) {
  const then = ({ id, type }: { id: string; type: string }) => `/pages/${type}/${id}/modify`
  return handleFormKeepingValues(args, (formValues) => ({
    create: {
      endpoint: v1.place.page.create,
      data: () => ({ title: formValues.title, type: formValues.type }),
      then,
    },
    restore: { endpoint: v1.place.page.restore, params: { pageId: formValues.id ?? '' } },
  }))
}

export const meta = placeTitle('Pages')

export default function Pages() {
  const { list, rows, actions, mayCreate } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  return (
    <Screen
      title="Pages"
      sub="Stories, pages and dashboards: what the data mean."
      actions={
        mayCreate ? (
          <a className="button is-primary" href="#new">
            New page
          </a>
        ) : null
      }
      done={{ restore: 'The page is back as it was.' }}
    >
      {/* Who is refused because the role has changed keeps the words, and reads why. */}
      {mayCreate || readFormErrors(outcome) ? <NewPage /> : null}
      <List
        {...{ offer, list }}
        noun="pages"
        visibleCount={rows.length}
        deleted={rows.map(({ id, title, type }) => ({ id, name: title, note: pageTypeNames[type] ?? type }))}
        empty={{
          title: 'No pages yet',
          text: 'A story explains in words and figures what the data mean.',
          action: mayCreate ? (
            <a className="button is-primary" href="#new">
              Write the first one
            </a>
          ) : null,
        }}
      >
        <BulkSelection to="/many/pages" actions={actions}>
          <ul className="list">
            {rows.map((page) => (
              <PageItem key={page.id} page={page}>
                <Day date={page.updatedAt} />
                <PublishBadge publish={page.publish} />
                <VisibilityBadge visibility={page.visibility} />
              </PageItem>
            ))}
          </ul>
        </BulkSelection>
      </List>
    </Screen>
  )
}

/** The form for a new page, with the submitted values after an error. */
function NewPage() {
  const { errors, formValues } = useSentForm('create')
  return (
    <ShortForm
      id="new"
      className={errors ? 'form card card-body only-target is-open' : 'form card card-body only-target'}
      names={['title', 'type']}
      save={{ intent: 'create', label: 'Create', doing: 'Creating…' }}
    >
      <TextField label="Title" name="title" required maxLength={200} />
      <ChoicesField
        legend="What it is"
        name="type"
        options={newTypes}
        value={formValues?.type ?? 'storytelling'}
      />
    </ShortForm>
  )
}

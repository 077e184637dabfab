import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { SelectField, TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { refusalIn } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { pageTypeNames, PublishBadge, VisibilityBadge } from '#app/components/list/badges.tsx'
import { ListBar } from '#app/components/list/list-bar.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { listQuery, type ListOffer } from '#app/components/list/list-query.ts'
import { Pager } from '#app/components/list/pager.tsx'
import { Day } from '#app/components/list/time.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { act, load } from '#app/server/load.server.ts'
import { guard, may } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: {
    updated: { label: 'Last changed first', field: 'updatedAt', direction: 'desc' },
    title: { label: 'By title', field: 'title', direction: 'asc' },
  },
  filters: { type: ['storytelling', 'blank', 'dashboard'], publish: ['draft', 'published'] },
}
const typeOptions = Object.entries(pageTypeNames).map(([value, label]) => ({ value, label }))
const newTypeOptions = typeOptions.filter(({ value }) => value !== 'dashboard')
const publishOptions = [
  { value: 'published', label: 'Published' },
  { value: 'draft', label: 'Draft' },
]

export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const query = listQuery(new URL(args.request.url), offer)
  const { pages } = await load(args, { pages: { endpoint: v1.place.page.find, options: query.options } })
  return { query, pages, mayCreate: may(args.context.ctx, 'page.create') }
}

export function action(args: ActionFunctionArgs) {
  const then = ({ id, type }: { id: string; type: string }) => `/pages/${type}/${id}/modify`
  return act(args, { create: { endpoint: v1.place.page.create, then } })
}

export const meta = placeTitle('Pages')

export default function Pages() {
  const { query, pages, mayCreate } = useLoaderData<typeof loader>()
  const refused = refusalIn(useActionData<typeof action>())
  const isNarrowed = query.search !== '' || Object.keys(query.filters).length > 0
  return (
    <div className="page-wide">
      <PageHead
        title="Pages"
        sub="Stories, pages and dashboards: what the data mean."
        actions={
          mayCreate ? (
            <a className="button is-primary" href="#new">
              New page
            </a>
          ) : null
        }
      />
      {mayCreate ? (
        <Form
          method="post"
          id="new"
          className={refused ? 'inline-form card only-target is-open' : 'inline-form card only-target'}
        >
          <FormError refused={refused} names={['title', 'type']} />
          <TextField label="Title" name="title" required maxLength={200} refused={refused} />
          <SelectField label="Type" name="type" options={newTypeOptions} refused={refused} />
          <SubmitButton intent="create" doing="Creating…">
            Create
          </SubmitButton>
        </Form>
      ) : null}
      <ListBar
        query={query}
        sorts={offer.sorts}
        searchLabel="Search pages"
        filters={[
          { name: 'type', label: 'Type', options: typeOptions },
          { name: 'publish', label: 'Status', options: publishOptions },
        ]}
      />
      {pages.results.length ? (
        <ul className="list">
          {pages.results.map((page) => (
            <ListItem
              key={page.id}
              to={`/pages/${page.type}/${page.id}`}
              title={page.title}
              note={page.description}
              meta={
                <>
                  <span className="list-kind">{pageTypeNames[page.type]}</span>
                  <Day date={page.updatedAt} />
                  <PublishBadge publish={page.publish} />
                  <VisibilityBadge visibility={page.visibility} />
                </>
              }
            />
          ))}
        </ul>
      ) : isNarrowed ? (
        <EmptyState title="No results!" text="No page fits what you are looking for." />
      ) : (
        <EmptyState title="No pages yet" text="A story explains in words and figures what the data mean." />
      )}
      <Pager query={query} shown={pages.results.length} total={pages.meta.total} noun="pages" />
    </div>
  )
}

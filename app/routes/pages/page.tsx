import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useLoaderData } from '@remix-run/react'
import { Board } from './dashboard/board.tsx'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { ActionError } from '#app/components/form/form-error.tsx'
import { pageTypeNames, PublishBadge, VisibilityBadge } from '#app/components/list/badges.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { ReadBlock } from './story/read-block.tsx'
import { handleForm } from '#app/server/load.server.ts'
import { pageScreen } from './page.server.ts'
import { v1 } from '#functions/v1/index.ts'

export const loader = pageScreen

export function action(args: ActionFunctionArgs) {
  return handleForm(args, {
    delete: { endpoint: v1.place.page.deleteById, then: () => '/pages?deleted=true' },
  })
}

export const meta = placeTitle<{ page: { title: string } }>(({ page }) => page.title)

/** A story, page or dashboard as members of its place read it. */
export default function Page() {
  const { page, blocks, modifyUrl, mayUpdate } = useLoaderData<typeof loader>()
  const isDashboard = page.type === 'dashboard'
  return (
    <div className={isDashboard ? 'page-wide' : 'page-narrow'}>
      <PageHead
        title={page.title}
        crumbs={[{ label: 'Pages', to: '/pages' }]}
        badges={
          <>
            <span className="badge">{pageTypeNames[page.type]}</span>
            <PublishBadge publish={page.publish} />
            <VisibilityBadge visibility={page.visibility} />
          </>
        }
        sub={page.description}
        actions={<PageActions />}
      />
      <ActionError />
      {blocks.length && isDashboard ? (
        <Board blocks={blocks} />
      ) : blocks.length ? (
        <div className="story-blocks">
          {blocks.map((block) => (
            <div key={block.id}>
              <ReadBlock block={block} />
            </div>
          ))}
        </div>
      ) : (
        <EmptyState
          title="Nothing on this page yet"
          text="It is made of texts, figures and pictures."
          action={
            mayUpdate && modifyUrl ? (
              <Link className="button is-primary" to={modifyUrl}>
                Write the first block
              </Link>
            ) : null
          }
        />
      )}
    </div>
  )
}

/** Its public URL, and its actions. */
function PageActions() {
  const { page, hubUrl, previewUrl, modifyUrl, mayUpdate, mayCopy, mayDelete } =
    useLoaderData<typeof loader>()
  return (
    <>
      {hubUrl ? (
        <a className="button" href={hubUrl}>
          Open on the hub
        </a>
      ) : null}
      {previewUrl ? (
        <a className="button" href={previewUrl}>
          Preview
        </a>
      ) : null}
      {mayUpdate && modifyUrl ? (
        <Link className="button is-primary" to={modifyUrl}>
          Modify
        </Link>
      ) : null}
      {mayCopy ? (
        <Link className="button" to={`/duplicate/pages/${page.id}`}>
          Duplicate
        </Link>
      ) : null}
      {mayDelete ? (
        <Form method="post">
          <ConfirmButton
            intent="delete"
            question={`Delete “${page.title}”?`}
            text="Readers lose it within seconds. For 30 days it can be brought back from the list of deleted pages."
            answer="Delete"
            className="button is-danger"
          >
            Delete
          </ConfirmButton>
        </Form>
      ) : null}
    </>
  )
}

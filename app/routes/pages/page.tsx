import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import type { CSSProperties } from 'react'
import { pageTypeNames, PublishBadge, VisibilityBadge } from '#app/components/list/badges.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { ReadBlock } from '#app/components/story/read-block.tsx'
import { pageScreen } from '#app/server/page-screen.server.ts'

export function loader(args: LoaderFunctionArgs) {
  return pageScreen(args)
}

export const meta = placeTitle<{ page: { title: string } }>(({ page }) => page.title)

/** A story, page or dashboard as the people of its place read it. */
export default function Page() {
  const { page, blocks, hubUrl, previewUrl, modifyUrl, mayUpdate } = useLoaderData<typeof loader>()
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
        actions={
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
          </>
        }
      />
      {blocks.length ? (
        <div className={isDashboard ? 'board' : 'story-blocks'}>
          {blocks.map((block) => (
            <div
              key={block.id}
              className={isDashboard ? 'card board-item' : undefined}
              style={isDashboard ? span(block.settings) : undefined}
            >
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

const columns = 12

/** How many of the twelve columns a block of a dashboard takes; all of them without a width of its own. */
function span({ w }: Record<string, unknown>) {
  const width = typeof w === 'number' ? Math.min(Math.max(w, 1), columns) : columns
  return { '--span': width } as CSSProperties
}

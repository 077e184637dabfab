import { Link, useLoaderData } from '@remix-run/react'
import { Board } from './dashboard/board.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { pageScreen } from './page.server.ts'

export const loader = pageScreen

export const meta = placeTitle<{ page: { title: string } }>(({ page }) => page.title)

/** A dashboard with only its title: for large screens, and as a preview. */
export default function DashboardPreview() {
  const { page, blocks, mayUpdate, modifyUrl } = useLoaderData<typeof loader>()
  return (
    <div className="page-full">
      <PageHead
        title={page.title}
        sub={page.description}
        crumbs={[
          { label: 'Pages', to: '/pages' },
          { label: page.title, to: `/pages/${page.type}/${page.id}` },
        ]}
        actions={
          mayUpdate ? (
            <Link className="button" to={modifyUrl}>
              Modify
            </Link>
          ) : null
        }
      />
      {blocks.length ? (
        <Board blocks={blocks} />
      ) : (
        <EmptyState title="Nothing on this dashboard yet" text="Figures of your data come here." />
      )}
    </div>
  )
}

import { Link, Outlet, useLoaderData } from '@remix-run/react'
import { VisibilityBadge } from '#app/components/list/badges.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { SourceNav } from './source-nav.tsx'
import { sourceHead } from './source.server.ts'

/** The head of a source with its tabs; each tab is a nested route. */
export const loader = sourceHead

export { revalidateTabs as shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle<{ source: { name: string } }>(({ source }) => source.name)

export default function Source() {
  const head = useLoaderData<typeof loader>()
  const { source, tabs } = head
  return (
    <Screen
      isStack
      title={source.name}
      crumbs={[{ label: 'Data', to: '/sources' }]}
      badges={<VisibilityBadge visibility={source.visibility} />}
      sub={source.notes}
      actions={<SourceActions {...head} />}
    >
      <SourceNav id={source.id} tabs={tabs} />
      <Outlet />
    </Screen>
  )
}

type Head = ReturnType<typeof useLoaderData<typeof loader>>

function SourceActions({ hubUrl, source, rights }: Pick<Head, 'hubUrl' | 'source' | 'rights'>) {
  return (
    <>
      {hubUrl ? (
        <a className="button" href={hubUrl}>
          Open on the hub
        </a>
      ) : null}
      {rights.mayImport ? (
        <Link className="button" to={`/sources/${source.id}/importers/create`}>
          Import
        </Link>
      ) : null}
      {rights.mayCopy ? (
        <Link className="button" to={`/duplicate/sources/${source.id}`}>
          Duplicate
        </Link>
      ) : null}
      {rights.mayChart && source.count > 0 ? (
        <Link className="button" to={`/insights/create?source=${source.id}`}>
          Ask a question
        </Link>
      ) : null}
    </>
  )
}

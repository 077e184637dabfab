import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { pageTypeNames, PublishBadge, VisibilityBadge } from '#app/components/list/badges.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { Count, Day } from '#app/components/list/time.tsx'
import { useRoot } from '#app/root.tsx'
import { load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

const latest = { orderings: [{ value: { field: 'updatedAt' }, direction: 'desc' }], limit: 6 }

export function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  return load(args, {
    pages: { endpoint: v1.place.page.find, options: latest },
    sources: { endpoint: v1.place.source.find, options: latest },
    collections: { endpoint: v1.place.collection.find, options: latest },
  })
}

export const meta = placeTitle('Home')

export default function Home() {
  const { pages, sources, collections } = useLoaderData<typeof loader>()
  const place = useRoot()?.main?.place
  return (
    <div className="page-wide">
      <PageHead
        title={place?.displayName ?? 'Home'}
        sub="What was worked on last."
        actions={
          place?.isHub ? (
            <a className="button" href={place.publicUrl}>
              Open the hub
            </a>
          ) : null
        }
      />
      <Recent title="Pages" to="/pages" total={pages.meta.total} empty="Pages tell what your data mean.">
        {pages.results.map((page) => (
          <ListItem
            key={page.id}
            to={`/pages/${page.type}/${page.id}`}
            title={page.title}
            note={page.description}
            meta={
              <>
                <span className="list-kind">{pageTypeNames[page.type]}</span>
                <PublishBadge publish={page.publish} />
                <Day date={page.updatedAt} />
              </>
            }
          />
        ))}
      </Recent>
      <div className="columns">
        <Recent
          title="Data"
          to="/sources"
          total={sources.meta.total}
          empty="Sources hold the records of your organization."
        >
          {sources.results.map((source) => (
            <ListItem
              key={source.id}
              to={`/sources/${source.id}`}
              title={source.name}
              note={
                <>
                  <Count n={source.count} /> records
                </>
              }
              meta={<VisibilityBadge visibility={source.visibility} />}
            />
          ))}
        </Recent>
        <Recent
          title="Collections"
          to="/collections"
          total={collections.meta.total}
          empty="Collections gather insights under a name."
        >
          {collections.results.map((collection) => (
            <ListItem
              key={collection.id}
              to={`/collections/${collection.id}`}
              title={collection.name}
              note={collection.notes}
              meta={<VisibilityBadge visibility={collection.visibility} />}
            />
          ))}
        </Recent>
      </div>
    </div>
  )
}

function Recent(props: { title: string; to: string; total: number; empty: string; children: ReactNode[] }) {
  const { title, to, total, empty, children } = props
  return (
    <section className="recent">
      <h2 className="section-title">
        <Link to={to}>{title}</Link> <span className="muted">{total}</span>
      </h2>
      {children.length ? (
        <ul className="list">{children}</ul>
      ) : (
        <EmptyState level={3} title="Nothing here yet" text={empty} />
      )}
    </section>
  )
}

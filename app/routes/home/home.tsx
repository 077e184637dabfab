import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { ActionError } from '#app/components/form/form-error.tsx'
import { HubTroubles } from '#app/components/org/hub-troubles.tsx'
import { ActivityLog } from '#app/components/activity/activity-log.tsx'
import { FirstSteps } from './first-steps.tsx'
import { SampleData } from './sample-data.tsx'
import { AttentionList } from './attention-list.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { PublishBadge, VisibilityBadge } from '#app/components/list/badges.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { PageItem } from '#app/components/list/page-item.tsx'
import { CompletenessMark } from '#app/components/list/completeness.tsx'
import { Count, Day, Moment } from '#app/components/list/time.tsx'
import { WaitingInvites } from '#app/components/list/waiting-invites.tsx'
import { useRoot } from '#app/root.tsx'
import { homeScreen } from './home.server.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { v1 } from '#functions/v1/index.ts'

export const loader = homeScreen

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, () => ({
    publishNow: { endpoint: v1.place.publishHub, data: () => undefined },
    addSample: { endpoint: v1.place.addSample, data: () => undefined },
    removeSample: { endpoint: v1.place.removeSample, data: () => undefined },
  }))
}

export const meta = placeTitle('Home')

export default function Home() {
  const {
    pages,
    sources,
    collections,
    described: completenessById,
    mayDescribe,
    invites,
    changes,
    readers,
    begun: firstSteps,
    opened: recentThings,
    sample,
  } = useLoaderData<typeof loader>()
  const place = useRoot()?.main?.place
  return (
    <Screen
      title={place?.displayName ?? 'Home'}
      sub="What needs you, what has happened, and what was worked on."
      actions={
        place?.isHub ? (
          <a className="button" href={place.publicUrl}>
            Open the hub
          </a>
        ) : null
      }
      done={{
        publishNow: 'It is being tried now. Look again in a moment.',
        addSample: 'The sample data are here.',
        removeSample: 'The sample data are gone.',
      }}
    >
      <WaitingInvites invites={invites} />
      {firstSteps && place ? <FirstSteps {...firstSteps} isHub={place.isHub} /> : null}
      {sample ? <SampleData {...sample} /> : null}
      <Attention />
      {changes ? <Changes {...changes} /> : null}
      {readers ? <Readers {...readers} /> : null}
      {recentThings.length ? <Opened opened={recentThings} /> : null}
      <RecentWork {...{ pages, sources, collections, described: completenessById, mayDescribe }} />
    </Screen>
  )
}

/** What needs attention: hub, importers, sources, pages. */
function Attention() {
  const { todos, more, troubles, mayPublish } = useLoaderData<typeof loader>()
  const others = [
    more.importers > 0 ? `${more.importers} more importers failed` : '',
    more.refusing > 0 ? `${more.refusing} more importers refused rows` : '',
    more.sources > 0 ? `${more.sources} more sources are late` : '',
  ].filter(Boolean)
  return (
    <section className="recent stack" aria-labelledby="attention">
      <h2 className="section-title" id="attention">
        Needs attention
      </h2>
      <ActionError />
      <HubTroubles troubles={troubles} mayRetry={mayPublish} />
      {todos.length ? (
        <AttentionList todos={todos} />
      ) : troubles.length ? null : (
        <p className="muted">
          Nothing: no importer has failed, no data are late, and no page waits to be published.
        </p>
      )}
      {others.length ? (
        <p className="muted">
          {others.join(', ')}. <Link to="/sources">All sources</Link>
        </p>
      ) : null}
    </section>
  )
}

type Screen = ReturnType<typeof useLoaderData<typeof loader>>

/** Changes since the person's last visit; on the first visit the latest ones. */
function Changes({ since, lines, total }: NonNullable<Screen['changes']>) {
  return (
    <section className="recent stack" aria-labelledby="activity">
      <h2 className="section-title" id="activity">
        {since ? 'Since you were last here' : <Link to="/activity">Activity</Link>}
      </h2>
      {since ? (
        <p className="muted">
          {total === 0 ? 'Nothing has changed since' : `${total} ${total === 1 ? 'change' : 'changes'} since`}{' '}
          <Moment date={since} />, when you last came with this browser.
        </p>
      ) : null}
      {lines.length ? <ActivityLog lines={lines} level={3} /> : null}
      {lines.length === 0 && !since ? (
        <p className="muted">Whatever your team creates, changes or imports is listed here.</p>
      ) : null}
      {since ? (
        <p>
          <Link to="/activity">
            {total > lines.length ? `All ${total} changes and earlier ones` : 'All activity'}
          </Link>
        </p>
      ) : null}
    </section>
  )
}

/** What this person opened recently, from the browser's cookie. */
function Opened({ opened: recentThings }: Pick<Screen, 'opened'>) {
  return (
    <section className="recent stack" aria-labelledby="opened">
      <h2 className="section-title" id="opened">
        You opened last
      </h2>
      <ul className="list">
        {recentThings.map(({ to, name, kind }) => (
          <ListItem key={to} to={to} title={name} meta={<span className="list-kind">{kind}</span>} />
        ))}
      </ul>
    </section>
  )
}

/** The usage of the hub. */
function Readers({ views, visits, downloads, page }: NonNullable<Screen['readers']>) {
  return (
    <section className="recent stack" aria-labelledby="readers">
      <h2 className="section-title" id="readers">
        <Link to="/hub/usage">Your readers this week</Link>
      </h2>
      <dl className="facts">
        <div>
          <dt>Visits</dt>
          <dd>
            <Count n={visits} />
          </dd>
        </div>
        <div>
          <dt>Pages read</dt>
          <dd>
            <Count n={views} />
          </dd>
        </div>
        <div>
          <dt>Files taken</dt>
          <dd>
            <Count n={downloads} />
          </dd>
        </div>
        {page ? (
          <div>
            <dt>Read most</dt>
            <dd>
              {page.path} (<Count n={page.views} />)
            </dd>
          </div>
        ) : null}
      </dl>
    </section>
  )
}

/** Recently changed pages, sources and collections. */
function RecentWork({
  pages,
  sources,
  collections,
  described: completenessById,
  mayDescribe,
}: Pick<Screen, 'pages' | 'sources' | 'collections' | 'described' | 'mayDescribe'>) {
  return (
    <>
      <Recent title="Pages" to="/pages" total={pages.meta.total} empty="Pages tell what your data mean.">
        {pages.results.map((page) => (
          <PageItem key={page.id} page={page}>
            <PublishBadge publish={page.publish} />
            <Day date={page.updatedAt} />
          </PageItem>
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
              meta={
                <>
                  <CompletenessMark
                    completeness={completenessById[source.id]}
                    source={mayDescribe ? source : undefined}
                  />
                  <VisibilityBadge visibility={source.visibility} />
                </>
              }
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
    </>
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

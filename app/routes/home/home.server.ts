import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { ToDo } from './attention-list.tsx'
import { v1 } from '#functions/v1/index.ts'
import { troublesOf } from '#app/server/hub-problems.server.ts'
import { load } from '#app/server/load.server.ts'
import { guard, may } from '#app/server/session.server.ts'

const latest = { orderings: [{ value: { field: 'updatedAt' }, direction: 'desc' }], limit: 6 }
const drafts = { ...latest, filters: { publish: 'draft' }, limit: 5 }
const unanswered = { filters: { status: 'pending' }, limit: 1 }
const lines = { orderings: [{ value: { field: 'at' }, direction: 'desc' }], limit: 12 }

/** A place as one comes to it: what needs someone, what was worked on last, and what has happened. */
export async function homeScreen(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const { ctx } = args.context
  const mayFollow = may(ctx, 'activity.read')
  const mayWrite = may(ctx, 'page.update')
  const maySetUp = may(ctx, 'place.update')
  const [recent, followed, alerts, unpublished, charts, joining] = await Promise.all([
    load(args, {
      pages: { endpoint: v1.place.page.find, options: latest },
      sources: { endpoint: v1.place.source.find, options: latest },
      collections: { endpoint: v1.place.collection.find, options: latest },
    }),
    mayFollow
      ? load(args, {
          attention: v1.place.attention,
          trail: { endpoint: v1.place.activity.find, options: lines },
        })
      : null,
    may(ctx, 'observer.read') ? alertsOf(args) : [],
    mayWrite ? load(args, { pages: { endpoint: v1.place.page.find, options: drafts } }) : null,
    maySetUp ? load(args, { insights: { endpoint: v1.place.insight.find, options: { limit: 1 } } }) : null,
    may(ctx, 'joinRequest.read')
      ? load(args, { requests: { endpoint: v1.place.joinRequest.find, options: unanswered } })
      : null,
  ])
  const attention = followed?.attention
  const todos: ToDo[] = [
    ...(attention?.importers ?? []).map((each) => ({
      id: each.id,
      level: 'danger' as const,
      to: `/sources/${each.sourceId}/importers/${each.id}/${each.jobId}`,
      title: `${each.name} failed`,
      note: each.error ?? `It brings records into ${each.sourceName}.`,
      at: each.finishedAt,
    })),
    ...alerts,
    ...errorReportsIn(attention?.openErrorReports ?? 0),
    ...joinRequestsIn(joining?.requests.meta.total ?? 0),
    ...(attention?.staleSources ?? []).slice(0, 5).map((each) => ({
      id: each.id,
      level: 'warning' as const,
      to: `/sources/${each.id}`,
      title: `${each.name} grew old`,
      note: 'Its records did not change for 90 days.',
      at: each.dataUpdatedAt,
    })),
    ...(unpublished?.pages.results ?? []).map((page) => ({
      id: page.id,
      level: 'info' as const,
      to: `/pages/${page.type}/${page.id}`,
      title: page.title,
      note: 'A draft: readers do not see it yet.',
      at: page.updatedAt,
    })),
  ]
  return {
    ...recent,
    invite: ctx.actor.invite ?? null,
    /** What the way to a hub is known by; null for who cannot go it. */
    begun: charts && { hasData: recent.sources.meta.total > 0, hasChart: charts.insights.meta.total > 0 },
    troubles: troublesOf(attention?.hub ?? [], ctx.now()),
    mayPublish: may(ctx, 'page.publish'),
    todos,
    /** Those that are not among the ones shown. */
    more: {
      importers: (attention?.importersTotal ?? 0) - (attention?.importers.length ?? 0),
      sources: Math.max(0, (attention?.staleSourcesTotal ?? 0) - 5),
    },
    trail: followed?.trail.results ?? null,
  }
}

/** The observers with alerts that the person has not read, those with most first. */
async function alertsOf(args: LoaderFunctionArgs): Promise<ToDo[]> {
  const { unread } = await load(args, { unread: v1.place.observer.unread })
  const ids = Object.keys(unread.byObserver)
  if (!ids.length) return []
  const { observers } = await load(args, {
    observers: { endpoint: v1.place.observer.find, options: { filters: { id: { $in: ids } }, limit: 20 } },
  })
  return observers.results
    .map((observer) => ({ observer, count: unread.byObserver[observer.id] ?? 0 }))
    .sort((a, b) => b.count - a.count)
    .slice(0, 5)
    .map(({ observer, count }) => ({
      id: observer.id,
      level: 'warning' as const,
      to: `/types/${observer.dataTypeId}/observers/${observer.id}`,
      title: observer.name,
      note: count === 1 ? 'One alert is not read.' : `${count} alerts are not read.`,
      at: null,
    }))
}

/** The reports of readers that nobody has looked into, as one thing to do; nothing while there are none. */
function errorReportsIn(count: number): ToDo[] {
  if (count === 0) return []
  return [
    {
      id: 'error-reports',
      level: 'warning',
      to: '/error-reports?status=open',
      title: count === 1 ? 'A reader reported an error' : `Readers reported ${count} errors`,
      note: `Nobody has answered or closed ${count === 1 ? 'it' : 'them'} yet.`,
      at: null,
    },
  ]
}

/** Those who ask to be let into the organization, as one thing to do; nothing while there are none. */
function joinRequestsIn(count: number): ToDo[] {
  if (count === 0) return []
  return [
    {
      id: 'join-requests',
      level: 'warning',
      to: '/team',
      title: count === 1 ? 'Someone asks to join' : `${count} people ask to join`,
      note: 'They wait for an answer.',
      at: null,
    },
  ]
}

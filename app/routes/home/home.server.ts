import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { recordVisit } from './last-visit.server.ts'
import { loadTodos } from './todos.server.ts'
import type { SampleDataProps } from './sample-data.tsx'
import { describeWhoMay } from '#functions/domain/access/who-may.ts'
import { v1 } from '#functions/v1/index.ts'
import { toHubTroubles } from '#app/server/hub-problems.server.ts'
import { load } from '#app/server/load.server.ts'
import { listRecentlyOpened } from '#app/server/recent.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'

const latest = { orderings: [{ value: { field: 'updatedAt' }, direction: 'desc' }], limit: 6 }
const newestFirst = [{ value: { field: 'at' }, direction: 'desc' }]
const maxLines = 12

/** What the first steps are counted from. */
const stepTexts = {
  insights: { endpoint: v1.place.insight.find, options: { limit: 1 } },
  published: {
    endpoint: v1.place.page.find,
    options: { filters: { visibility: 'public', publish: 'published' }, limit: 1 },
  },
  open: { endpoint: v1.place.source.find, options: { filters: { visibility: 'public' }, limit: 1 } },
}

/** The home screen of a place: what needs attention, changes since the last visit, hub usage, recent work. */
export async function homeScreen(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'withPlace')
  const { ctx } = args.context
  const mayFollow = hasPermission(ctx, 'activity.read')
  const maySetUp = hasPermission(ctx, 'place.update')
  const since = mayFollow && placeId ? recordVisit(args, placeId) : null
  const lines = {
    ...{ orderings: newestFirst, limit: maxLines },
    ...(since && { filters: { at: { $gt: since.toISOString() } } }),
  }
  const [recent, recentThings, followed, work, setUp, readers, sample] = await Promise.all([
    load(args, {
      pages: { endpoint: v1.place.page.find, options: latest },
      sources: { endpoint: v1.place.source.find, options: latest },
      collections: { endpoint: v1.place.collection.find, options: latest },
    }),
    listRecentlyOpened(args),
    mayFollow
      ? load(args, {
          trail: { endpoint: v1.place.activity.find, options: lines },
          described: { endpoint: v1.place.source.completeness, options: latest },
        })
      : null,
    loadTodos(args),
    maySetUp ? load(args, stepTexts) : null,
    hasPermission(ctx, 'place.usage') ? loadHubUsage(args) : null,
    mayFollow ? loadSampleData(args) : null,
  ])
  const countSampleThings = (noun: string) =>
    sample?.sample.things.filter((thing) => thing.noun === noun).length ?? 0
  return {
    ...recent,
    opened: recentThings.slice(0, 8),
    invites: ctx.actor.invites ?? [],
    /** The progress of the first steps; null without permission. */
    begun: setUp && {
      // Sample data do not count.
      hasData: recent.sources.meta.total > countSampleThings('source'),
      hasChart: setUp.insights.meta.total > countSampleThings('insight'),
      hasPage: recent.pages.meta.total > countSampleThings('page'),
      // These never are sample data.
      hasPublished: setUp.published.meta.total + setUp.open.meta.total > 0,
    },
    /** Null without permission to read the audit log. */
    sample,
    troubles: toHubTroubles(work.hub, ctx.now()),
    mayPublish: hasPermission(ctx, 'page.publish'),
    todos: work.todos,
    more: work.more,
    /** Null without permission to read the audit log. `total` includes entries that are not shown. */
    changes: followed && {
      since,
      lines: followed.trail.results,
      total: followed.trail.meta.total,
    },
    described: Object.fromEntries(
      (followed?.described.results ?? []).map(({ id, completeness }) => [id, completeness]),
    ),
    mayDescribe: hasPermission(ctx, 'source.update'),
    readers,
  }
}

/** The sample data of the place, or their description; and why the person may not create or remove them. */
async function loadSampleData(args: LoaderFunctionArgs): Promise<SampleDataProps> {
  const { ctx } = args.context
  const { sample } = await load(args, { sample: v1.place.sample })
  const operation = sample.isPresent ? 'dataType.delete' : 'dataType.create'
  const isShown = sample.isPresent || sample.refusal === null
  if (!isShown || hasPermission(ctx, operation)) return { sample, whoMay: null }
  const does = sample.isPresent ? 'remove sample data' : 'bring in sample data'
  return {
    sample,
    whoMay: (await describeWhoMay(ctx, operation, ctx.placeId, does)) ?? 'Your role may not do this.',
  }
}

/** The hub's usage in the last seven days; null without data. */
async function loadHubUsage(args: LoaderFunctionArgs) {
  const { usage } = await load(args, { usage: { endpoint: v1.place.hubUsage, options: { days: 7 } } })
  if (!usage || !('views' in usage)) return null
  const downloads = usage.downloads.reduce((sum, { times }) => sum + times, 0)
  if (usage.views === 0 && downloads === 0) return null
  const [first] = usage.pages.filter(({ name }) => name !== null && name !== '404')
  return {
    ...{ views: usage.views, visits: usage.visits, downloads },
    page: first?.name ? { path: first.name, views: first.views } : null,
  }
}

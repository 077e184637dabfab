import { formatNumber } from '#app/components/list/number-format.ts'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { ToDo } from './attention-list.tsx'
import { calendarDay } from '#app/components/list/date-format.ts'
import { getDateLocale } from '#app/server/reader.server.ts'
import { load } from '#app/server/load.server.ts'
import { hasPermission } from '#app/server/session.server.ts'
import { samplePrefix } from '#functions/shapes/sample.ts'
import { v1 } from '#functions/v1/index.ts'

const maxSources = 5
const drafts = {
  orderings: [{ value: { field: 'updatedAt' }, direction: 'desc' }],
  filters: { publish: 'draft' },
  limit: 5,
}
const pending = { filters: { status: 'pending' }, limit: 1 }
const expired = { filters: { status: 'expired' }, limit: 1 }

/** What needs the person's attention in the place, broken things first; the number of further ones, and why its hub is outdated. */
export async function loadTodos(args: LoaderFunctionArgs) {
  const { ctx } = args.context
  const [followed, alerts, unpublished, joining, asking, invited] = await Promise.all([
    hasPermission(ctx, 'activity.read') ? load(args, { attention: v1.place.attention }) : null,
    hasPermission(ctx, 'observer.read') ? loadAlertTodos(args) : [],
    hasPermission(ctx, 'page.update')
      ? load(args, { pages: { endpoint: v1.place.page.find, options: drafts } })
      : null,
    hasPermission(ctx, 'joinRequest.read')
      ? load(args, { requests: { endpoint: v1.place.joinRequest.find, options: pending } })
      : null,
    // Of the whole product, not of the place: for super admins.
    hasPermission(ctx, 'placeRequest.read', null)
      ? load(args, { requests: { endpoint: v1.placeRequest.find, options: pending } })
      : null,
    hasPermission(ctx, 'invite.read')
      ? load(args, {
          waiting: { endpoint: v1.place.invite.find, options: pending },
          expired: { endpoint: v1.place.invite.find, options: expired },
        })
      : null,
  ])
  const attention = followed?.attention
  const todos: ToDo[] = [
    ...(attention ? brokenIn(attention) : []),
    ...alerts,
    ...importedIn(attention?.imported ?? null),
    ...errorReportsIn(attention?.openErrorReports ?? 0),
    ...joinRequestsIn(joining?.requests.meta.total ?? 0),
    ...placeRequestsIn(asking?.requests.meta.total ?? 0),
    ...(attention ? lateIn(attention, getDateLocale(args.request)) : []),
    ...invitesIn(invited?.waiting.meta.total ?? 0, invited?.expired.meta.total ?? 0),
    ...(unpublished?.pages.results ?? []).filter(isOwn).map((page) => ({
      ...{ id: page.id, level: 'info' as const, title: page.title, at: page.updatedAt },
      note: 'A draft: readers do not see it yet.',
      ...{ to: `/pages/${page.type}/${page.id}`, action: 'Go on writing' },
    })),
  ]
  return {
    todos,
    hub: attention?.hub ?? [],
    /** The numbers of those that are not shown. */
    more: {
      importers: (attention?.importersTotal ?? 0) - (attention?.importers.length ?? 0),
      refusing: (attention?.refusingTotal ?? 0) - (attention?.refusing.length ?? 0),
      sources: Math.max(0, (attention?.staleSourcesTotal ?? 0) - maxSources),
    },
  }
}

/** Sample data are ignored, as they are not for readers. */
const isOwn = ({ title }: { title: string }) => !title.startsWith(samplePrefix)

type Attention = Awaited<ReturnType<typeof load<{ attention: typeof v1.place.attention }>>>['attention']

/** What is broken: importers, webhooks, tiles. */
function brokenIn({ importers, refusing, webhooks, boundarySets }: Attention): ToDo[] {
  return [
    ...importers.map((each) => ({
      ...{ id: each.id, level: 'danger' as const, title: `${each.name} failed`, at: each.finishedAt },
      note: each.error ?? `It brings records into ${each.sourceName}.`,
      ...{ to: `/sources/${each.sourceId}/importers/${each.id}/${each.jobId}`, action: 'See why' },
    })),
    ...webhooks.map((each) => ({
      ...{ id: `webhook ${each.observerId}`, level: 'danger' as const, at: null },
      title: `${each.name} cannot tell its program`,
      note: `${each.calls === 1 ? 'One call was' : `${each.calls} calls were`} given up in the last week${each.error ? `: ${each.error}` : '.'}`,
      ...{ to: `/types/${each.dataTypeId}/observers/${each.observerId}`, action: 'Look and send again' },
    })),
    ...boundarySets.map((each) => ({
      ...{ id: `tiles ${each.id}`, level: 'danger' as const, at: null },
      title: `${each.name} has no tiles`,
      note: 'It is public, but live maps cannot draw it: its tiles could not be made so far.',
      ...{ to: `/boundaries/${each.id}`, action: 'Look at the set' },
    })),
    ...refusing.map((each) => ({
      ...{ id: `refused ${each.id}`, level: 'warning' as const, at: each.finishedAt },
      title: `${each.name} refused ${formatNumber(each.rejected)} of ${formatNumber(each.read)} rows`,
      note: `They are not in ${each.sourceName}.`,
      ...{ to: `/sources/${each.sourceId}/importers/${each.id}/${each.jobId}`, action: 'See the rows' },
    })),
  ]
}

/** Sources with overdue data, or unchanged for long. */
function lateIn({ staleSources }: Attention, locale: string): ToDo[] {
  return staleSources.slice(0, maxSources).map((each) => ({
    ...{ id: each.id, level: 'warning' as const, at: each.dataUpdatedAt },
    title: each.expected === null ? `${each.name} is out of date` : `${each.name} is late`,
    note:
      each.expected === null
        ? 'Its records did not change for 90 days.'
        : `New data were meant to come by ${calendarDay(each.expected, locale)}.`,
    ...{ to: `/sources/${each.id}/importers`, action: 'Bring new data' },
  }))
}

/** Observers with unread alerts, those with most first. */
async function loadAlertTodos(args: LoaderFunctionArgs): Promise<ToDo[]> {
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
      ...{ id: observer.id, level: 'warning' as const, title: observer.name, at: null },
      note: count === 1 ? 'One alert is not read.' : `${count} alerts are not read.`,
      ...{ to: `/types/${observer.dataTypeId}/observers/${observer.id}`, action: 'Read' },
    }))
}

/** An imported archive, until its review is dismissed. */
function importedIn(imported: Attention['imported']): ToDo[] {
  if (!imported) return []
  const { importedAt, off } = imported
  return [
    {
      ...{ id: 'imported', level: 'warning', at: importedAt },
      title: 'The organization came from an archive',
      note:
        off === 0
          ? 'All of it is switched on. Say that it was looked at.'
          : off === 1
            ? 'One thing that was public or acted by itself arrived switched off.'
            : `${formatNumber(off)} things that were public or acted by themselves arrived switched off.`,
      ...{ to: '/org/manage/imported', action: 'Look through it' },
    },
  ]
}

/** Open error reports as one item; none without any. */
function errorReportsIn(count: number): ToDo[] {
  if (count === 0) return []
  return [
    {
      ...{ id: 'error-reports', level: 'warning', at: null },
      title: count === 1 ? 'A reader reported an error' : `Readers reported ${count} errors`,
      note: `Nobody has answered or closed ${count === 1 ? 'it' : 'them'} yet.`,
      ...{ to: '/error-reports?status=open', action: 'Answer' },
    },
  ]
}

/** Requests to join the organization as one item; none without any. */
function joinRequestsIn(count: number): ToDo[] {
  if (count === 0) return []
  return [
    {
      ...{ id: 'join-requests', level: 'warning', at: null },
      title: count === 1 ? 'Someone asks to join' : `${count} people ask to join`,
      note: 'They wait for an answer.',
      ...{ to: '/team', action: 'Answer' },
    },
  ]
}

/** Requests for an organization as one item; none without any. */
function placeRequestsIn(count: number): ToDo[] {
  if (count === 0) return []
  return [
    {
      ...{ id: 'place-requests', level: 'warning', at: null },
      title: count === 1 ? 'Someone asks for an organization' : `${count} people ask for an organization`,
      note: 'They wait for an answer of a super admin.',
      ...{ to: '/admin/requests?status=pending', action: 'Answer' },
    },
  ]
}

/** Pending invitations as one item; none without any. */
function invitesIn(waiting: number, ranOut: number): ToDo[] {
  if (waiting + ranOut === 0) return []
  const invitations = (count: number) => (count === 1 ? 'One invitation' : `${count} invitations`)
  return [
    {
      ...{ id: 'invites', level: ranOut > 0 ? 'warning' : 'info', at: null },
      title:
        ranOut > 0
          ? `${invitations(ranOut)} ran out without an answer`
          : `${invitations(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for an answer`,
      note: ranOut > 0 ? 'The link no longer works.' : 'They can be sent again, or taken back.',
      ...{ to: '/team', action: ranOut > 0 ? 'Send again' : 'See the team' },
    },
  ]
}

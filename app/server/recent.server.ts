import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { cookiesNamed, hostCookie, setCookie } from '#functions/domain/identity/cookie.ts'
import type { Context } from '#functions/context.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from './load.server.ts'

interface Args {
  request: Request
  context: { ctx: Context }
}

/** The nouns that are recorded when opened, with their letters in the cookie. */
const letters = { source: 's', insight: 'i', collection: 'c', page: 'p', dataType: 't' } as const
export type OpenedNoun = keyof typeof letters

const most = 12
const keptSeconds = 90 * 86_400
const entry = /^[sicpt][\w-]{1,64}$/

/** A recently opened thing, for lists and the command palette. */
interface OpenedThing {
  id: string
  to: string
  name: string
  kind: string
}

/**
 * Records in a cookie that the person opened something of the active place: the last twelve, newest first. The server stores nothing
 * about what people look at; entries of another person are dropped.
 */
export function recordOpened({ request, context: { ctx } }: Args, noun: OpenedNoun, id: string): void {
  const { placeId, actor, settings } = ctx
  if (placeId === null || !actor.user) return
  const newest = `${letters[noun]}${id}`
  if (!entry.test(newest)) return
  const before = entriesIn({ request, context: { ctx } })
  const entries = [newest, ...before.filter((each) => each !== newest)].slice(0, most)
  const value = [actor.user.id, ...entries].join('.')
  ctx.responseHeaders.append('set-cookie', setCookie(`opened-${placeId}`, settings, value, keptSeconds))
}

/** The entries of this person and place in the cookie. */
function entriesIn({ request, context: { ctx } }: Args): string[] {
  const name = hostCookie(`opened-${ctx.placeId ?? ''}`, ctx.settings).name
  const [cookie = ''] = cookiesNamed(request.headers, name)
  const [who, ...entries] = cookie.split('.')
  return who === ctx.actor.user?.id ? entries.filter((each) => entry.test(each)).slice(0, most) : []
}

/**
 * The recently opened things of the person in the active place with their current names, newest first, without those that are no
 * longer visible.
 */
export async function listRecentlyOpened(args: LoaderFunctionArgs): Promise<OpenedThing[]> {
  const entries = entriesIn(args)
  if (entries.length === 0 || args.context.ctx.placeId === null) return []
  const options = (noun: OpenedNoun) => ({
    filters: {
      id: { $in: entries.filter((each) => each.startsWith(letters[noun])).map((each) => each.slice(1)) },
    },
    limit: most,
  })
  const { sources, insights, collections, pages, dataTypes } = await load(args, {
    sources: { endpoint: v1.place.source.find, options: options('source') },
    insights: { endpoint: v1.place.insight.find, options: options('insight') },
    collections: { endpoint: v1.place.collection.find, options: options('collection') },
    pages: { endpoint: v1.place.page.find, options: options('page') },
    dataTypes: { endpoint: v1.place.dataType.find, options: options('dataType') },
  })
  const things = new Map<string, OpenedThing>()
  const add = (noun: OpenedNoun, kind: string, path: string, rows: { id: string; name: string }[]) => {
    for (const { id, name } of rows)
      things.set(`${letters[noun]}${id}`, { id, name, kind, to: `${path}/${id}` })
  }
  add('source', 'Source', '/sources', sources.results)
  add('insight', 'Insight', '/insights', insights.results)
  add('collection', 'Collection', '/collections', collections.results)
  add('dataType', 'Data type', '/types', dataTypes.results)
  for (const { id, title, type } of pages.results)
    things.set(`p${id}`, { id, name: title, kind: 'Page', to: `/pages/${type}/${id}` })
  return entries.flatMap((each) => things.get(each) ?? [])
}

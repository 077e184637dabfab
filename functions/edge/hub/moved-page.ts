import { decodePercents } from '#functions/shapes/percent-encoding.ts'
import { topicPath, topicsPath } from '#functions/shapes/topic.ts'
import type { Locale } from '#functions/engine/address/locales.ts'
import { pageName, type Manifest } from './manifest.ts'
import { readLastPlaceState } from './place-state.ts'

/** The topic page that a path means in plain words (`/topics/Public Safety`), or in another encoding; null without one. */
export function topicMeant({ pages }: Manifest, locale: Locale, path: string): string | null {
  const text = path.startsWith(`${topicsPath}/`) ? decodePercents(path.slice(topicsPath.length + 1)) : null
  const topic = text === null || text.length > 1000 ? null : topicPath(text)
  return topic !== null && topic !== path && Object.hasOwn(pages, pageName(locale, topic)) ? topic : null
}

const pathOfSource = /^((?:\/embed|\/og)?\/domains\/)([\w-]+)(\/source\/([\w-]+)(?:[/.].*)?)$/

/**
 * The current path of a public source's page: a source keeps its id when it moves to another data type, which
 * is part of the path. Null where there is none, or it has not changed.
 */
export async function findMovedPath(
  hubs: R2Bucket,
  { placeId, pages }: Manifest,
  locale: Locale,
  path: string,
): Promise<string | null> {
  const [, before, dataType, after, sourceId = ''] = pathOfSource.exec(path) ?? []
  if (before === undefined) return null
  const sources = (await readLastPlaceState(hubs, placeId))?.sources ?? {}
  const now = Object.hasOwn(sources, sourceId) ? sources[sourceId]?.dataType : undefined
  const newPath = now === undefined || now === dataType ? null : `${before}${now}${after}`
  return newPath !== null && Object.hasOwn(pages, pageName(locale, newPath)) ? newPath : null
}

/**
 * A redirect to another path. The path is set instead of parsed, because one that begins with `//` would name
 * a host.
 */
export function redirectTo(url: URL, path: string): Response {
  const to = new URL(url)
  to.pathname = path
  // Must be revalidated: the hub's default language may change, and a source may move again.
  return new Response(null, {
    status: 308,
    headers: { location: to.href, 'cache-control': 'public, max-age=0, must-revalidate' },
  })
}

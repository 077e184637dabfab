import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { SidebarDataType } from '#app/components/hub/hub-shell.tsx'
import { words } from '#app/components/hub/words.ts'
import { catalogueEntries, entriesByDomain, listAddress } from './hub-catalogue.server.ts'
import { count, readingOf } from './reading.server.ts'

/** A hub of so many sources has all of them beside each page; of more each domain names some, and leads to all of its own. */
const mostListed = 60
/** What the domains of a larger hub name together, each of them at most, and the one that is being read. */
const [mostTogether, mostOfEach, mostOfOwn] = [45, 10, 15]

/**
 * The domains with their sources, for the list beside the pages of a hub. In a large hub the domain that is being read names the sources
 * around the one on the page, others the first of theirs: a page is not longer, nor its list harder to read, with each source there is.
 */
export async function sidebarOf(
  args: LoaderFunctionArgs,
  domains: readonly SidebarDataType[],
): Promise<SidebarDataType[]> {
  if (domains.reduce((sum, { sources }) => sum + sources.length, 0) <= mostListed) return [...domains]
  const [entries, reading] = await Promise.all([catalogueEntries(args), readingOf(args)])
  const byDomain = entriesByDomain(entries)
  const { pathname } = new URL(args.request.url)
  const each = Math.min(mostOfEach, Math.floor(mostTogether / Math.max(1, domains.length)))
  return domains.map(({ id, name }) => {
    const sources = (byDomain.get(id) ?? []).map((entry) => ({ id: entry.id, name: entry.title }))
    const at = sources.findIndex((source) =>
      pathname.startsWith(`/domains/${encodeURIComponent(id)}/source/${encodeURIComponent(source.id)}`),
    )
    const most = at < 0 ? each : mostOfOwn
    if (sources.length <= most) return { id, name, sources }
    const from = Math.max(0, Math.min(at - Math.floor(most / 2), sources.length - most))
    const all = {
      href: listAddress(args.context.ctx, { domain: id }),
      label: words(reading.locale).showAll(count(sources.length, reading)),
    }
    return { id, name, sources: sources.slice(from, from + most), all }
  })
}

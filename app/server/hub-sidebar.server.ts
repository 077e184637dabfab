import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { SidebarDataType } from '#app/components/hub/hub-shell.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'
import { catalogueEntries, entriesByDomain, listAddress } from './hub-catalogue.server.ts'
import { count, loadReaderSettings } from './page-language.server.ts'

/** Up to so many sources the sidebar lists all; with more each domain lists some, and links to all of its own. */
const maxListed = 60
/** Limits for larger hubs: of all domains together, of each, and of the current domain. */
const [mostTogether, mostOfEach, mostOfOwn] = [45, 10, 15]

/**
 * The domains and their sources for the sidebar of a hub. In a large hub the current domain lists the sources around the current one,
 * others their first: pages and lists must not grow with each source.
 */
export async function buildSidebar(
  args: LoaderFunctionArgs,
  domains: readonly SidebarDataType[],
): Promise<SidebarDataType[]> {
  if (domains.reduce((sum, { sources }) => sum + sources.length, 0) <= maxListed) return [...domains]
  const [entries, reading] = await Promise.all([catalogueEntries(args), loadReaderSettings(args)])
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
      label: hubTexts(reading.locale).showAll(count(sources.length, reading)),
    }
    return { id, name, sources: sources.slice(from, from + most), all }
  })
}

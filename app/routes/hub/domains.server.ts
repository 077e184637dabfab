import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { DomainsIndexProps } from './domains-index.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'
import { isHidden } from '#functions/edge/hub/hub-pages.ts'
import { domainPath } from '#functions/engine/address/urls.ts'
import { topicsPath } from '#functions/shapes/topic.ts'
import { v1 } from '#functions/v1/index.ts'
import {
  catalogueEntries,
  entriesByDomain,
  hubTopics,
  listSources,
  listAddress,
  buildSortOrders,
} from '#app/server/hub-catalogue.server.ts'
import { publicSources } from '#app/server/hub-frame.server.ts'
import { load } from '#app/server/load.server.ts'
import { count, loadReaderSettings, hubPathBuilder } from '#app/server/page-language.server.ts'

/** Maximum number of listed sources per domain; the search has all. */
const maxOfDomain = 12
/** Maximum number over all domains. */
const maxLines = 400

/** All public domains of the hub with their first public sources by name, and the facts of these. */
export async function hubDomains(args: LoaderFunctionArgs): Promise<DomainsIndexProps> {
  const { ctx } = args.context
  const placeId = ctx.placeId ?? ''
  const [reading, { dataTypes }, entries, topics] = await Promise.all([
    loadReaderSettings(args),
    load(args, { dataTypes: { endpoint: v1.place.dataType.find, options: publicSources(placeId) } }),
    catalogueEntries(args),
    hubTopics(args),
  ])
  const w = hubTexts(reading.locale)
  const byDomain = entriesByDomain(entries)
  const visibleTypes = dataTypes.results.filter((dataType) => !isHidden(placeId, dataType.id))
  const each = Math.min(maxOfDomain, Math.max(1, Math.floor(maxLines / Math.max(1, visibleTypes.length))))
  return {
    ...(await buildSortOrders(args, {}, entries.length)),
    ...(topics.length > 0 && { topicsHref: hubPathBuilder(ctx)(topicsPath) }),
    domains: await Promise.all(
      visibleTypes.map(async ({ id, name, category, notes }) => {
        const own = byDomain.get(id) ?? []
        return {
          ...{ id, name, sources: await listSources(args, own.slice(0, each)) },
          ...(own.length > 0 && { href: hubPathBuilder(ctx)(domainPath(id)) }),
          ...(category ? { category } : {}),
          ...(notes ? { notes } : {}),
          ...(own.length > each && {
            all: { href: listAddress(ctx, { domain: id }), label: w.showAll(count(own.length, reading)) },
          }),
        }
      }),
    ),
    locale: reading.locale,
  }
}

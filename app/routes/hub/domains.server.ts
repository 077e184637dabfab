import { dependsOn } from '#functions/platform/cache/depends.ts'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { DomainsIndexProps } from './domains-index.tsx'
import { words } from '#app/components/hub/words.ts'
import { isHidden } from '#functions/edge/hub/hub-pages.ts'
import { v1 } from '#functions/v1/index.ts'
import { publicSources, sourcesOf } from '#app/server/hub-frame.server.ts'
import { load } from '#app/server/load.server.ts'
import { day, readingOf, toHub } from '#app/server/reading.server.ts'

/** Every public domain of the hub with its public indicators, how many records each has and how new they are. */
export async function hubDomains(args: LoaderFunctionArgs): Promise<DomainsIndexProps> {
  const { ctx } = args.context
  const placeId = ctx.placeId ?? ''
  const [reading, { dataTypes, sources }] = await Promise.all([
    readingOf(args),
    load(args, {
      dataTypes: { endpoint: v1.place.dataType.find, options: publicSources(placeId) },
      sources: { endpoint: v1.place.source.find, options: { maxVisibility: 'public', limit: '1000' } },
    }),
  ])
  // The page says how many records each source has, so it follows their data.
  dependsOn(ctx, { rows: { source: sources.results.map(({ id }) => id) } })
  const to = toHub(ctx)
  const w = words(reading.locale)
  const byId = new Map(sources.results.map((source) => [source.id, source]))
  return {
    domains: dataTypes.results
      .filter((dataType) => !isHidden(placeId, dataType.id))
      .map((dataType) => ({
        id: dataType.id,
        name: dataType.name,
        ...(dataType.category ? { category: dataType.category } : {}),
        ...(dataType.notes ? { notes: dataType.notes } : {}),
        sources: sourcesOf(dataType).map(({ id, name }) => {
          const source = byId.get(id)
          return {
            id,
            name,
            href: to(`/domains/${dataType.id}/source/${id}`),
            ...(source ? { records: w.records(Number(source.count)) } : {}),
            ...(source?.dataUpdatedAt ? { date: day(source.dataUpdatedAt, reading) } : {}),
          }
        }),
      })),
    locale: reading.locale,
  }
}

import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { isHidden } from '#functions/site/hub-pages.ts'
import { slots, type Findable } from '#functions/site/search.ts'
import { v1 } from '#functions/v1/index.ts'
import { hubLocale, publicSources, sourcesOf } from './hub-frame.server.ts'
import { storySummaries } from './hub-home.server.ts'
import { load } from './load.server.ts'

const most = 1000

/** The page of results with its slots, and beside it the index that a search is answered from. */
export async function hubSearch(args: LoaderFunctionArgs) {
  const { ctx } = args.context
  const placeId = ctx.placeId ?? ''
  const [stories, { dataTypes, sources }] = await Promise.all([
    storySummaries(args, most),
    load(args, {
      dataTypes: { endpoint: v1.place.dataType.find, options: publicSources(placeId) },
      sources: { endpoint: v1.place.source.find, options: { maxVisibility: 'public', limit: String(most) } },
    }),
  ])
  const shown = dataTypes.results.filter(({ id }) => !isHidden(placeId, id))
  const names = new Map(shown.map(({ id, name }) => [id, name]))
  const index: Findable[] = [
    ...shown.map((dataType): Findable => {
      const [first] = sourcesOf(dataType)
      const href = first ? `/domains/${dataType.id}/source/${first.id}` : '/domains'
      return { kind: 'domain', title: dataType.name, href, note: dataType.category ?? '' }
    }),
    ...sources.results
      .filter(({ dataTypeId }) => names.has(dataTypeId))
      .map(({ id, name, dataTypeId }): Findable => {
        return {
          kind: 'indicator',
          title: name,
          href: `/domains/${dataTypeId}/source/${id}`,
          note: names.get(dataTypeId) ?? '',
        }
      }),
    ...stories.map(({ title, href, summary = '' }): Findable => ({
      kind: 'story',
      title,
      href,
      note: summary,
    })),
  ]
  await ctx.attach('application/json', JSON.stringify(index))
  return { slots, locale: hubLocale }
}

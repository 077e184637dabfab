import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { HubFrame } from '#app/components/hub/hub-shell.tsx'
import { themeCss } from '#app/theme/colour.ts'
import { isHidden } from '#functions/site/hub-pages.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from './load.server.ts'

/** The only language the pages are made in today; it has no prefix. */
export const hubLocale = 'en'

export interface HubRoot {
  frame: Omit<HubFrame, 'currentPath'>
  place: {
    id: string
    displayName: string
    description: string
    about: string
    timeZone: string
    hasMap: boolean
  }
  canonicalUrl: string
  themeCss: string
  locale: string
}

/** What is around every page of a hub: its place, its public domains with their indicators, its colours. */
export async function hubFrame(args: LoaderFunctionArgs): Promise<HubRoot> {
  const { site, settings } = args.context.ctx
  if (site.mode !== 'hub') throw new Error('Only hubs have a hub frame.')
  const { place, dataTypes, sources } = await load(args, {
    place: v1.place.findById,
    dataTypes: { endpoint: v1.place.dataType.find, options: publicSources(site.placeId) },
    sources: { endpoint: v1.place.source.find, options: { maxVisibility: 'public', limit: '1' } },
  })
  const { id, displayName } = place
  const hasMap = place.boundaryId !== null
  const port = /:\d+$/.exec(settings.publicHost)?.[0] ?? ''
  const canonical = `${settings.scheme}://${site.canonicalHost}${port}`
  return {
    place: {
      id,
      displayName,
      description: place.description,
      about: place.about,
      timeZone: place.timeZone,
      hasMap,
    },
    frame: {
      place: { id, displayName, hasMap },
      indicatorsCount: new Intl.NumberFormat(hubLocale).format(sources.meta.total),
      sidebar: dataTypes.results
        .filter((dataType) => !isHidden(id, dataType.id))
        .map((dataType) => ({ id: dataType.id, name: dataType.name, sources: sourcesOf(dataType) })),
      locale: hubLocale,
      footerLinks: [{ label: 'API', href: `${settings.scheme}://${settings.appHost}/api` }],
    },
    canonicalUrl: canonical + new URL(args.request.url).pathname,
    themeCss: themeCss(place.theme.primaryColor),
    locale: hubLocale,
  }
}

/** "maxVisibility public, include sources with id and name, filtered by placeId and public visibility". */
export function publicSources(placeId: string) {
  const attributes = ['id', 'name']
  return {
    maxVisibility: 'public',
    limit: '1000',
    includes: [{ resource: 'sources', attributes, filters: { placeId, visibility: 'public' } }],
  }
}

/** The public sources that came along with a data type. */
export function sourcesOf(dataType: object): { id: string; name: string }[] {
  return (dataType as { sources?: { id: string; name: string }[] }).sources ?? []
}

import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { HubFrame } from '#app/components/hub/hub-shell.tsx'
import type { Share } from '#app/components/hub/share-menu.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'
import { themeCss } from '#app/theme/colour.ts'
import { BoundedMemory } from '#functions/platform/cache/bounded-memory.ts'
import { pageCode } from '#functions/engine/address/short-link.ts'
import { frameCode } from '#functions/shapes/embed.ts'
import { embedPath, picturePath } from '#functions/shapes/hub-picture.ts'
import { locales, type Locale } from '#functions/shapes/locale.ts'
import { listHiddenTypes, isHidden } from '#functions/edge/hub/hub-pages.ts'
import { localeBase, localePath } from '#functions/engine/address/locales.ts'
import { searchPath } from '#functions/engine/address/urls.ts'
import { slots } from '#functions/edge/search/search-page.ts'
import { findFilledPage, pathSlot } from '#functions/engine/table/page.ts'
import { v1 } from '#functions/v1/index.ts'
import { hubPictures } from './hub-pictures.server.ts'
import { buildSidebar } from './hub-sidebar.server.ts'
import { load } from './load.server.ts'
import { isOther } from './mark-language.server.ts'

interface HubRoot {
  frame: Omit<HubFrame, 'currentPath'>
  place: {
    id: string
    displayName: string
    description: string
    about: string
    publisher: string
    contact: string
    privacy: string
    timeZone: string
    hasMap: boolean
  }
  canonicalUrl: string
  /** The URLs of the page in every language; `x-default` is the one without a prefix. Empty on error pages. */
  alternates: { language: string; href: string }[]
  /** The language in the format of Open Graph. */
  openGraph: string
  themeCss: string
  /** The URL of the favicon; undefined for `/favicon.ico`. */
  icon: string | undefined
  /** The language, also for the format of numbers and dates. */
  locale: Locale
}

/** The frame of every hub page: place, public domains with their sources, theme. */
export async function hubFrame(args: LoaderFunctionArgs): Promise<HubRoot> {
  const { site, settings } = args.context.ctx
  if (site.mode !== 'hub') throw new Error('Only hubs have a hub frame.')
  const hidden = listHiddenTypes(site.placeId)
  const { place, dataTypes, sources } = await load(args, {
    place: v1.place.findById,
    dataTypes: { endpoint: v1.place.dataType.find, options: publicSources(site.placeId) },
    sources: {
      endpoint: v1.place.source.find,
      options: {
        maxVisibility: 'public',
        limit: '1',
        ...(hidden.length > 0 && { filters: { dataTypeId: { $notIn: hidden } } }),
      },
    },
  })
  const { id, displayName } = place
  const { logos, icon } = await hubPictures(args.context.ctx, place)
  const { locale, languages } = site
  const hubLocales = languages.flatMap((code) => locales.find((each) => each.code === code) ?? [])
  const url = new URL(args.request.url)
  const path = url.pathname
  const isSearch = path === searchPath
  const isFilled = findFilledPage(url) !== null
  const pathIn = (code: Locale) => (isFilled ? pathSlot(code) : localePath(code, path, languages))
  // Error pages exist in one language: their language links lead to the home page.
  const isPage = path !== '/404' && path !== '/error'
  const { hasMap } = place
  const port = /:\d+$/.exec(settings.publicHost)?.[0] ?? ''
  const canonical = `${settings.scheme}://${site.canonicalHost}${port}`
  return {
    place: {
      id,
      displayName,
      description: place.description,
      about: place.about,
      publisher: place.publisher,
      contact: place.contact,
      privacy: place.privacy,
      timeZone: place.timeZone,
      hasMap,
    },
    frame: {
      place: { id, displayName, logos, hasMap },
      indicatorsCount: sources.meta.total,
      sidebar: await buildSidebar(
        args,
        dataTypes.results
          .filter((dataType) => !isHidden(id, dataType.id))
          .map((dataType) => ({
            id: dataType.id,
            name: dataType.name,
            sources: getIncludedSources(dataType),
          })),
      ),
      locale,
      base: localeBase(locale, languages),
      ...(isSearch ? { searchQuery: slots.query } : {}),
      locales: hubLocales.map(({ code, name }) => ({
        locale: code,
        label: name,
        href: (isPage ? pathIn(code) : localePath(code, '/', languages)) + (isSearch ? slots.asked : ''),
      })),
      ...(isPage && !isSearch && !isFilled ? { share: await buildShare(args, canonical, displayName) } : {}),
      ...(isOther(site) && { partly: hubTexts(locale).partly(languageName(languages[0], locale)) }),
      apiHref: `${settings.scheme}://${settings.appHost}/api`,
    },
    canonicalUrl: canonical + pathIn(locale),
    alternates: isPage ? listAlternates(site.languages, (code) => canonical + pathIn(code)) : [],
    openGraph: locales.find(({ code }) => code === locale)?.openGraph ?? '',
    themeCss: getThemeCss(place.theme.primaryColor, place.mapConfiguration.layerColor),
    icon,
    locale,
  }
}

/** A page in the languages of its hub, in their order; `x-default` is its first. */
const listAlternates = (languages: readonly [Locale, ...Locale[]], getHref: (code: Locale) => string) => [
  ...languages.map((code) => ({ language: code as string, href: getHref(code) })),
  { language: 'x-default', href: getHref(languages[0]) },
]

/** The name of a language in another. */
const languageName = (language: Locale, inLanguage: Locale) =>
  new Intl.DisplayNames([inLanguage], { type: 'language' }).of(language) ?? language

/** Accessible theme colours are computed iteratively and shared by all pages of a hub. */
const themes = new BoundedMemory<string>({ cost: 200, estimateCost: () => 1 })

function getThemeCss(primaryColor: unknown, layerColor: unknown): string {
  const name = JSON.stringify([primaryColor, layerColor])
  return themes.getOrMake(name, () => themeCss(primaryColor, layerColor))
}

/** The sharing data of this page; its short link leads to it in its language. */
async function buildShare(
  { request, context: { ctx } }: LoaderFunctionArgs,
  canonical: string,
  placeName: string,
): Promise<Share> {
  const { site, hubs } = ctx
  if (site.mode !== 'hub') throw new Error('Only pages of hubs are shared.')
  const path = new URL(request.url).pathname
  const base = localeBase(site.locale, site.languages)
  const frame = embedPath(path, base)
  const code = await pageCode(hubs, site.placeId, localePath(site.locale, path, site.languages))
  return {
    link: `${canonical}/s/${code}`,
    ...(frame ? { embed: frameCode(canonical + frame, placeName) } : {}),
    picture: picturePath(path, base),
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

/** The public sources included with a data type. */
export function getIncludedSources(dataType: object): { id: string; name: string }[] {
  return (dataType as { sources?: { id: string; name: string }[] }).sources ?? []
}

import { searchPath } from '#functions/engine/address/urls.ts'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { asHex, decorationTextOn, surfaces } from '#app/theme/colour.ts'
import { hubOrigin } from '#app/server/hub-facts/facts.server.ts'
import { hubPictures } from '#app/server/hub-pictures.server.ts'
import { load } from '#app/server/load.server.ts'
import { getPageLanguage, hubPathBuilder } from '#app/server/page-language.server.ts'
import { iconPixels } from '#functions/edge/hub/hub-files.ts'
import { openSearch } from '#functions/engine/catalogue/open-search.ts'
import { buildIco, iconSize, iconSvg } from '#functions/engine/picture/icon.ts'
import { languages } from '#functions/shapes/language/index.ts'
import { getTextDirection } from '#functions/shapes/locale.ts'
import { v1 } from '#functions/v1/index.ts'

/** The sizes of the pictures in `favicon.ico`, in pixels. */
const icoSides = [16, 32, 48]

/** The files that browsers request on their own, by path; null for an unknown path. */
export async function frameFile(args: LoaderFunctionArgs): Promise<{ type: string; body: BodyInit } | null> {
  const { pathname } = new URL(args.request.url)
  const { place } = await load(args, { place: v1.place.findById })
  const background = asHex(place.theme.primaryColor)
  const icon = { name: place.displayName, background, text: decorationTextOn(background) }
  if (pathname === '/favicon.ico') {
    const pictures = icoSides.map(async (size) => ({ size, png: await drawIcon(icon, size) }))
    return { type: 'image/x-icon', body: buildIco(await Promise.all(pictures)) }
  }
  if (pathname === '/site.webmanifest') return webManifest(args, place, background)
  if (pathname === '/opensearch.xml') {
    const { ctx } = args.context
    const origin = hubOrigin(ctx)
    const language = getPageLanguage(ctx)
    const description = languages[language].frame.openSearch.replace('{name}', () => place.displayName)
    const search = { name: place.displayName, description, language, icon: `${origin}/favicon.ico` }
    const body = openSearch({ ...search, results: origin + hubPathBuilder(ctx)(searchPath) })
    return { type: 'application/opensearchdescription+xml; charset=utf-8', body }
  }
  const side = Number(/^\/icons\/(\d+)\.png$/.exec(pathname)?.[1])
  if (!iconPixels.some((pixels) => pixels === side)) return null
  return { type: 'image/png', body: await drawIcon(icon, side) }
}

async function drawIcon(icon: Parameters<typeof iconSvg>[0], side: number) {
  const { renderPng } = await import('#functions/engine/picture/png.ts')
  return renderPng(iconSvg(icon), { width: iconSize, height: iconSize }, side / iconSize)
}

/** The web manifest of a hub, with name, colours and icons, in one language. */
async function webManifest(
  args: LoaderFunctionArgs,
  place: { id: string; displayName: string; description: string; theme: Record<string, string> },
  colour: string,
) {
  const { ctx } = args.context
  const language = getPageLanguage(ctx)
  const { icon } = await hubPictures(ctx, place)
  const manifest = {
    id: hubPathBuilder(ctx)('/'),
    name: place.displayName,
    short_name: place.displayName.slice(0, 30),
    ...(place.description && { description: place.description }),
    lang: language,
    dir: getTextDirection(language),
    start_url: hubPathBuilder(ctx)('/'),
    scope: '/',
    display: 'browser',
    theme_color: colour,
    background_color: surfaces.light[0],
    icons: [
      // The organization's own icon; the size of an external picture is unknown.
      ...(icon ? [{ src: icon, sizes: 'any' }] : []),
      ...iconPixels.map((side) => ({
        src: `/icons/${side}.png`,
        sizes: `${side}x${side}`,
        type: 'image/png',
      })),
    ],
  }
  return { type: 'application/manifest+json; charset=utf-8', body: JSON.stringify(manifest, null, 2) }
}

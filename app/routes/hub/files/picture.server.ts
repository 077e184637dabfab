import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { cardSize, cardSvg } from '#functions/engine/picture/card.ts'
import { defaultLocale, getTextDirection, locales } from '#functions/shapes/locale.ts'
import { pictureSize } from '#functions/shapes/hub-picture.ts'
import { getPageLanguage } from '#app/server/page-language.server.ts'
import type { Shareable } from '#functions/engine/catalogue/oembed.ts'
import {
  mainContentOfHome,
  mainContentOfMap,
  mainContentOfPlace,
  mainContentOfSource,
  mainContentOfStory,
  withFileNames,
  type MainContent,
} from '#app/server/hub-facts/main-content.server.ts'

/**
 * The sharing picture of a page, by the path after `/og/`: `home.png`, `map.png`, `place.png`, `pages/{id}.png`,
 * `domains/{id}/source/{id}.png`. The page's oEmbed data are attached. Null for other paths.
 */
export async function hubPicture(page: LoaderFunctionArgs): Promise<{ type: string; body: BodyInit } | null> {
  const args = withDrawableLanguage(page)
  // The picture has exactly one attached file, which oEmbed reads, so those of the page are not stored here.
  const content = await findMainContent(withFileNames(args))
  if (!content) return null
  const shareable: Shareable = {
    title: content.title,
    place: content.place,
    isFigure: content.figure !== null || content.value !== '',
  }
  await args.context.ctx.attach('application/json', JSON.stringify(shareable))
  return { type: 'image/png', body: await draw(args.context.ctx, content) }
}

/** The page in a language that our fonts support: missing glyphs would be empty boxes. */
function withDrawableLanguage(args: LoaderFunctionArgs): LoaderFunctionArgs {
  const { ctx } = args.context
  const { site } = ctx
  if (
    site.mode !== 'hub' ||
    locales.some(({ code, hasPictureFont }) => code === site.locale && hasPictureFont)
  )
    return args
  return { ...args, context: { ...args.context, ctx: { ...ctx, site: { ...site, locale: defaultLocale } } } }
}

function findMainContent(args: LoaderFunctionArgs): Promise<MainContent> | null {
  const path = args.params['*'] ?? ''
  const loadersByPath: Record<string, (args: LoaderFunctionArgs) => Promise<MainContent>> = {
    'home.png': mainContentOfHome,
    'map.png': mainContentOfMap,
    'place.png': mainContentOfPlace,
  }
  if (Object.hasOwn(loadersByPath, path)) return loadersByPath[path]?.(args) ?? null
  const pageId = /^pages\/([^/]+)\.png$/.exec(path)?.[1]
  if (pageId !== undefined) return mainContentOfStory({ ...args, params: { pageId } })
  const [, dataTypeId, sourceId] = /^domains\/([^/]+)\/source\/([^/]+)\.png$/.exec(path) ?? []
  if (dataTypeId === undefined || sourceId === undefined) return null
  return mainContentOfSource({ ...args, params: { dataTypeId, sourceId } })
}

/** 1,200 × 630 pixels. A figure that cannot be rasterized is left out, so that publishing does not fail. */
async function draw(
  ctx: LoaderFunctionArgs['context']['ctx'],
  { figure, ...shareable }: MainContent,
): Promise<Uint8Array<ArrayBuffer>> {
  const { renderPng } = await import('#functions/engine/picture/png.ts')
  const direction = getTextDirection(getPageLanguage(ctx))
  const card = {
    ...shareable,
    direction,
    drawing: figure?.svgNarrow ?? figure?.svg ?? '',
    legend: getMapClasses(figure),
  }
  const scale = pictureSize.width / cardSize.width
  try {
    return await renderPng(cardSvg(card), cardSize, scale)
  } catch (error) {
    if (!(error instanceof RangeError)) ctx.report(error, { during: 'hubPicture', title: shareable.title })
    return renderPng(cardSvg({ ...card, drawing: '', legend: [] }), cardSize, scale)
  }
}

/** The classes of a map; not those of circles, whose sizes a row of colours cannot show. */
function getMapClasses(figure: MainContent['figure']) {
  const classes = figure?.legend?.classes ?? []
  return classes.filter(({ radius }) => radius === undefined).map(({ label, fill }) => ({ label, fill }))
}

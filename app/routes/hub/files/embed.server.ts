import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { hubAssets } from 'virtual:hub-assets'
import type { MapSwitch } from '#app/components/hub/map-layers.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'
import { frameSubject } from '#functions/engine/address/figure-subject.ts'
import { paintSvg } from '#functions/engine/picture/paint.ts'
import { picturePath, pictureSize } from '#functions/shapes/hub-picture.ts'
import { embedPage } from '#functions/engine/catalogue/embed.ts'
import { getPageLanguage, hubPathBuilder } from '#app/server/page-language.server.ts'
import { hubOrigin } from '#app/server/hub-facts/facts.server.ts'
import {
  loadMapWithSwitches,
  mainContentOfFigure,
  mainContentOfSource,
  type MainContent,
} from '#app/server/hub-facts/main-content.server.ts'

interface Frame {
  type: string
  body: string
}

/** The embed page of a source's figure. */
export async function sourceEmbed(args: LoaderFunctionArgs): Promise<Frame> {
  const { dataTypeId = '', sourceId = '' } = args.params
  return buildFrame(args, await mainContentOfSource(args), `/domains/${dataTypeId}/source/${sourceId}`)
}

/** The embed page of a story's figure; null if the story does not show it. */
export async function figureEmbed(args: LoaderFunctionArgs): Promise<Frame | null> {
  const figureContent = await mainContentOfFigure(args)
  return (
    figureContent &&
    buildFrame(args, figureContent.first, `/pages/${figureContent.type}/${args.params.pageId ?? ''}/preview`)
  )
}

/** The embed page of a hub's map. */
export async function mapEmbed(args: LoaderFunctionArgs): Promise<Frame> {
  const { first, switches } = await loadMapWithSwitches(args)
  return buildFrame(args, first, '/map', switches)
}

async function buildFrame(
  args: LoaderFunctionArgs,
  { figure, ...shareable }: MainContent,
  path: string,
  switches: MapSwitch[] = [],
): Promise<Frame> {
  const { ctx } = args.context
  const locale = getPageLanguage(ctx)
  const w = hubTexts(locale)
  const { mapHref } = figure ?? {}
  const classes = (figure?.legend?.classes ?? []).filter(({ radius }) => radius === undefined)
  const isMissing = classes.length > 0 && (figure?.legend?.missing ?? 0) > 0
  const signs = isMissing
    ? [...classes, { label: w.noData, fill: 'var(--map-land)', isHatched: true }]
    : classes
  const paintDrawing = (svg: string | undefined) => (svg ? paintSvg(svg, 'auto') : '')
  // The permanent URL of a picture finds its subject by this file.
  if (figure?.picture) await ctx.attach('application/json', figure.picture.subject, frameSubject)
  const body = embedPage({
    ...shareable,
    url: hubOrigin(ctx) + hubPathBuilder(ctx)(path),
    language: locale,
    wide: paintDrawing(figure?.svg),
    narrow: paintDrawing(figure?.svgNarrow),
    script: hubAssets.script,
    live: figure?.live ?? null,
    map:
      mapHref === undefined
        ? null
        : {
            ...(figure?.name !== undefined && { name: figure.name }),
            ...{ href: mapHref, switches },
            ...{ layers: w.mapLayers, legend: signs, explore: w.exploreMap },
          },
    legend: mapHref === undefined ? signs : [],
    other: figure?.other && figure.name !== undefined ? { ...figure.other, name: figure.name } : null,
    explore: w.exploreChart,
    picture: { path: picturePath(path, hubPathBuilder(ctx)('')), ...pictureSize },
  })
  return { type: 'text/html; charset=utf-8', body }
}

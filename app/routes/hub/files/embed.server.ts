import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { hubAssets } from 'virtual:hub-assets'
import { words } from '#app/components/hub/words.ts'
import { paintSvg } from '#functions/engine/picture/paint.ts'
import { picturePath, pictureSize } from '#functions/shapes/hub-picture.ts'
import { embedPage } from '#functions/engine/catalogue/embed.ts'
import { languageOf, toHub } from '#app/server/reading.server.ts'
import { hubOrigin } from '#app/server/found/facts.server.ts'
import { shownOfSource } from '#app/server/found/shown.server.ts'

/** The page of a source's figure by itself, for frames on other sites. */
export async function hubEmbed(args: LoaderFunctionArgs): Promise<{ type: string; body: string }> {
  const { figure, ...shareable } = await shownOfSource(args)
  const { dataTypeId = '', sourceId = '' } = args.params
  const path = `/domains/${dataTypeId}/source/${sourceId}`
  const { ctx } = args.context
  const locale = languageOf(ctx)
  const coloured = (svg: string | undefined) => (svg ? paintSvg(svg, 'auto') : '')
  const body = embedPage({
    ...shareable,
    url: hubOrigin(ctx) + toHub(ctx)(path),
    language: locale,
    wide: coloured(figure?.svg),
    narrow: coloured(figure?.svgNarrow),
    script: hubAssets.script,
    live: figure?.live ?? null,
    explore: words(locale).exploreChart,
    picture: { path: picturePath(path, toHub(ctx)('')), ...pictureSize },
  })
  return { type: 'text/html; charset=utf-8', body }
}

import { guideHtml } from '#functions/engine/guide/html.ts'
import { offersShapes } from '#functions/engine/table/page.ts'
import type { Locale } from '#functions/engine/address/locales.ts'
import { languages } from '#functions/shapes/language/index.ts'
import type { TableContent } from './serve-table.ts'

/** The page on how to use a source in programs and tools, by its path without a language. */
interface GuideAddress {
  isGuide: true
  /** The path of the page of its source. */
  source: string
  sourceId: string
  /** The rest of the path. */
  rest: string
}

const guidePath = /^(\/domains\/[\w-]+\/source\/([\w-]{1,64}))(\/use)$/

/** Parses the path of a guide; null for other paths. */
export function guideIn(path: string): GuideAddress | null {
  const [, source, sourceId, rest] = guidePath.exec(path) ?? []
  if (source === undefined || sourceId === undefined || rest === undefined) return null
  return { isGuide: true, source, sourceId, rest }
}

/** The content of a guide, for the stored page of its source. Needs no reads: `page` is that page. */
export function guideContent(
  { sourceId }: GuideAddress,
  { name, placeId, locale }: { name: string; placeId: string; locale: Locale },
  { origin, workspace, page }: { origin: string; workspace: string; page: string },
): TableContent {
  const { guide: words, hub } = languages[locale]
  const source = { origin, placeId, sourceId, hasShapes: offersShapes(page) }
  const reference = `${workspace}/api?noun=place.source`
  return {
    status: 200,
    html: guideHtml(source, { words, copy: hub.copy, copied: hub.copied, reference }),
    title: words.title.replace('{name}', () => name),
    isWhole: true,
  }
}

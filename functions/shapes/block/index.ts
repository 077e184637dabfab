import { getSettingText, type Block, type BlockSettings } from './block.ts'
import { divider } from './divider.ts'
import { embed } from './embed.ts'
import { image } from './image.ts'
import { insight } from './insight.ts'
import { map } from './map.ts'
import { text } from './text.ts'
import { video } from './video.ts'
import { insightsOfText } from '../figure-reference.ts'
import { stripTags, unescapeText } from '../html-text.ts'

export { getSettingText, type BlockSettings }

/** The kinds of blocks of pages. */
export const blockKinds = { text, insight, map, image, video, embed, divider } satisfies Record<string, Block>

export type BlockKind = keyof typeof blockKinds

/** The insights in a block: the one it shows, or those of the figures in its text. */
export function insightsShownBy({ kind, settings }: { kind: BlockKind; settings: BlockSettings }): string[] {
  const { holdsHtml, drawsInsight } = blockKinds[kind]
  const insightId = drawsInsight ? getSettingText(settings, 'insightId') : ''
  return [
    ...(insightId ? [insightId] : []),
    ...(holdsHtml ? insightsOfText(getSettingText(settings, 'html')) : []),
  ]
}

/** What readers read of a block as plain texts, in order; without what is empty. */
export function listReadableTexts({
  kind,
  settings,
}: {
  kind: BlockKind
  settings: BlockSettings
}): string[] {
  return blockKinds[kind].readableTexts.flatMap((name) => {
    const text = getSettingText(settings, name)
    const plain = name === 'html' ? unescapeText(stripTags(text)) : text.trim()
    return plain ? [plain] : []
  })
}

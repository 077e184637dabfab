/** The stored settings of a block. */
export type BlockSettings = Record<string, unknown>

/** A problem of a block to fix before publishing. `isBlocking`: it prevents publishing. */
interface BlockProblem {
  message: string
  isBlocking: boolean
}

/** The settings of blocks that are texts, as translators see them; `most`: characters. Other settings are not translated. */
export const blockTexts = {
  html: { label: 'Text', kind: 'rich', most: 200_000 },
  caption: { label: 'Caption', kind: 'lines', most: 1000 },
  alt: { label: 'What the picture shows', kind: 'lines', most: 1000 },
} as const

/** A kind of block, without its rendering. */
export interface Block {
  /** Its name in the editor. */
  name: string
  /** The settings with an input in its form; others are preserved. */
  written: readonly string[]
  /** The settings that readers read, in order: the search of the hub finds them, and the first names a tile. */
  readableTexts: readonly (keyof typeof blockTexts)[]
  /** Whether it has text in `html`: sanitised on save, and scanned for figures, headings and links. */
  holdsHtml: boolean
  /** Whether it shows the insight in `insightId`. */
  drawsInsight: boolean
  /** Accessibility problems, besides those checked in every text. */
  lacks: (settings: BlockSettings) => BlockProblem[]
}

/** A setting as text; '' for anything else. */
export function getSettingText(settings: BlockSettings, name: string): string {
  const value = settings[name]
  return typeof value === 'string' ? value : ''
}

/** The missing caption of an embed, which is its accessible name. */
export function lackOfCaption(settings: BlockSettings): BlockProblem[] {
  if (getSettingText(settings, 'caption').trim()) return []
  return [{ message: 'give it a caption: it is its name for those who hear the page.', isBlocking: false }]
}

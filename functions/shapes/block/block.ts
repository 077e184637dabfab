/** What a block says about itself, as it is stored. */
export type BlockSettings = Record<string, unknown>

/** What is to be mended in a block before its page is published. `isBlocking`: it cannot be published before. */
interface Lack {
  message: string
  isBlocking: boolean
}

/** A kind of block of a page, without what draws it. */
export interface Block {
  /** What it is called in the editor. */
  name: string
  /** The settings that people write in its form; the others stay as they were. */
  written: readonly string[]
  /** Whether it has a text in `html`: cleaned when it is written, read for figures, headings and links. */
  holdsHtml: boolean
  /** Whether it draws the insight that `insightId` names. */
  drawsInsight: boolean
  /** What keeps some readers from taking it in, besides what is looked at in every text. */
  lacks: (settings: BlockSettings) => Lack[]
}

/** Gives a setting that is a text; '' for anything else. */
export function textOf(settings: BlockSettings, name: string): string {
  const value = settings[name]
  return typeof value === 'string' ? value : ''
}

/** What a frame of something from elsewhere lacks: a caption is its name. */
export function lackOfCaption(settings: BlockSettings): Lack[] {
  if (textOf(settings, 'caption').trim()) return []
  return [{ message: 'give it a caption: it is its name for those who hear the page.', isBlocking: false }]
}

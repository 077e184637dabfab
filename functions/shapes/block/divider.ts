import type { Block } from './block.ts'

export const divider: Block = {
  name: 'Divider',
  written: [],
  readableTexts: [],
  holdsHtml: false,
  drawsInsight: false,
  lacks: () => [],
}

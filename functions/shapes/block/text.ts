import type { Block } from './block.ts'

export const text: Block = {
  name: 'Text',
  written: ['html', 'beside'],
  readableTexts: ['html'],
  holdsHtml: true,
  drawsInsight: false,
  lacks: () => [],
}

import type { Block } from './block.ts'

export const insight: Block = {
  name: 'Insight',
  written: ['insightId', 'caption'],
  readableTexts: ['caption'],
  holdsHtml: false,
  drawsInsight: true,
  lacks: () => [],
}

import type { Block } from './block.ts'

export const map: Block = {
  name: 'Map',
  written: ['insightId', 'sourceId', 'caption'],
  readableTexts: ['caption'],
  holdsHtml: false,
  drawsInsight: true,
  lacks: () => [],
}

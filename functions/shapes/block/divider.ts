import type { Block } from './block.ts'

export const divider: Block = {
  name: 'Divider',
  written: [],
  words: [],
  holdsHtml: false,
  drawsInsight: false,
  lacks: () => [],
}

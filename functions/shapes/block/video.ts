import { lackOfCaption, type Block } from './block.ts'

export const video: Block = {
  name: 'Video',
  written: ['url', 'caption'],
  words: ['caption'],
  holdsHtml: false,
  drawsInsight: false,
  lacks: lackOfCaption,
}

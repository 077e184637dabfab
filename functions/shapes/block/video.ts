import { lackOfCaption, type Block } from './block.ts'

export const video: Block = {
  name: 'Video',
  written: ['url', 'caption'],
  holdsHtml: false,
  drawsInsight: false,
  lacks: lackOfCaption,
}

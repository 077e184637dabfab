import { lackOfCaption, type Block } from './block.ts'

export const video: Block = {
  name: 'Video',
  written: ['url', 'caption'],
  readableTexts: ['caption'],
  holdsHtml: false,
  drawsInsight: false,
  lacks: lackOfCaption,
}

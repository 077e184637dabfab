import { lackOfCaption, type Block } from './block.ts'

export const embed: Block = {
  name: 'Embed',
  written: ['url', 'caption'],
  readableTexts: ['caption'],
  holdsHtml: false,
  drawsInsight: false,
  lacks: lackOfCaption,
}

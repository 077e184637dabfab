import { getSettingText, type Block } from './block.ts'

export const image: Block = {
  name: 'Image',
  written: ['url', 'alt', 'caption'],
  readableTexts: ['caption', 'alt'],
  holdsHtml: false,
  drawsInsight: false,
  lacks: (settings) =>
    getSettingText(settings, 'alt').trim() || settings.alt === ''
      ? []
      : [{ message: 'describe the picture, or mark it as decoration.', isBlocking: true }],
}

import type { LanguageFacts } from '../facts.ts'

export const facts = {
  code: 'ja',
  name: '日本語',
  direction: 'ltr',
  openGraph: 'ja_JP',
  formatTag: 'ja',
  hasPictureFont: false,
} as const satisfies LanguageFacts

import type { LanguageFacts } from '../facts.ts'

export const facts = {
  code: 'de',
  name: 'Deutsch',
  direction: 'ltr',
  openGraph: 'de_DE',
  formatTag: 'de',
  hasPictureFont: true,
} as const satisfies LanguageFacts

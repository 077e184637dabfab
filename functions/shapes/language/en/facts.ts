import type { LanguageFacts } from '../facts.ts'

export const facts = {
  code: 'en',
  name: 'English',
  direction: 'ltr',
  openGraph: 'en_US',
  formatTag: 'en',
  hasPictureFont: true,
} as const satisfies LanguageFacts

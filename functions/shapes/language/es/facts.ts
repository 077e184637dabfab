import type { LanguageFacts } from '../facts.ts'

export const facts = {
  code: 'es',
  name: 'Español',
  direction: 'ltr',
  openGraph: 'es_ES',
  formatTag: 'es',
  hasPictureFont: true,
} as const satisfies LanguageFacts

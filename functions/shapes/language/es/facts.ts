import type { LanguageFacts } from '../facts.ts'

export const facts = {
  code: 'es',
  name: 'Español',
  direction: 'ltr',
  openGraph: 'es_ES',
  formatTag: 'es',
} as const satisfies LanguageFacts

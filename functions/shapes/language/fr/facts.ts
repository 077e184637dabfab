import type { LanguageFacts } from '../facts.ts'

export const facts = {
  code: 'fr',
  name: 'Français',
  direction: 'ltr',
  openGraph: 'fr_FR',
  formatTag: 'fr',
  hasPictureFont: true,
} as const satisfies LanguageFacts

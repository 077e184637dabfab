import type { LanguageFacts } from '../facts.ts'

export const facts = {
  code: 'ar',
  name: 'العربية',
  direction: 'rtl',
  openGraph: 'ar_AR',
  // Latin digits: both kinds are read, the text face has only these, and figures in charts, tables, files and
  // programs then are the same ones.
  formatTag: 'ar-u-nu-latn',
  hasPictureFont: true,
} as const satisfies LanguageFacts

import type { LanguageFacts } from '../facts.ts'

export const facts = {
  code: 'ar',
  name: 'العربية',
  direction: 'rtl',
  openGraph: 'ar_AR',
  // Latin digits: readers know both kinds, the text font has only these, and numbers are then equal in
  // charts, tables, files and programs.
  formatTag: 'ar-u-nu-latn',
  hasPictureFont: true,
} as const satisfies LanguageFacts

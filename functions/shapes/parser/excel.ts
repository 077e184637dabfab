import type { Parser } from './parser.ts'

export const excel = {
  label: 'Excel',
  notes: 'Workbooks of type .xlsx; the first row with text heads each sheet.',
  options: ['autoFormat', 'zip', 'selector'],
  endings: ['xlsx'],
  content: 'archive',
  zipped: /\.xlsx$/i,
} as const satisfies Parser

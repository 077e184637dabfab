import type { Parser } from './parser.ts'

export const json = {
  label: 'JSON',
  notes: 'Rows are found by a selector.',
  options: ['autoFormat', 'zip', 'file', 'selector'],
  required: ['selector'],
  endings: ['json'],
  content: 'text',
  zipped: /\.json$/i,
  mostBytes: null,
  tooLarge: 'Give its address, or pack it into a zip archive.',
} as const satisfies Parser

import type { Parser } from './parser.ts'

export const json = {
  label: 'JSON',
  notes: 'Rows are found by a selector.',
  options: ['autoFormat', 'zip', 'selector'],
  required: ['selector'],
  endings: ['json'],
  content: 'text',
  zipped: /\.json$/i,
} as const satisfies Parser

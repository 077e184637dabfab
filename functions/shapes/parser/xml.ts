import type { Parser } from './parser.ts'

export const xml = {
  label: 'XML',
  notes: 'Attributes stand under "$", text under "_".',
  options: ['autoFormat', 'zip', 'selector', 'strict'],
  endings: ['xml', 'rss'],
  content: 'elements',
  zipped: /\.xml$/i,
} as const satisfies Parser

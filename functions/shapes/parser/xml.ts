import type { Parser } from './parser.ts'

export const xml = {
  label: 'XML',
  notes: 'Attributes stand under "$", text under "_".',
  options: ['autoFormat', 'zip', 'file', 'selector', 'strict'],
  endings: ['xml', 'rss'],
  content: 'elements',
  zipped: /\.xml$/i,
  mostBytes: null,
  tooLarge: 'Give its address, or pack it into a zip archive.',
} as const satisfies Parser

import type { Parser } from './parser.ts'

export const html = {
  label: 'HTML',
  notes: 'As XML, read as loosely as browsers do.',
  options: ['autoFormat', 'zip', 'selector', 'strict'],
  endings: ['html', 'htm'],
  content: 'page',
  zipped: /\.html?$/i,
} as const satisfies Parser

import type { Parser } from './parser.ts'

export const html = {
  label: 'HTML',
  notes: 'As XML, read as loosely as browsers do.',
  options: ['autoFormat', 'zip', 'file', 'selector', 'strict'],
  endings: ['html', 'htm'],
  content: 'page',
  zipped: /\.html?$/i,
  mostBytes: null,
  tooLarge: 'Give its address, or pack it into a zip archive.',
} as const satisfies Parser

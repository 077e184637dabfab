import type { Parser } from './parser.ts'

export const tsv = {
  label: 'TSV',
  notes: 'As CSV, separated by tabs.',
  options: ['autoFormat', 'zip', 'file', 'headerRows', 'leaveOut', 'takeIn'],
  endings: ['tsv', 'tab'],
  content: 'table',
  zipped: /\.tsv$/i,
  mostBytes: null,
  tooLarge: 'Give its address, or pack it into a zip archive.',
} as const satisfies Parser

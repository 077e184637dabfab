import type { Parser } from './parser.ts'

export const tsv = {
  label: 'TSV',
  notes: 'As CSV, separated by tabs.',
  options: ['autoFormat', 'zip', 'headerRows', 'leaveOut', 'takeIn'],
  endings: ['tsv', 'tab'],
  content: 'table',
  zipped: /\.tsv$/i,
} as const satisfies Parser

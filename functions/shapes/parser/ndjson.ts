import type { Parser } from './parser.ts'

export const ndjson = {
  label: 'NDJSON',
  notes: 'One object of JSON a line.',
  options: ['autoFormat', 'zip', 'file'],
  endings: ['ndjson', 'jsonl'],
  content: 'text',
  zipped: /\.(ndjson|jsonl)$/i,
  mostBytes: null,
  tooLarge: 'Give its address, or pack it into a zip archive.',
} as const satisfies Parser

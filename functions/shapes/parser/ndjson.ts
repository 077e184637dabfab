import type { Parser } from './parser.ts'

export const ndjson = {
  label: 'NDJSON',
  notes: 'One object of JSON a line.',
  options: ['autoFormat', 'zip'],
  endings: ['ndjson', 'jsonl'],
  content: 'text',
  zipped: /\.(ndjson|jsonl)$/i,
} as const satisfies Parser

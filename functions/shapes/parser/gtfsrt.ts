import type { Parser } from './parser.ts'

export const gtfsrt = {
  label: 'GTFS Realtime',
  notes: 'Each entity of the feed is a row.',
  options: ['autoFormat'],
  endings: ['pb'],
  content: 'bytes',
  zipped: null,
} as const satisfies Parser

import type { Parser } from './parser.ts'

export const gtfsrt = {
  label: 'GTFS Realtime',
  notes: 'Each entity of the feed is a row.',
  options: ['autoFormat'],
  endings: ['pb'],
  content: 'bytes',
  zipped: null,
  mostBytes: 32_000_000,
  tooLarge: 'Ask for a part of the feed.',
} as const satisfies Parser

import type { Parser } from './parser.ts'

export const gtfs = {
  label: 'GTFS',
  notes: 'A timetable; rows are { type, data }. A selector chooses types, such as stop.',
  options: ['autoFormat', 'selector'],
  endings: ['gtfs'],
  content: 'archive',
  zipped: null,
  mostBytes: 100_000_000,
  tooLarge: 'Leave out what is not needed, such as shapes.txt, and pack it again.',
} as const satisfies Parser

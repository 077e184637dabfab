import type { Parser } from './parser.ts'

export const gtfs = {
  label: 'GTFS',
  notes: 'A timetable; rows are { type, data }. A selector chooses types, such as stop.',
  options: ['autoFormat', 'selector'],
  endings: ['gtfs'],
  content: 'archive',
  zipped: null,
} as const satisfies Parser

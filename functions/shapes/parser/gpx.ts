import type { Parser } from './parser.ts'

export const gpx = {
  label: 'GPX',
  notes: 'A file is one row, a line.',
  options: ['autoFormat'],
  features: true,
  endings: ['gpx'],
  content: 'elements',
  zipped: null,
} as const satisfies Parser

import type { Parser } from './parser.ts'

export const gpx = {
  label: 'GPX',
  notes: 'A file is one row, a line.',
  options: ['autoFormat', 'zip', 'file'],
  features: true,
  endings: ['gpx'],
  content: 'elements',
  zipped: /\.gpx$/i,
  mostBytes: null,
  tooLarge: 'Give its address, or pack it into a zip archive.',
} as const satisfies Parser

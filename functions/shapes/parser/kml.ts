import type { Parser } from './parser.ts'

export const kml = {
  label: 'KML',
  notes: 'Each placemark is a row.',
  options: ['autoFormat', 'zip', 'file'],
  features: true,
  endings: ['kml'],
  content: 'elements',
  zipped: /\.kml$/i,
  mostBytes: null,
  tooLarge: 'Give its address, or pack it into a zip archive.',
} as const satisfies Parser

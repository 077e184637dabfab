import type { Parser } from './parser.ts'

export const kml = {
  label: 'KML',
  notes: 'Each placemark is a row.',
  options: ['autoFormat'],
  features: true,
  endings: ['kml'],
  content: 'elements',
  zipped: null,
} as const satisfies Parser

import type { Parser } from './parser.ts'

export const kmz = {
  label: 'KMZ',
  notes: 'Zipped KML.',
  options: ['autoFormat'],
  features: true,
  endings: ['kmz'],
  content: 'archive',
  zipped: /\.kml$/i,
} as const satisfies Parser

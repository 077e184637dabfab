import type { Parser } from './parser.ts'

export const kmz = {
  label: 'KMZ',
  notes: 'Zipped KML.',
  options: ['autoFormat'],
  features: true,
  endings: ['kmz'],
  content: 'archive',
  zipped: /\.kml$/i,
  mostBytes: 100_000_000,
  tooLarge: 'Divide it into several files, or save it as FlatGeobuf.',
} as const satisfies Parser

import type { Parser } from './parser.ts'

export const geojson = {
  label: 'GeoJSON',
  notes: 'Each feature is a row.',
  options: ['autoFormat', 'zip', 'file'],
  features: true,
  endings: ['geojson'],
  content: 'text',
  zipped: /\.geojson$/i,
  mostBytes: null,
  tooLarge: 'Give its address, or pack it into a zip archive.',
} as const satisfies Parser

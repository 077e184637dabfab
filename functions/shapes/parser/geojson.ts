import type { Parser } from './parser.ts'

export const geojson = {
  label: 'GeoJSON',
  notes: 'Each feature is a row.',
  options: ['autoFormat'],
  features: true,
  endings: ['geojson'],
  content: 'text',
  zipped: null,
} as const satisfies Parser

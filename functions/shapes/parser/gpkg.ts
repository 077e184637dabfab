import type { Parser } from './parser.ts'

export const gpkg = {
  label: 'GeoPackage',
  notes:
    'Its layers, put into longitude and latitude by the system that each names; tables without geometry when they are chosen.',
  options: ['autoFormat', 'selector'],
  features: true,
  endings: ['gpkg'],
  content: 'archive',
  zipped: null,
  mostBytes: null,
  tooLarge: 'Give its address, or save a layer of it as CSV and pack that into a zip archive.',
} as const satisfies Parser

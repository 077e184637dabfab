import type { Parser } from './parser.ts'

export const shp = {
  label: 'Shapefile',
  notes: 'Zipped; put into longitude and latitude by its .prj.',
  options: ['autoFormat'],
  features: true,
  endings: ['shp', 'zip'],
  content: 'archive',
  zipped: null,
} as const satisfies Parser

import type { Parser } from './parser.ts'

export const shp = {
  label: 'Shapefile',
  notes: 'Zipped; put into longitude and latitude by its .prj.',
  options: ['autoFormat'],
  features: true,
  endings: ['shp', 'zip'],
  content: 'archive',
  zipped: null,
  mostBytes: 100_000_000,
  tooLarge: 'Divide it into several files, or save it as FlatGeobuf.',
} as const satisfies Parser

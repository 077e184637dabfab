import type { Parser } from './parser.ts'

export const fgb = {
  label: 'FlatGeobuf',
  notes: 'Put into longitude and latitude by the system that it names.',
  options: ['autoFormat'],
  features: true,
  endings: ['fgb'],
  content: 'archive',
  zipped: null,
  mostBytes: null,
  tooLarge: 'Give its address, or save it as CSV and pack that into a zip archive.',
} as const satisfies Parser

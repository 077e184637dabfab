import type { Parser } from './parser.ts'

export const parquet = {
  label: 'Parquet',
  notes: 'Also GeoParquet; packed with Snappy, gzip or Zstandard, or not at all.',
  options: ['autoFormat'],
  endings: ['parquet', 'geoparquet', 'pq'],
  content: 'archive',
  zipped: null,
  mostBytes: null,
  tooLarge: 'Give its address, or save it as CSV and pack that into a zip archive.',
} as const satisfies Parser

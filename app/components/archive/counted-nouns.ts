import type { ArchiveReport } from '#functions/shapes/archive.ts'

/** What is counted of an archive, in the order in which it is made, with its words. */
export const countedNouns: [keyof ArchiveReport['counts'], string][] = [
  ['dataTypes', 'data types'],
  ['sources', 'sources'],
  ['records', 'records'],
  ['insights', 'insights'],
  ['collections', 'collections'],
  ['pages', 'pages'],
  ['media', 'files'],
  ['boundarySets', 'boundary sets'],
  ['translations', 'translations'],
  ['importers', 'importers'],
  ['observers', 'observers'],
]

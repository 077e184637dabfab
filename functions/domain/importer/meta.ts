import type { ImporterMeta } from '#functions/shapes/importer.ts'
import { importerModes } from '#functions/shapes/importer.ts'
import { mappingLimits } from '#functions/shapes/importer-mapping.ts'
import { parserCatalogue, unsupportedEndings } from '#functions/shapes/importer-parsers.ts'
import { autoFormats } from '#functions/shapes/parser/parser.ts'
import { sourceLimits } from '#functions/shapes/importer-source.ts'
import { transformCatalogue } from '#functions/shapes/importer-transforms.ts'
import { templateNames } from '#functions/engine/import/url-template.ts'
import { minIntervalMinutes } from '#functions/engine/import/schedule.ts'

const source = {
  url: `An http or https address, or file: and the id of a file that was uploaded to the source. Filled in for each run, by the time of the place: ${Object.keys(
    templateNames,
  )
    .map((name) => `{${name}}`)
    .join(', ')}.`,
  parser: 'The format of what comes.',
  parserOptions: 'How that format is read; which options there are depends on the parser.',
  query: 'Parameters that are added to the address.',
  headers: 'Headers of the request. Those that are secret are encrypted and never shown again.',
  oauth: 'A grant { url, type, … } that gives an access token before the run.',
  pagination: 'How the pages of an answer are asked for, one after another.',
}

const pagination = {
  pageParam: 'The parameter with the number of the page.',
  offsetParam: 'The parameter with the number of rows to skip; instead of pageParam.',
  limitParam: 'The parameter with the number of rows of a page.',
  limit: 'Rows of a page.',
  startPage: 'The number of the first page; 0 unless said otherwise.',
  nextPageSelector: 'Where an answer names the address of the next page: a path, or several.',
}

const entries = (notes: Record<string, string>) =>
  Object.entries(notes).map(([name, text]) => ({ name, notes: text }))

/** The options of importers, from the tables that validate them, and unsupported ones with the reason. */
export async function importerMeta(): Promise<ImporterMeta> {
  return {
    parsers: parserCatalogue(),
    transforms: transformCatalogue(),
    modes: [...importerModes],
    autoFormats: [...autoFormats],
    source: entries(source),
    pagination: entries(pagination),
    limits: { ...sourceLimits, ...mappingLimits, minIntervalMinutes },
    unsupported: Object.entries(unsupportedEndings).map(([name, reason]) => ({ name, reason })),
  }
}

import { apiTemplates } from './templates-of-apis.ts'
import { fileTemplates } from './templates-of-files.ts'
import type { ImporterTemplates } from '#functions/shapes/importer.ts'

/** Templates for importers, common portals first. Each is a valid importer. */
export async function importerTemplates(): Promise<ImporterTemplates> {
  return [...apiTemplates, ...fileTemplates].map(({ id, name, notes, fill, importer }) => ({
    id,
    name,
    notes,
    parser: importer.sources[0].parser,
    importer: {
      name,
      mode: 'upsert' as const,
      mapping: {},
      ...importer,
      sources: importer.sources.map((source) => ({ ...source })),
    },
    fill,
  }))
}

import { apiTemplates } from './templatesOfApis.ts'
import { fileTemplates } from './templatesOfFiles.ts'
import type { ImporterTemplates } from '#functions/shapes/importer.ts'

/** Starting points for importers, the common portals first. Each is an importer that could be saved as it stands. */
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

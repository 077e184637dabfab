import { reads, writes } from './crud.ts'
import { dataset } from './dataset.ts'
import { importer } from './importer.ts'
import { file } from './source-file.ts'
import { sourceKey } from './source-key.ts'
import * as sources from '#functions/domain/source/sources.ts'
import { NewSource, SourceChanges, SourceOptions, SourceRow } from '#functions/shapes/source.ts'

/** Sources of all places, and what writes their records. */
export const source = {
  ...dataset('source'),
  ...reads('source.read', SourceOptions, sources, SourceRow),
  ...writes(
    { create: 'source.create', update: 'source.update', delete: 'source.delete' },
    { create: NewSource, update: SourceChanges },
    sources,
    SourceRow,
    { stepUpToDelete: true },
  ),
  file,
  importer,
  key: sourceKey,
}

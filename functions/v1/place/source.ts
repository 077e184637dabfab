import { reads, restores, writes } from '../crud.ts'
import { dataset } from '../dataset.ts'
import * as sources from '#functions/domain/sources.ts'
import { NewSource, SourceChanges, SourceOptions, SourceRow } from '#functions/shapes/source.ts'

const { create, updateById, deleteById } = writes(
  { create: 'source.create', update: 'source.update', delete: 'source.delete' },
  { create: NewSource, update: SourceChanges },
  sources,
  SourceRow,
)

/** The sources of a place, with the questions one can ask of their records. */
export const source = {
  ...dataset('place.source'),
  ...restores('source.delete', sources, SourceRow),
  ...reads('source.read', SourceOptions, sources, SourceRow),
  create,
  updateById,
  deleteById,
}

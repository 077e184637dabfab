import { reads, writes } from '../crud.ts'
import * as sources from '#functions/domain/sources.ts'
import { NewSource, SourceChanges, SourceOptions } from '#functions/shapes/source.ts'

const { create, updateById, deleteById } = writes(
  { create: 'source.create', update: 'source.update', delete: 'source.delete' },
  { create: NewSource, update: SourceChanges },
  sources,
)

/** The sources of a place. */
export const source = {
  ...reads('source.read', SourceOptions, sources),
  create,
  updateById,
  deleteById,
}

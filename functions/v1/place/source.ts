import { reads, restores, writes } from '../crud.ts'
import { dataset } from '../dataset.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import { testNew } from '#functions/domain/importer/try.ts'
import * as completeness from '#functions/domain/source/completeness.ts'
import * as customFields from '#functions/domain/source/custom-fields.ts'
import * as sources from '#functions/domain/source/sources.ts'
import { AddressedSample, NewSourceTest, Tried } from '#functions/shapes/importer.ts'
import { SourceCompleteness } from '#functions/shapes/completeness.ts'
import { CustomFieldChanges, CustomFields } from '#functions/shapes/custom-field.ts'
import { buildListShape } from '#functions/shapes/returns.ts'
import { NewSource, SourceChanges, SourceOptions, SourceRow } from '#functions/shapes/source.ts'

const { create, updateById, deleteById } = writes(
  { create: 'source.create', update: 'source.update', delete: 'source.delete' },
  { create: NewSource, update: SourceChanges },
  sources,
  SourceRow,
  { stepUpToDelete: true },
)

/** The sources of a place, with query endpoints for their records. */
export const source = {
  ...dataset('place.source'),
  ...restores('source.delete', sources, SourceRow),
  ...reads('source.read', SourceOptions, sources, SourceRow),
  create,
  updateById,
  deleteById,
  completeness: endpoint({
    allow: 'activity.read',
    http: { method: 'get' },
    options: SourceOptions,
    returns: buildListShape(SourceCompleteness),
    summary: 'How completely the sources of a place are described, and whether their data came in time',
    run: completeness.find,
  }),
  customFields: endpoint({
    allow: 'source.read',
    http: { method: 'get' },
    returns: CustomFields,
    summary: 'The metadata fields that a place has made for its sources',
    run: customFields.find,
  }),
  saveCustomFields: endpoint({
    allow: 'place.update',
    http: { method: 'post' },
    data: CustomFieldChanges,
    returns: CustomFields,
    summary: 'Say which metadata fields a place has for its sources, in their order',
    run: customFields.save,
  }),
  test: endpoint({
    allow: 'source.create',
    data: NewSourceTest,
    like: AddressedSample,
    multipart: true,
    returns: Tried,
    summary: 'Try an address or a file (sent as a form) before there is a source, and store nothing',
    run: testNew,
  }),
}

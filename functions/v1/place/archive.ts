import { endpoint } from '#functions/api/endpoint.ts'
import * as archives from '#functions/domain/archive/archives.ts'
import { ArchiveLink, ArchiveOptions, ArchiveRow, NewArchive } from '#functions/shapes/archive.ts'
import { Deleted, buildListShape } from '#functions/shapes/returns.ts'

/** Archives of a place: all of its contents in one file, without secrets. */
export const archive = {
  file: endpoint({
    allow: 'place.archive',
    http: { method: 'get', one: true },
    stream: true,
    media: ['application/zip'],
    options: ArchiveLink,
    summary: 'The bytes of an archive, by the link of its row, which ends a day after it was made',
    run: archives.file,
  }),
  find: endpoint({
    allow: 'place.archive',
    options: ArchiveOptions,
    returns: buildListShape(ArchiveRow),
    run: archives.find,
  }),
  findById: endpoint({ allow: 'place.archive', returns: ArchiveRow, run: archives.findById }),
  create: endpoint({
    allow: 'place.archive',
    stepUp: true,
    data: NewArchive,
    returns: ArchiveRow,
    summary: 'Ask for an archive of all that the place has; it is made in the background',
    run: archives.create,
  }),
  deleteById: endpoint({ allow: 'place.archive', returns: Deleted, run: archives.deleteById }),
}

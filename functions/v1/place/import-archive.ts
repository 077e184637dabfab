import { endpoint } from '#functions/api/endpoint.ts'
import * as importing from '#functions/domain/archive/import.ts'
import { callByName } from '../call-by-name.ts'
import { ArchiveReport, ArchiveToImport } from '#functions/shapes/archive.ts'

/** Creates a place from an archive of this or another instance. */
export const importArchive = {
  tryArchive: endpoint({
    allow: 'place.start',
    http: { method: 'post' },
    heavy: true,
    multipart: true,
    data: ArchiveToImport,
    returns: ArchiveReport,
    summary: 'Say what importing an archive would make and what of it is refused, and make nothing',
    run: (ctx, request) => importing.tryArchive(ctx, request, callByName),
  }),
  importArchive: endpoint({
    allow: 'place.start',
    http: { method: 'post' },
    heavy: true,
    multipart: true,
    data: ArchiveToImport,
    returns: ArchiveReport,
    summary: 'Make a place of an archive, with nothing public and nothing that acts; all of it or nothing',
    run: (ctx, request) => importing.importArchive(ctx, request, callByName),
  }),
}

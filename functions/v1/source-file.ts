import { endpoint } from '#functions/api/endpoint.ts'
import * as files from '#functions/domain/file/files.ts'
import { FileRow, NewFile } from '#functions/shapes/file.ts'
import { Deleted } from '#functions/shapes/returns.ts'

/** Data files of a source, for imports. Their URLs expire. */
export const file = {
  create: endpoint({
    allow: 'file.create',
    data: NewFile,
    multipart: true,
    returns: FileRow,
    summary:
      'Add a file: sent as a form (25 MB), announced (100 MB, to be sent to `url`), or confirmed by `fileId`',
    run: files.createOfSource,
  }),
  deleteById: endpoint({ allow: 'file.delete', returns: Deleted, run: files.deleteOfSource }),
}

import { call } from '#functions/api/call.ts'
import { endpoint, isEndpoint, type Endpoint, type Tree } from '#functions/api/endpoint.ts'
import * as importing from '#functions/domain/archive/import.ts'
import type { CallEndpoint } from '#functions/domain/archive/writer.ts'
import { ArchiveReport, ArchiveToImport } from '#functions/shapes/archive.ts'

/** Calls the endpoint of a name. The tree is fetched when it is needed: this is a part of it. */
export const callByName: CallEndpoint = async (ctx, name, params, data) => {
  const { v1 } = await import('../index.ts')
  const target = name
    .split('.')
    .reduce<Endpoint | Tree | undefined>(
      (node, part) => (node && !isEndpoint(node) ? node[part] : undefined),
      v1,
    )
  if (!target || !isEndpoint(target)) throw new Error(`There is no endpoint ${name}.`)
  return (await call(target, ctx, { params, data })) as { id: string }
}

/** A place out of an archive of one, here or elsewhere. */
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

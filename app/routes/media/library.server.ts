import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { listQuery } from '#app/components/list/list-query.ts'
import { getFolderTrail } from '#app/components/media/asset.ts'
import { mediaOffer } from './address.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from '#app/server/load.server.ts'
import { loadUses } from '#app/server/uses.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'

/** A place's media library as given by the URL: a folder, or a search in all of them, and the open file. An unknown folder is the top. */
export async function mediaScreen(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'withPlace')
  const { ctx } = args.context
  const params = { assetsId: placeId }
  const query = listQuery(new URL(args.request.url), mediaOffer)
  const { kind, view = 'grid', folder, file: fileId } = query.filters
  const { search, orderings, limit, offset } = query.options
  const { folders } = await load(args, {
    folders: { endpoint: v1.assets.folder.find, params, options: { limit: 1000 } },
  })
  const trail = getFolderTrail(folders.results, folder ?? null)
  const folderId = trail.at(-1)?.id ?? null
  const options = {
    ...{ orderings, limit, offset },
    ...(search ? { search } : { filters: { folderId } }),
    ...(kind ? { kind } : {}),
  }
  const [{ files }, file] = await Promise.all([
    load(args, { files: { endpoint: v1.assets.file.find, params, options } }),
    fileId ? findFile(args, placeId, fileId) : null,
  ])
  return {
    list: {
      query: { ...query, filters: (kind ? { kind } : {}) as Record<string, string> },
      total: files.meta.total,
    },
    view,
    placeId,
    folders: folders.results.map(({ id, parentId, name, version }) => ({ id, parentId, name, version })),
    folderId,
    trail,
    files: files.results,
    file,
    mayCreate: hasPermission(ctx, 'asset.create'),
    mayUpdate: hasPermission(ctx, 'asset.update'),
    mayDelete: hasPermission(ctx, 'asset.delete'),
  }
}

/** A file with its uses; null if it does not exist. */
async function findFile(args: LoaderFunctionArgs, placeId: string, fileId: string) {
  const { file } = await load(args, {
    file: {
      endpoint: v1.assets.file.find,
      params: { assetsId: placeId },
      options: { filters: { id: fileId }, limit: 1 },
    },
  })
  const asset = file.results[0]
  return asset ? { asset, uses: (await loadUses(args, 'asset', [asset.id]))[asset.id] ?? [] } : null
}

import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { actKeeping, versionIn } from '#app/server/keeping.server.ts'
import { v1 } from '#functions/v1/index.ts'

const orNull = (text: string | undefined) => text || null

/** What the library does with folders and files. `ids` are the files that were chosen. */
export async function mediaAction(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData()
  const chosen = form.getAll('ids').map(String)
  const { file, folder } = v1.assets
  // A form of a file names it by `id`, one of the list by what is ticked.
  const params = { assetsId: args.context.ctx.placeId ?? '' }
  return actKeeping(args, (given) => {
    const ids = given.id ? [given.id] : chosen
    const ofFolder = { ...params, folderId: given.id ?? '' }
    return {
      'folder.create': {
        endpoint: folder.create,
        params,
        data: () => ({ name: given.name, parentId: orNull(given.parentId) }),
      },
      'folder.save': {
        endpoint: folder.updateById,
        params: ofFolder,
        data: (sent) => ({
          name: given.name,
          parentId: orNull(given.parentId),
          version: versionIn(sent),
        }),
      },
      'folder.delete': {
        endpoint: folder.deleteById,
        params: ofFolder,
        options: { recursive: true },
        then: () => `/media-library${given.parentNow ? `?folder=${given.parentNow}` : ''}`,
      },
      save: {
        endpoint: file.updateById,
        params: { ...params, fileId: given.id ?? '' },
        data: (sent) => ({
          name: given.name,
          folderId: orNull(given.folderId),
          ...(given.alt === undefined ? {} : { alt: given.alt }),
          ...(given.focalX === undefined ? {} : { focalX: Number(given.focalX) }),
          ...(given.focalY === undefined ? {} : { focalY: Number(given.focalY) }),
          version: versionIn(sent),
        }),
      },
      delete: { endpoint: file.deleteFiles, params, data: () => ({ ids }) },
      move: {
        endpoint: file.updateById,
        params,
        each: ids.map((fileId) => ({ params: { fileId }, data: { folderId: orNull(given.to) } })),
      },
    }
  })
}

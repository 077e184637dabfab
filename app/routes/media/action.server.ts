import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { handleFormKeepingValues, versionIn } from '#app/server/form-values.server.ts'
import { v1 } from '#functions/v1/index.ts'

const orNull = (text: string | undefined) => text || null

/** The actions of the media library on folders and files. `ids`: the selected files. */
export async function mediaAction(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData()
  const selectedIds = form.getAll('ids').map(String)
  const { file, folder } = v1.assets
  // A file's own form has `id`, the list has the checked ones.
  const params = { assetsId: args.context.ctx.placeId ?? '' }
  return handleFormKeepingValues(args, (formValues) => {
    const ids = formValues.id ? [formValues.id] : selectedIds
    const folderParams = { ...params, folderId: formValues.id ?? '' }
    return {
      'folder.create': {
        endpoint: folder.create,
        params,
        data: () => ({ name: formValues.name, parentId: orNull(formValues.parentId) }),
      },
      'folder.save': {
        endpoint: folder.updateById,
        params: folderParams,
        data: (formData) => ({
          name: formValues.name,
          parentId: orNull(formValues.parentId),
          version: versionIn(formData),
        }),
      },
      'folder.delete': {
        endpoint: folder.deleteById,
        params: folderParams,
        options: { recursive: true },
        then: () => `/media-library${formValues.parentNow ? `?folder=${formValues.parentNow}` : ''}`,
      },
      save: {
        endpoint: file.updateById,
        params: { ...params, fileId: formValues.id ?? '' },
        data: (formData) => ({
          name: formValues.name,
          folderId: orNull(formValues.folderId),
          ...(formValues.alt === undefined ? {} : { alt: formValues.alt }),
          ...(formValues.focalX === undefined ? {} : { focalX: Number(formValues.focalX) }),
          ...(formValues.focalY === undefined ? {} : { focalY: Number(formValues.focalY) }),
          version: versionIn(formData),
        }),
      },
      delete: { endpoint: file.deleteFiles, params, data: () => ({ ids }) },
      move: {
        endpoint: file.updateById,
        params,
        each: ids.map((fileId) => ({ params: { fileId }, data: { folderId: orNull(formValues.to) } })),
      },
    }
  })
}

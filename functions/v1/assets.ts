import { getReadOnlyMembers } from './crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as folders from '#functions/domain/asset/asset-folders.ts'
import * as files from '#functions/domain/asset/assets.ts'
import {
  AssetChanges,
  AssetList,
  AssetOptions,
  AssetRow,
  DeleteFolderOptions,
  FileIds,
  FolderChanges,
  FolderIds,
  FolderList,
  FolderOptions,
  FolderRow,
  NewAsset,
  NewFolder,
  NewUpload,
} from '#functions/shapes/asset.ts'
import { UploadTarget } from '#functions/shapes/file.ts'
import { Counted, Deleted } from '#functions/shapes/returns.ts'

/** Media libraries: of a place (`assetsId` is the place's id), or a person's own (the user's id). */
export const assets = {
  folder: {
    deleteFolders: endpoint({
      allow: 'asset.delete',
      data: FolderIds,
      returns: Counted,
      summary: 'Delete folders, all or none; with `recursive` also what is in them',
      run: folders.deleteFolders,
    }),
    find: endpoint({ allow: 'asset.read', options: FolderOptions, returns: FolderList, run: folders.find }),
    findById: endpoint({ allow: 'asset.read', returns: FolderRow, run: folders.findById }),
    create: endpoint({ allow: 'asset.create', data: NewFolder, returns: FolderRow, run: folders.create }),
    updateById: endpoint({
      allow: 'asset.update',
      data: FolderChanges,
      readOnly: getReadOnlyMembers(FolderRow, FolderChanges, folders.findById),
      returns: FolderRow,
      run: folders.updateById,
    }),
    deleteById: endpoint({
      allow: 'asset.delete',
      options: DeleteFolderOptions,
      returns: Deleted,
      summary: 'Delete a folder; one that is not empty only with `recursive=true`',
      run: folders.deleteById,
    }),
  },
  file: {
    getUploadWriteUrl: endpoint({
      allow: 'asset.create',
      data: NewUpload,
      returns: UploadTarget,
      summary: 'Announce a file of at most 100 MB: where to send its bytes within 15 minutes',
      run: files.getUploadWriteUrl,
    }),
    deleteFiles: endpoint({
      allow: 'asset.delete',
      data: FileIds,
      returns: Counted,
      summary: 'Delete files for good',
      run: files.deleteFiles,
    }),
    find: endpoint({ allow: 'asset.read', options: AssetOptions, returns: AssetList, run: files.find }),
    findById: endpoint({ allow: 'asset.read', returns: AssetRow, run: files.findById }),
    create: endpoint({
      allow: 'asset.create',
      data: NewAsset,
      returns: AssetRow,
      summary: 'Confirm that the bytes of an announced file were sent',
      run: files.create,
    }),
    updateById: endpoint({
      allow: 'asset.update',
      data: AssetChanges,
      readOnly: getReadOnlyMembers(AssetRow, AssetChanges, files.findById),
      returns: AssetRow,
      run: files.updateById,
    }),
  },
}

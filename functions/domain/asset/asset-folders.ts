import { sql } from 'kysely'
import { recordActivity, type Verb } from '#functions/domain/activity/activity.ts'
import {
  ancestors,
  descendants,
  expectFolder,
  foldersIn,
  getLibrary,
  lockTree,
  maxDepth,
  maxFolders,
  type FolderTree,
  type Library,
} from './asset-library.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { ownedBy, writeRemoving } from '#functions/domain/file/files-stored.ts'
import { insertNew } from '#functions/domain/noun/new-id.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { updateKnown, updateRow } from '#functions/domain/noun/rows.ts'
import { newRowColumns } from '#functions/domain/noun/versions.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type {
  DeleteFolderOptions,
  FolderChanges,
  FolderIds,
  FolderOptions,
  NewFolder,
} from '#functions/shapes/asset.ts'
import type { Tx } from '#db/schema.ts'

const columns = [
  'assetFolder.id',
  'assetFolder.placeId',
  'assetFolder.userId',
  'assetFolder.parentId',
  'assetFolder.name',
  'assetFolder.version',
  'assetFolder.createdAt',
  'assetFolder.updatedAt',
] as const

/** The folders of a library, by name. */
export async function find(ctx: Context, request: NounRequest<FolderOptions>) {
  const query = ctx.db
    .selectFrom('assetFolder')
    .select(columns)
    .where(foldersIn(getLibrary(request)))
  const listing = { table: 'assetFolder', order: [sortBy('name')], searchColumns: ['assetFolder.name'] }
  return listRows(ctx, query, listing, request.options)
}

/** One folder; undefined when the library has no such folder. */
export async function findById(ctx: Context, request: Pick<NounRequest, 'params' | 'placeId'>) {
  return get(ctx, getLibrary(request), param(request, 'folderId'))
}

/** Creates a folder, in another (`parentId`) or at the top. `conflict` where a folder that the actor sees has the chosen `id`. */
export async function create(ctx: Context, request: NounRequest<unknown, NewFolder>) {
  const library = getLibrary(request)
  const { id: chosenId, name, parentId = null } = request.data
  const newId = await ctx.transaction(async (tx) => {
    const tree = await lockTree(tx, library)
    if (tree.size >= maxFolders)
      throw new Failure('tooLarge', { message: `A library may have ${maxFolders} folders.` })
    expectPlace(tree, null, parentId)
    const { placeId, userId } = library
    const id = await insertNew(tx, ctx, { noun: 'assetFolder', placeId, chosenId }, (free) =>
      tx
        .insertInto('assetFolder')
        .values({ id: free, placeId, userId, parentId, name, ...newRowColumns(ctx) })
        .onConflict((c) => c.column('id').doNothing())
        .executeTakeFirst(),
    )
    await recordFolderActivity(tx, ctx, library, 'created', { id, name })
    return id
  })
  return get(ctx, library, newId)
}

/** Renames a folder or moves it with its contents. Failure `invalid` for a move into itself or a descendant. */
export async function updateById(ctx: Context, request: NounRequest<unknown, FolderChanges>) {
  const library = getLibrary(request)
  const id = param(request, 'folderId')
  return updateKnown(
    ctx,
    request.data,
    () => get(ctx, library, id),
    (row, changes) =>
      ctx.transaction(async (tx) => {
        if (changes.parentId !== undefined) expectPlace(await lockTree(tx, library), id, changes.parentId)
        await updateRow(tx, ctx, 'assetFolder', row, changes)
        await recordFolderActivity(tx, ctx, library, 'updated', { id, name: changes.name ?? row.name })
      }),
  )
}

/** Deletes a folder; one that is not empty only with `recursive=true`, with everything in it. */
export async function deleteById(ctx: Context, request: NounRequest<DeleteFolderOptions>) {
  const id = param(request, 'folderId')
  const ids = await remove(ctx, getLibrary(request), [id], String(request.options.recursive) === 'true')
  return ids.length ? { id } : undefined
}

/** Deletes folders, all or none; `count` is the number of the named ones that existed. */
export async function deleteFolders(ctx: Context, request: NounRequest<unknown, FolderIds>) {
  const { ids, recursive = false } = request.data
  return { count: (await remove(ctx, getLibrary(request), ids, recursive)).length }
}

async function remove(
  ctx: Context,
  library: Library,
  folderIds: string[],
  recursive: boolean,
): Promise<string[]> {
  return writeRemoving(ctx, async (tx, removeFiles) => {
    const tree = await lockTree(tx, library)
    const ids = [...new Set(folderIds)].filter((id) => tree.has(id))
    if (!ids.length) return []
    const all = descendants(tree, ids)
    const inThem = sql<boolean>`(${ownedBy(library)} and asset.folder_id = any(${all}::text[]))`
    if (!recursive) {
      const file = await tx.selectFrom('asset').select('asset.id').where(inThem).limit(1).executeTakeFirst()
      if (file || all.length > ids.length)
        throw new Failure('conflict', { message: 'The folder is not empty.' })
    }
    await removeFiles(inThem)
    const folders = await tx
      .updateTable('assetFolder')
      // Increments the version, so that an update based on the old one conflicts.
      .set((eb) => ({ deletedAt: ctx.now(), updatedAt: ctx.now(), version: eb('version', '+', 1) }))
      .where(foldersIn(library))
      .where('id', 'in', all)
      .returning(['id', 'name'])
      .execute()
    for (const folder of folders) await recordFolderActivity(tx, ctx, library, 'deleted', folder)
    return ids
  })
}

/** Rejects a parent that does not exist, is the folder itself or a descendant of it, or makes the tree too deep. */
function expectPlace(tree: FolderTree, id: string | null, parentId: string | null): void {
  expectFolder(tree, parentId, 'parentId')
  const above = ancestors(tree, parentId)
  const refuse = (message: string) =>
    new Failure('invalid', { issues: [{ path: ['parentId'], value: parentId, message }] })
  if (id !== null && above.includes(id)) throw refuse('A folder cannot be moved into itself.')
  const height =
    id === null
      ? 1
      : Math.max(
          ...descendants(tree, [id]).map((each) => {
            const line = ancestors(tree, each)
            return line.indexOf(id) + 1
          }),
        )
  if (above.length + height > maxDepth) throw refuse(`Folders may stand ${maxDepth} deep in each other.`)
}

async function get(ctx: Context, library: Library, id: string) {
  return ctx.db
    .selectFrom('assetFolder')
    .select(columns)
    .where(foldersIn(library))
    .where('assetFolder.id', '=', id)
    .executeTakeFirst()
}

/** Only places have an audit log; changes of a personal library are not logged. */
async function recordFolderActivity(
  tx: Tx,
  ctx: Context,
  { placeId }: Library,
  verb: Verb,
  folder: { id: string; name: string },
): Promise<void> {
  if (placeId !== null) await recordActivity(tx, ctx, { verb, type: 'folder', ...folder, placeId })
}

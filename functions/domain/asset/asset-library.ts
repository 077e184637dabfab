import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import type { Owner } from '#functions/domain/file/files-stored.ts'
import { Failure } from '#functions/errors.ts'
import type { Tx } from '#db/schema.ts'

/** A place's media library, or a person's own; its files are those of an owner. */
export type Library = Owner & { purpose: 'library' }

/** The maximal depth of folders, and their maximal number in a library. */
export const maxDepth = 10
export const maxFolders = 2000

/** The library of a request: that of the place that permission was checked for, or else the person's own. */
export function getLibrary(request: Pick<NounRequest, 'params' | 'placeId'>): Library {
  const { placeId } = request
  const userId = placeId === null ? param(request, 'assetsId') : null
  return { placeId, userId, purpose: 'library', sourceId: null }
}

/** The folders of a library that are not deleted. */
export function foldersIn({ placeId, userId }: Library): RawBuilder<SqlBool> {
  const whose =
    placeId === null
      ? sql`asset_folder.user_id = ${userId} and asset_folder.place_id is null`
      : sql`asset_folder.place_id = ${placeId}`
  return sql<SqlBool>`(${whose} and asset_folder.deleted_at is null)`
}

/** The parents of folders in one library, by id. */
export type FolderTree = ReadonlyMap<string, string | null>

/**
 * The whole folder tree of a library, locked until the end of the transaction: two concurrent moves could make a cycle.
 */
export async function lockTree(tx: Tx, library: Library): Promise<FolderTree> {
  const name = `assets:${library.placeId ?? ''}:${library.userId ?? ''}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
  const rows = await tx
    .selectFrom('assetFolder')
    .select(['assetFolder.id', 'assetFolder.parentId'])
    .where(foldersIn(library))
    .execute()
  return new Map(rows.map(({ id, parentId }) => [id, parentId]))
}

/** The ids of a folder and its ancestors, up to the top. Stops at a missing parent. */
export function ancestors(tree: FolderTree, id: string | null): string[] {
  const rows: string[] = []
  for (let at = id; at !== null && tree.has(at) && !rows.includes(at); at = tree.get(at) ?? null)
    rows.push(at)
  return rows
}

/** Folders and everything in them, each once, parents before their children. */
export function descendants(tree: FolderTree, ids: readonly string[]): string[] {
  const children = new Map<string, string[]>()
  for (const [id, parent] of tree)
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), id])
  const keys = new Set(ids.filter((id) => tree.has(id)))
  for (const id of keys) for (const child of children.get(id) ?? []) keys.add(child)
  return [...keys]
}

/** Rejects a folder that is not in the library; the error is the same whether or not another library has it. */
export function expectFolder(tree: FolderTree, id: string | null, path: string): void {
  if (id !== null && !tree.has(id)) throw createMissingFolderError(id, path)
}

/** The refusal of a folder that is not in the library. */
export function createMissingFolderError(id: string, path: string): Failure {
  return new Failure('invalid', {
    issues: [{ path: [path], value: id, message: 'There is no such folder.', validator: 'exists' }],
  })
}

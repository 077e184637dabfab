import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import type { Owner } from '#functions/domain/file/filesStored.ts'
import { Failure } from '#functions/errors.ts'
import type { Tx } from '#db/schema.ts'

/** A place's media library, or a person's own; its files are those of an owner. */
export type Library = Owner & { purpose: 'library' }

/** How deep folders may stand in each other, and how many a library may have. */
export const maxDepth = 10
export const maxFolders = 2000

/** The library a request is about: of the place that permission was checked for, else of the person who asks. */
export function libraryOf(request: Pick<NounRequest, 'params' | 'placeId'>): Library {
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

/** Folders of one library by id: what stands in what. */
export type FolderTree = ReadonlyMap<string, string | null>

/**
 * The whole tree of a library. Held for the rest of the transaction: two moves at a time could make a circle that
 * neither makes alone.
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

/** A folder and everything above it, up to the top. Stops at what is not there. */
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

/** Refuses a folder that the library has not; the answer is the same whether another library has it or none. */
export function expectFolder(tree: FolderTree, id: string | null, path: string): void {
  if (id !== null && !tree.has(id)) throw noFolder(id, path)
}

/** The refusal of a folder that is not in the library. */
export function noFolder(id: string, path: string): Failure {
  return new Failure('invalid', {
    issues: [{ path: [path], value: id, message: 'There is no such folder.', validator: 'exists' }],
  })
}

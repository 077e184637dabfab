import * as v from 'valibot'
import { Announced, FileName } from './file.ts'
import { Id, Version, listOptions } from './options.ts'
import { buildListShape, Time, TimeOrNull } from './returns.ts'

/** Text for people; Postgres cannot store NUL. */
const Alt = v.pipe(v.string(), v.trim(), v.maxLength(1000), v.regex(/^[^\0]*$/, 'Must be text.'))
const Focus = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
const FolderId = v.nullable(Id)

const settings = {
  name: v.optional(FileName),
  folderId: v.optional(FolderId),
  alt: v.optional(Alt),
  focalX: v.optional(Focus),
  focalY: v.optional(Focus),
}

/** Announces a file for a library. */
export const NewUpload = v.strictObject({ ...Announced.entries, folderId: v.optional(FolderId) })
export type NewUpload = v.InferOutput<typeof NewUpload>

/** Confirms an upload, with metadata. */
export const NewAsset = v.strictObject({ fileId: Id, ...settings })
export type NewAsset = v.InferOutput<typeof NewAsset>

export const AssetChanges = v.strictObject({ ...settings, version: v.optional(Version) })
export type AssetChanges = v.InferOutput<typeof AssetChanges>

export const NewFolder = v.strictObject({
  id: v.optional(Id),
  name: FileName,
  parentId: v.optional(FolderId),
})
export type NewFolder = v.InferOutput<typeof NewFolder>

export const FolderChanges = v.strictObject({
  name: v.optional(FileName),
  parentId: v.optional(FolderId),
  version: v.optional(Version),
})
export type FolderChanges = v.InferOutput<typeof FolderChanges>

const Ids = v.pipe(v.array(Id), v.minLength(1, 'Must not be empty.'), v.maxLength(1000))

export const FileIds = v.strictObject({ ids: Ids })
export type FileIds = v.InferOutput<typeof FileIds>

export const FolderIds = v.strictObject({ ids: Ids, recursive: v.optional(v.boolean()) })
export type FolderIds = v.InferOutput<typeof FolderIds>

/** With `recursive` a folder is deleted with its contents; without, a non-empty folder is rejected. */
export const DeleteFolderOptions = v.strictObject({
  recursive: v.optional(v.union([v.boolean(), v.picklist(['true', 'false'])])),
})
export type DeleteFolderOptions = v.InferOutput<typeof DeleteFolderOptions>

export const mediaKinds = ['image', 'video', 'audio', 'document'] as const
/** The kind of a media type. */
export type MediaKind = (typeof mediaKinds)[number]

const own = ['visibility', 'maxVisibility'] as const

export const AssetOptions = v.strictObject({
  ...v.omit(
    listOptions({
      id: 'text',
      name: 'text',
      type: 'text',
      folderId: 'text',
      createdAt: 'date',
      updatedAt: 'date',
    }),
    own,
  ).entries,
  kind: v.optional(v.picklist(mediaKinds)),
})
export type AssetOptions = v.InferOutput<typeof AssetOptions>

export const FolderOptions = v.omit(
  listOptions({ id: 'text', name: 'text', parentId: 'text', createdAt: 'date', updatedAt: 'date' }),
  own,
)
export type FolderOptions = v.InferOutput<typeof FolderOptions>

const library = { id: v.string(), placeId: v.nullable(v.string()), userId: v.nullable(v.string()) }
const versionFields = { version: v.number(), createdAt: Time, updatedAt: Time }

/**
 * A file of a library. `size` in bytes, `width` and `height` in pixels (null: not a picture), `hash` SHA-256 in hex. `missingAt`:
 * since when the storage is known to have lost it; null: it exists.
 */
export const AssetRow = v.strictObject({
  ...library,
  folderId: v.nullable(v.string()),
  name: v.string(),
  type: v.string(),
  size: v.number(),
  url: v.string(),
  hash: v.nullable(v.string()),
  width: v.nullable(v.number()),
  height: v.nullable(v.number()),
  alt: v.string(),
  focalX: v.number(),
  focalY: v.number(),
  missingAt: TimeOrNull,
  ...versionFields,
})

export const FolderRow = v.strictObject({
  ...library,
  parentId: v.nullable(v.string()),
  name: v.string(),
  ...versionFields,
})

export const AssetList = buildListShape(AssetRow)
export const FolderList = buildListShape(FolderRow)

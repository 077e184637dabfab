import * as v from 'valibot'
import { ContentRow } from './content.ts'
import { Id, Name, Version, Visibility, listOptions, buildNameShape, restorableOptions } from './options.ts'
import { Time, TimeOrNull, buildListShape, buildPartialShape } from './returns.ts'
import { Tags } from './tags.ts'

export const pageTypes = ['blank', 'dashboard', 'storytelling'] as const

const settings = {
  title: Name,
  description: v.optional(v.pipe(v.string(), v.maxLength(2000))),
  /** The displayed author; '' for the publisher of the place. */
  author: v.optional(v.union([v.literal(''), buildNameShape(200)], 'Must be a text.')),
  publish: v.optional(v.picklist(['draft', 'published'])),
  visibility: v.optional(Visibility),
  tags: v.optional(Tags),
}

export const NewPage = v.strictObject({ ...settings, id: v.optional(Id), type: v.picklist(pageTypes) })
export type NewPage = v.InferOutput<typeof NewPage>

/**
 * What happens to non-public insights and sources of a page when it is published for everyone: they are left out, or made public with
 * it. Without it such a page is rejected with their names.
 */
const hidden = v.optional(v.picklist(['leaveOut', 'makePublic']))

export const PageChanges = v.strictObject({
  ...v.partial(v.object(settings)).entries,
  hidden,
  version: v.optional(Version),
})
export type PageChanges = v.InferOutput<typeof PageChanges>

export const PublishPage = v.optional(v.strictObject({ hidden, version: v.optional(Version) }))
export type PublishPage = v.InferOutput<typeof PublishPage>

export const PageOptions = restorableOptions({
  id: 'text',
  title: 'text',
  type: 'text',
  publish: 'text',
  visibility: 'text',
  tags: 'texts',
  createdAt: 'date',
  updatedAt: 'date',
})

const { placeId: _place, createdAt: _created, updatedAt: _updated, ...content } = ContentRow.entries

/** A content as included with a page. */
export const PageContent = buildPartialShape(content)

/** A page. `contents` only with `includes=contents`. `publishedAt` null: a draft. */
export const PageRow = v.strictObject({
  id: v.string(),
  placeId: v.string(),
  title: v.string(),
  description: v.string(),
  /** The displayed author; '' for none. */
  author: v.string(),
  type: v.picklist(pageTypes),
  publish: v.picklist(['draft', 'published']),
  visibility: Visibility,
  tags: v.array(v.string()),
  publishedAt: TimeOrNull,
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
  contents: v.optional(v.array(PageContent)),
})

export const PageVersionOptions = listOptions({
  id: 'text',
  kind: 'text',
  title: 'text',
  createdAt: 'date',
  updatedAt: 'date',
})

/**
 * A version of a page, covering one or more saves. `restoredFrom`: when the restored state was saved; null unless `kind` is restored.
 * `authorId` null: unknown.
 */
const pageVersion = {
  id: v.string(),
  pageId: v.string(),
  /** Incremented per page. */
  number: v.number(),
  kind: v.picklist(['edited', 'published', 'restored']),
  title: v.string(),
  restoredFrom: TimeOrNull,
  authorId: v.nullable(v.string()),
  authorName: v.nullable(v.string()),
  createdAt: Time,
  updatedAt: Time,
}
const PageVersion = v.strictObject(pageVersion)

const { results, meta } = buildListShape(PageVersion).entries

/** The versions of a page. `isTooLarge`: above 10 MB no more versions are stored. */
export const PageVersions = v.strictObject({
  results,
  meta: v.strictObject({ ...meta.entries, isTooLarge: v.boolean() }),
})

const { id, kind, settings: contentSettings } = ContentRow.entries

/** The same with the content of the page. */
export const PageVersionRow = v.strictObject({
  ...pageVersion,
  description: v.string(),
  /** The displayed author at that time; `authorName` is who saved it. */
  author: v.string(),
  contents: v.array(v.strictObject({ id, kind, settings: contentSettings })),
})

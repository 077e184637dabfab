import * as v from 'valibot'
import { ContentRow } from './content.ts'
import { Id, Name, Version, Visibility, listOptions, plainName, restorableOptions } from './options.ts'
import { Time, TimeOrNull, listOf, partOf } from './returns.ts'
import { Tags } from './tags.ts'

export const pageTypes = ['blank', 'dashboard', 'storytelling'] as const

const settings = {
  title: Name,
  description: v.optional(v.pipe(v.string(), v.maxLength(2000))),
  /** Who wrote it, as its readers are told; '' for nobody in particular: then the publisher of the place is named. */
  author: v.optional(v.union([v.literal(''), plainName(200)])),
  publish: v.optional(v.picklist(['draft', 'published'])),
  visibility: v.optional(Visibility),
  tags: v.optional(Tags),
}

export const NewPage = v.strictObject({ ...settings, id: v.optional(Id), type: v.picklist(pageTypes) })
export type NewPage = v.InferOutput<typeof NewPage>

/**
 * What becomes of insights and sources that a page shows and not everyone may see, when it is published for everyone: the page
 * goes without them, or they are made public with it. Without it such a page is refused, and they are named.
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

/** A part of a page as the page brings it along. */
export const PageContent = partOf(content)

/** A page. `contents` only where `includes=contents` asked for them. `publishedAt` null: a draft. */
export const PageRow = v.strictObject({
  id: v.string(),
  placeId: v.string(),
  title: v.string(),
  description: v.string(),
  /** Who wrote it; '' for nobody in particular. */
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
 * What a page was, from its first to its last save. `restoredFrom`: when the state that was brought back had been saved;
 * null unless `kind` is restored. `authorId` null: nobody knows who saved it.
 */
const pageVersion = {
  id: v.string(),
  pageId: v.string(),
  /** Counts up in its page. */
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

const { results, meta } = listOf(PageVersion).entries

/** The versions of a page. `isTooLarge`: it is larger than 10 MB now, and no more are kept until it is smaller. */
export const PageVersions = v.strictObject({
  results,
  meta: v.strictObject({ ...meta.entries, isTooLarge: v.boolean() }),
})

const { id, kind, settings: contentSettings } = ContentRow.entries

/** The same with everything that the page said. */
export const PageVersionRow = v.strictObject({
  ...pageVersion,
  description: v.string(),
  /** Who wrote the page, as it said then; `authorName` is who saved it. */
  author: v.string(),
  contents: v.array(v.strictObject({ id, kind, settings: contentSettings })),
})

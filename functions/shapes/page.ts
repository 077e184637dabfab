import * as v from 'valibot'
import { Id, Name, Version, Visibility, restorableOptions } from './options.ts'
import { ContentRow } from './content.ts'
import { Time, TimeOrNull } from './returns.ts'

export const pageTypes = ['blank', 'dashboard', 'storytelling'] as const

const settings = {
  title: Name,
  description: v.optional(v.pipe(v.string(), v.maxLength(2000))),
  publish: v.optional(v.picklist(['draft', 'published'])),
  visibility: v.optional(Visibility),
}

export const NewPage = v.strictObject({ ...settings, id: v.optional(Id), type: v.picklist(pageTypes) })
export type NewPage = v.InferOutput<typeof NewPage>

export const PageChanges = v.strictObject({
  ...v.partial(v.object(settings)).entries,
  version: v.optional(Version),
})
export type PageChanges = v.InferOutput<typeof PageChanges>

export const PageOptions = restorableOptions({
  id: 'text',
  title: 'text',
  type: 'text',
  publish: 'text',
  visibility: 'text',
  createdAt: 'date',
  updatedAt: 'date',
})

const { placeId: _place, createdAt: _created, updatedAt: _updated, ...content } = ContentRow.entries

/** A part of a page as the page brings it along. */
export const PageContent = v.strictObject(content)

/** A page. `contents` only where `includes=contents` asked for them. `publishedAt` null: a draft. */
export const PageRow = v.strictObject({
  id: v.string(),
  placeId: v.string(),
  title: v.string(),
  description: v.string(),
  type: v.picklist(pageTypes),
  publish: v.picklist(['draft', 'published']),
  visibility: Visibility,
  publishedAt: TimeOrNull,
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
  contents: v.optional(v.array(PageContent)),
})

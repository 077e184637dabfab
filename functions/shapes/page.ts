import * as v from 'valibot'
import { Id, Name, Version, Visibility, listOptions } from './options.ts'

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

export const PageOptions = listOptions({
  id: 'text',
  title: 'text',
  type: 'text',
  publish: 'text',
  visibility: 'text',
  createdAt: 'date',
  updatedAt: 'date',
})

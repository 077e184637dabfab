import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { Option } from '#app/components/form/field.tsx'
import { isSameTag } from '#functions/shapes/tags.ts'
import type { TaggedNoun, TagUses } from '#functions/shapes/tag-use.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from './load.server.ts'
import { hasPermission } from './session.server.ts'

type TagUse = TagUses['results'][number]

/** The tags of the active place; empty without permission to read them. */
export async function tagsInUse(args: LoaderFunctionArgs | ActionFunctionArgs): Promise<TagUse[]> {
  const { ctx } = args.context
  if (ctx.placeId === null || !hasPermission(ctx, 'activity.read')) return []
  return (await load(args, { tags: v1.place.tags })).tags.results
}

/** The tags in use on a noun, as filter options. */
export function tagOptions(tags: readonly TagUse[], noun: TaggedNoun): Option[] {
  return tags.filter((tag) => tag[noun] > 0).map(({ name }) => ({ value: name, label: name }))
}

/** The filter of a list by a tag, ignoring case; empty if none is chosen. */
export function tagFilter(
  tags: readonly TagUse[],
  tagName: string | undefined,
): { tags?: { $overlap: string[] } } {
  if (tagName === undefined) return {}
  const tag = tags.find(({ name }) => isSameTag(name, tagName))
  return { tags: { $overlap: tag?.spellings ?? [tagName] } }
}

import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { Option } from '#app/components/form/field.tsx'
import { listQuery, type ListOffer } from '#app/components/list/list-query.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import type { TaggedNoun } from '#functions/shapes/tagUse.ts'
import { may } from './session.server.ts'
import { tagFilter, tagOptions, tagsInUse } from './tags.server.ts'

interface ListedThings {
  /** The operation that deletes one: who may do that may bring back what was deleted, and the address may ask for it (`?deleted=true`). */
  deletes?: OperationName
  /** What they are called where tags are counted; their offer has a filter `tag`. */
  tagged?: TaggedNoun
}

/**
 * A list as its address asks for it: `options` for its endpoint, the rest for `<List>`, which also takes how many rows there are. What is no column
 * of its endpoint the screen takes out of `options.filters`.
 */
export async function listRequest(
  args: LoaderFunctionArgs,
  offer: ListOffer,
  { deletes, tagged }: ListedThings = {},
) {
  const url = new URL(args.request.url)
  const query = listQuery(url, offer)
  const mayRestore = deletes !== undefined && may(args.context.ctx, deletes)
  const isDeleted = mayRestore && url.searchParams.get('deleted') === 'true'
  const { tag, ...columns } = query.filters
  const tags = tagged ? await tagsInUse(args) : []
  const choices: Record<string, Option[]> = tagged ? { tag: tagOptions(tags, tagged) } : {}
  const filters: Record<string, unknown> = { ...columns, ...tagFilter(tags, tag) }
  const options = { ...query.options, filters, ...(isDeleted && { deleted: true }) }
  return { query, options, choices, mayRestore, isDeleted }
}

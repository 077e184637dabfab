import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { Option } from '#app/components/form/field.tsx'
import { listQuery, type ListOffer } from '#app/components/list/list-query.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import type { TaggedNoun } from '#functions/shapes/tag-use.ts'
import { hasPermission } from './session.server.ts'
import { tagFilter, tagOptions, tagsInUse } from './tags.server.ts'

interface ListedThings {
  /** The delete operation; it also allows listing and restoring deleted rows (`?deleted=true`). */
  deletes?: OperationName
  /** The noun in tag counts; the offer has a filter `tag`. */
  tagged?: TaggedNoun
}

/**
 * A list as requested by the URL: `options` for its endpoint, the rest for `<List>`, which also takes the number of rows. Filters that
 * are not columns of the endpoint must be removed from `options.filters` by the screen.
 */
export async function listRequest(
  args: LoaderFunctionArgs,
  offer: ListOffer,
  { deletes, tagged }: ListedThings = {},
) {
  const url = new URL(args.request.url)
  const query = listQuery(url, offer)
  const mayRestore = deletes !== undefined && hasPermission(args.context.ctx, deletes)
  const isDeleted = mayRestore && url.searchParams.get('deleted') === 'true'
  const { tag, ...columns } = query.filters
  const tags = tagged ? await tagsInUse(args) : []
  const choices: Record<string, Option[]> = tagged ? { tag: tagOptions(tags, tagged) } : {}
  const filters: Record<string, unknown> = { ...columns, ...tagFilter(tags, tag) }
  const options = { ...query.options, filters, ...(isDeleted && { deleted: true }) }
  return { query, options, choices, mayRestore, isDeleted }
}

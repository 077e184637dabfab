import { safeParse } from 'valibot'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { BulkNoun } from '#app/components/list/bulk-actions.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { bulkEndpoints } from '#app/server/bulk-endpoints.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'
import { tagFilter, tagsInUse } from '#app/server/tags.server.ts'
import { Tag, withTags, withoutTags } from '#functions/shapes/tags.ts'
import { maxUseIds } from '#functions/shapes/use.ts'
import { parseJsonObject } from '#app/server/source-create.server.ts'
import { taggedNouns, type TaggedNoun } from '#functions/shapes/tag-use.ts'

/** Maximum number of things changed by one submission; the rest needs another one. */
const most = maxUseIds

const lists: Record<TaggedNoun, Exclude<BulkNoun, 'types'>> = {
  source: 'sources',
  insight: 'insights',
  collection: 'collections',
  page: 'pages',
}

/** Loads the tags of the organization, each with its uses, and whether this person may change all of them. */
export async function tagsScreen(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const tags = await tagsInUse(args)
  const mayChange = (noun: TaggedNoun) => hasPermission(args.context.ctx, bulkEndpoints[lists[noun]].update)
  return {
    tags: tags.map(({ spellings, ...tag }) => ({
      ...tag,
      isMixed: spellings.length > 1,
      mayRename: taggedNouns.every((noun) => tag[noun] === 0 || mayChange(noun)),
    })),
  }
}

interface TaggedRow {
  id: string
  version: number
  tags: string[]
}

/** The former tags of a thing, with its version after the change. */
interface Undo {
  noun: TaggedNoun
  id: string
  version: number
  tags: string[]
}

/**
 * Why a tag name is invalid; null if it is valid. An empty name would remove the tag, which has its own
 * button.
 */
function findNameProblem(name: string): string | null {
  if (name === '') return 'A tag cannot be without a name. To take it from everything, remove it.'
  return safeParse(Tag, name).issues?.[0].message ?? null
}

/** The error for an invalid name, before anything is changed. `tag`: the row that shows it. */
const refuseName = (tag: string, message: string) => ({
  ...{ ok: false as const, intent: 'rename', status: 400, message },
  ...{ issues: [{ path: ['name'], message }], tag },
})

/**
 * Renames a tag, or removes it; renaming to an existing tag merges both. Each thing is changed by its own
 * endpoint, at most 200; `isLeft`: more may still have the tag. `undo`: what restores all of it, submitted by
 * the same form.
 */
export async function tagsAction(args: ActionFunctionArgs) {
  guard(args, 'withPlace')
  const form = await args.request.clone().formData()
  const intent = String(form.get('intent'))
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const [tag, name] = [text('tag'), intent === 'remove' ? '' : text('name')]
  const problem = intent === 'rename' ? findNameProblem(name) : null
  if (problem !== null) return refuseName(tag, problem)
  const isUndone = intent === 'undo'
  const steps = stepsIn(form.get('steps'))
  const filters = isUndone ? {} : tagFilter(await tagsInUse(args), tag)
  let [done, room] = [0, most]
  const refusalMessages: string[] = []
  const undo: Undo[] = []
  for (const noun of taggedNouns) {
    const ways = bulkEndpoints[lists[noun]]
    const changes = isUndone
      ? steps.filter((each) => each.noun === noun).map((each) => ({ ...each, before: each.tags }))
      : await listTagChanges(args, { noun, tag, name, filters, room })
    if (changes.length === 0) continue
    room -= changes.length
    const each = changes.map(({ id, version, tags }) => ({
      params: { [ways.param]: id },
      data: { version, tags },
    }))
    const act = { endpoint: ways.updateById, each, goesOn: true as const }
    const outcome = await handleFormKeepingValues(
      { ...args, request: args.request.clone() as typeof args.request },
      { rename: act, remove: act, undo: act },
    )
    if (!outcome.ok) return outcome
    for (const [i, attempt] of outcome.result.entries()) {
      if (!attempt.ok) refusalMessages.push(attempt.message)
      const before = changes[i]
      if (!attempt.ok || !before) continue
      done += 1
      const { version } = attempt.result as { version: number }
      undo.push({ noun, id: before.id, version, tags: before.before })
    }
  }
  return {
    ok: true as const,
    ...{ intent, tag, name, done },
    refused: [...new Set(refusalMessages)],
    isLeft: !isUndone && room === 0,
    undo: isUndone || undo.length === 0 ? null : JSON.stringify(undo),
  }
}

/** Returns the things with a tag, with their new and former tags. */
async function listTagChanges(
  args: ActionFunctionArgs,
  of: { noun: TaggedNoun; tag: string; name: string; filters: ReturnType<typeof tagFilter>; room: number },
) {
  const { noun, tag, name, filters, room } = of
  const { rows } = await load(args, {
    rows: { endpoint: bulkEndpoints[lists[noun]].find, options: { filters, limit: room + 1 } },
  })
  return (rows as { results: TaggedRow[] }).results.slice(0, room).map(({ id, version, tags }) => {
    const otherTags = withoutTags(tags, [tag])
    return { id, version, before: tags, tags: name ? withTags(otherTags, [name]) : otherTags }
  })
}

/** Parses the changes to revert from a form; the endpoint validates them like any change. */
function stepsIn(text: unknown): Undo[] {
  const value: unknown = typeof text === 'string' ? parseJsonObject(text) : null
  return Array.isArray(value) ? value.filter(isUndo).slice(0, most) : []
}

function isUndo(value: unknown): value is Undo {
  if (value === null || typeof value !== 'object') return false
  const { noun, id, tags } = value as Partial<Undo>
  return taggedNouns.some((each) => each === noun) && typeof id === 'string' && Array.isArray(tags)
}

import { safeParse } from 'valibot'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { ManyNoun } from '#app/components/list/many.ts'
import { actKeeping } from '#app/server/keeping.server.ts'
import { load } from '#app/server/load.server.ts'
import { manyWays } from '#app/server/many-ways.server.ts'
import { guard, may } from '#app/server/session.server.ts'
import { tagFilter, tagsInUse } from '#app/server/tags.server.ts'
import { Tag, withTags, withoutTags } from '#functions/shapes/tags.ts'
import { mostUsed } from '#functions/shapes/use.ts'
import { jsonOf } from '#app/server/source-create.server.ts'
import { taggedNouns, type TaggedNoun } from '#functions/shapes/tagUse.ts'

/** So many things are changed for one form; where more have the tag, the same is done again. */
const most = mostUsed

const lists: Record<TaggedNoun, Exclude<ManyNoun, 'types'>> = {
  source: 'sources',
  insight: 'insights',
  collection: 'collections',
  page: 'pages',
}

/** The tags of the place, each with what has it, and whether this person may change it for all of that. */
export async function tagsScreen(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const tags = await tagsInUse(args)
  const mayChange = (noun: TaggedNoun) => may(args.context.ctx, manyWays[lists[noun]].update)
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

/** A thing as it was before its tag was changed, under the version that it has since. */
interface Undo {
  noun: TaggedNoun
  id: string
  version: number
  tags: string[]
}

/** Why a tag cannot be called so; null where it can. Without a name it would be taken from everything, which another button asks for. */
function problemOf(name: string): string | null {
  if (name === '') return 'A tag cannot be without a name. To take it from everything, remove it.'
  return safeParse(Tag, name).issues?.[0].message ?? null
}

/** Refuses a name before anything has it. `tag`: in whose row the words stand. */
const refuseName = (tag: string, message: string) => ({
  ...{ ok: false as const, intent: 'rename', status: 400, message },
  ...{ issues: [{ path: ['name'], message }], tag },
})

/**
 * Gives a tag another name, or takes it from everything where there is none; of two with one name it makes one. Each thing is changed by the
 * endpoint of one, at most 200; `isLeft`: more may still have it. `undo`: what brings all of it back, which the same form sends.
 */
export async function tagsAction(args: ActionFunctionArgs) {
  guard(args, 'withPlace')
  const form = await args.request.clone().formData()
  const intent = String(form.get('intent'))
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const [tag, name] = [text('tag'), intent === 'remove' ? '' : text('name')]
  const problem = intent === 'rename' ? problemOf(name) : null
  if (problem !== null) return refuseName(tag, problem)
  const isUndone = intent === 'undo'
  const steps = stepsIn(form.get('steps'))
  const filters = isUndone ? {} : tagFilter(await tagsInUse(args), tag)
  let [done, room] = [0, most]
  const refused: string[] = []
  const undo: Undo[] = []
  for (const noun of taggedNouns) {
    const ways = manyWays[lists[noun]]
    const changed = isUndone
      ? steps.filter((each) => each.noun === noun).map((each) => ({ ...each, before: each.tags }))
      : await renamed(args, { noun, tag, name, filters, room })
    if (changed.length === 0) continue
    room -= changed.length
    const each = changed.map(({ id, version, tags }) => ({
      params: { [ways.param]: id },
      data: { version, tags },
    }))
    const act = { endpoint: ways.updateById, each, goesOn: true as const }
    const outcome = await actKeeping(
      { ...args, request: args.request.clone() as typeof args.request },
      { rename: act, remove: act, undo: act },
    )
    if (!outcome.ok) return outcome
    for (const [i, attempt] of outcome.result.entries()) {
      if (!attempt.ok) refused.push(attempt.message)
      const before = changed[i]
      if (!attempt.ok || !before) continue
      done += 1
      const { version } = attempt.result as { version: number }
      undo.push({ noun, id: before.id, version, tags: before.before })
    }
  }
  return {
    ok: true as const,
    ...{ intent, tag, name, done },
    refused: [...new Set(refused)],
    isLeft: !isUndone && room === 0,
    undo: isUndone || undo.length === 0 ? null : JSON.stringify(undo),
  }
}

/** What has a tag, with its tags as they become and as they were. */
async function renamed(
  args: ActionFunctionArgs,
  of: { noun: TaggedNoun; tag: string; name: string; filters: ReturnType<typeof tagFilter>; room: number },
) {
  const { noun, tag, name, filters, room } = of
  const { rows } = await load(args, {
    rows: { endpoint: manyWays[lists[noun]].find, options: { filters, limit: room + 1 } },
  })
  return (rows as { results: TaggedRow[] }).results.slice(0, room).map(({ id, version, tags }) => {
    const kept = withoutTags(tags, [tag])
    return { id, version, before: tags, tags: name ? withTags(kept, [name]) : kept }
  })
}

/** What a form says is to be brought back; what it says is checked like any change, by the endpoint. */
function stepsIn(text: unknown): Undo[] {
  const value: unknown = typeof text === 'string' ? jsonOf(text) : null
  return Array.isArray(value) ? value.filter(isUndo).slice(0, most) : []
}

function isUndo(value: unknown): value is Undo {
  if (value === null || typeof value !== 'object') return false
  const { noun, id, tags } = value as Partial<Undo>
  return taggedNouns.some((each) => each === noun) && typeof id === 'string' && Array.isArray(tags)
}

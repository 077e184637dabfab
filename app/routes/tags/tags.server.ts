import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { ManyNoun } from '#app/components/list/many.ts'
import { actKeeping } from '#app/server/keeping.server.ts'
import { load } from '#app/server/load.server.ts'
import { manyWays } from '#app/server/many-ways.server.ts'
import { guard, may } from '#app/server/session.server.ts'
import { tagFilter, tagsInUse } from '#app/server/tags.server.ts'
import { withTags, withoutTags } from '#functions/shapes/tags.ts'
import { taggedNouns, type TaggedNoun } from '#functions/shapes/tagUse.ts'

/** So many things are changed for one form; where more have the tag, the same is done again. */
const most = 200

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

/**
 * Gives a tag another name, or takes it from everything where there is none; of two with one name it makes one. Each thing is changed by the
 * endpoint of one, at most 200; `left`: how many still have it.
 */
export async function tagsAction(args: ActionFunctionArgs) {
  guard(args, 'withPlace')
  const form = await args.request.clone().formData()
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const [tag, name] = [text('tag'), form.get('intent') === 'remove' ? '' : text('name')]
  const filters = tagFilter(await tagsInUse(args), tag)
  let [done, room] = [0, most]
  const refused: string[] = []
  for (const noun of taggedNouns) {
    const ways = manyWays[lists[noun]]
    const { rows } = await load(args, {
      rows: { endpoint: ways.find, options: { filters, limit: room + 1 } },
    })
    const having = (rows as { results: TaggedRow[] }).results.slice(0, room)
    if (having.length === 0) continue
    room -= having.length
    const each = having.map(({ id, version, tags }) => {
      const kept = withoutTags(tags, [tag])
      return { params: { [ways.param]: id }, data: { version, tags: name ? withTags(kept, [name]) : kept } }
    })
    const act = { endpoint: ways.updateById, each, goesOn: true as const }
    const outcome = await actKeeping(
      { ...args, request: args.request.clone() as typeof args.request },
      { rename: act, remove: act },
    )
    if (!outcome.ok) return outcome
    for (const attempt of outcome.result)
      if (attempt.ok) done += 1
      else refused.push(attempt.message)
  }
  return {
    ok: true as const,
    intent: String(form.get('intent')),
    tag,
    name,
    done,
    refused: [...new Set(refused)],
    isLeft: room === 0,
  }
}

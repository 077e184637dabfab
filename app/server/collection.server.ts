import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { arranged, stepped, type Placed } from '#app/components/insight/arrange.ts'
import { call } from '#functions/api/call.ts'
import { v1 } from '#functions/v1/index.ts'
import { load, responseOf } from './load.server.ts'

/** An insight as it stands in a collection. */
export interface Entry {
  id: string
  name: string
  /** How it is drawn. */
  type: string
  position: number
  /** What is said of it here. */
  notes: string
}

/** A collection with the insights in it that the reader may see, in their order: the first hundred. */
export async function collectionOf(args: LoaderFunctionArgs | ActionFunctionArgs) {
  const options = { includes: [{ resource: 'insights', limit: 100 }] }
  const { collection } = await load(args, { collection: { endpoint: v1.place.collection.findById, options } })
  const { insights = [], ...facts } = collection
  const held = insights as unknown as (Omit<Entry, 'type'> & { visualization: { type: string } })[]
  const entries = held.map(({ id, name, position, notes, visualization }): Entry => ({
    ...{ id, name, position, notes },
    type: visualization.type,
  }))
  return { collection: facts, entries }
}

/** The insights that could be put into a collection, by name. */
export async function insightChoices(args: LoaderFunctionArgs, but: readonly { id: string }[]) {
  const { insights } = await load(args, {
    insights: { endpoint: v1.place.insight.find, options: { limit: 1000 } },
  })
  const held = new Set(but.map(({ id }) => id))
  return insights.results.flatMap(({ id, name, notes, visualization }) =>
    held.has(id) ? [] : [{ id, name, notes, type: String(visualization.type) }],
  )
}

/**
 * Changes the order of a collection where its form asks for that: `arrange` with the ids in their new order, `move.up`
 * and `move.down` with one. Gives null for what is asked otherwise. Each number that changes is one call.
 */
export async function arrangeIn(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData()
  const intent = String(form.get('intent'))
  const step = intent === 'move.up' ? 'up' : intent === 'move.down' ? 'down' : null
  if (intent !== 'arrange' && !step) return null
  const { collection, entries } = await collectionOf(args)
  const ids = entries.map(({ id }) => id)
  const wanted = step
    ? stepped(ids, String(form.get('insightId')), step)
    : String(form.get('order') ?? '').split(',')
  await place(args, collection, arranged(entries, wanted))
  return { ok: true as const, intent: 'arrange', result: null }
}

async function place(
  args: ActionFunctionArgs,
  { id, placeId }: { id: string; placeId: string },
  changes: Placed[],
) {
  const { ctx } = args.context
  try {
    // One after the other: where one is refused, the rest is not half done at the same time
    for (const { id: insightId, position } of changes)
      await call(v1.place.collection.insight.updateById, ctx, {
        params: { placeId, collectionId: id, insightId },
        data: { position },
      })
  } catch (error) {
    throw responseOf(error, args)
  }
}

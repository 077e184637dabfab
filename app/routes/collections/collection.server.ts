import { parseFormTags, versionIn } from '#app/server/form-values.server.ts'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { reorderItems, stepId, type PlacedItem } from '#app/components/insight/reorder.ts'
import { call } from '#functions/api/call.ts'
import { v1 } from '#functions/v1/index.ts'
import { load, toErrorResponse } from '#app/server/load.server.ts'

const { insight, text } = v1.place.collection

interface CollectionItem {
  /** Its kind and id, unique among insights and texts together. */
  key: string
  id: string
  name: string
  position: number
  to: string
}

/** An insight or a text in a collection. `type`: the visualization; `notes`: the insight's note there. */
export type Entry = CollectionItem &
  ({ kind: 'insight'; type: string; notes: string } | { kind: 'text'; html: string })

/** A collection with all insights and texts visible to the reader, in their common order. */
export async function loadCollection(args: LoaderFunctionArgs | ActionFunctionArgs) {
  const [{ collection }, insights, texts] = await Promise.all([
    load(args, { collection: v1.place.collection.findById }),
    loadAllPages((options) => load(args, { page: { endpoint: insight.find, options } })),
    loadAllPages((options) => load(args, { page: { endpoint: text.find, options } })),
  ])
  const url = `/collections/${collection.id}`
  const entries = [
    ...insights.map(({ id, name, position, notes, visualization }): Entry => ({
      ...{ kind: 'insight', key: `insight.${id}`, id, name, position, to: `${url}/insights/${id}` },
      ...{ notes, type: String(visualization.type) },
    })),
    ...texts.map(({ id, title, position, html }): Entry => ({
      ...{ kind: 'text', key: `text.${id}`, id, name: title, position, to: `${url}/text/${id}` },
      html,
    })),
  ]
  // The sort is stable, so of equal positions the insight comes first.
  return { collection, entries: entries.sort((a, b) => a.position - b.position) }
}

interface ResultPage<Row> {
  page: { results: Row[]; meta: { next?: string | undefined } }
}

/** All rows of a list, page by page. */
async function loadAllPages<Row>(
  ask: (options: { limit: number; next?: string }) => Promise<ResultPage<Row>>,
) {
  const rows: Row[] = []
  let next: string | undefined
  do {
    const { page } = await ask({ limit: 1000, ...(next === undefined ? {} : { next }) })
    rows.push(...page.results)
    next = page.meta.next
  } while (next !== undefined)
  return rows
}

/** The position of an entry in its collection, from 1, and its neighbours. */
export function entryNeighbours(entries: readonly Entry[], key: string) {
  const i = entries.findIndex((entry) => entry.key === key)
  const link = (entry: Entry | undefined) => (entry ? { to: entry.to, name: entry.name } : null)
  return {
    at: i + 1,
    of: entries.length,
    previous: link(i > 0 ? entries[i - 1] : undefined),
    next: link(entries[i + 1]),
  }
}

/** The insights that can be added to a collection, by name. */
export async function insightChoices(args: LoaderFunctionArgs, but: readonly Entry[]) {
  const { insights } = await load(args, {
    insights: { endpoint: v1.place.insight.find, options: { limit: 1000 } },
  })
  const includedIds = new Set(but.flatMap(({ kind, id }) => (kind === 'insight' ? [id] : [])))
  return insights.results.flatMap(({ id, name, notes, visualization }) =>
    includedIds.has(id) ? [] : [{ id, name, notes, type: String(visualization.type) }],
  )
}

/**
 * Handles the order intents of a collection's form: `arrange` with the keys in their new order, `move.up` and `move.down` with one.
 * Null for other intents. Each changed position is one call.
 */
export async function arrangeIn(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData()
  const intent = String(form.get('intent'))
  const step = intent === 'move.up' ? 'up' : intent === 'move.down' ? 'down' : null
  if (intent !== 'arrange' && !step) return null
  const { collection, entries } = await loadCollection(args)
  const things = entries.map(({ key, position }): PlacedItem => ({ id: key, position }))
  const newOrder = step
    ? stepId(
        things.map(({ id }) => id),
        String(form.get('item')),
        step,
      )
    : String(form.get('order') ?? '').split(',')
  await place(args, collection, reorderItems(things, newOrder))
  return { ok: true as const, intent: 'arrange', result: null }
}

/** Parses the key of an entry. */
export function parseEntryKey(key: string): { kind: string; id: string } {
  const [kind = '', id = ''] = key.split('.')
  return { kind, id }
}

async function place(
  args: ActionFunctionArgs,
  collection: { id: string; placeId: string },
  changes: PlacedItem[],
) {
  const { ctx } = args.context
  const params = { placeId: collection.placeId, collectionId: collection.id }
  try {
    // Sequential, so that a failure does not leave others running.
    for (const { id: key, position } of changes) {
      const { kind, id } = parseEntryKey(key)
      await (kind === 'text'
        ? call(text.updateById, ctx, { params: { ...params, textId: id }, data: { position } })
        : call(insight.updateById, ctx, { params: { ...params, insightId: id }, data: { position } }))
    }
  } catch (error) {
    throw toErrorResponse(error, args)
  }
}

/** Reads a collection from its form, with the edited version if it has one. */
export function collectionIn(form: FormData) {
  const version = versionIn(form)
  return {
    ...{ name: form.get('name'), notes: form.get('notes') ?? '', visibility: form.get('visibility') },
    ...{ tags: parseFormTags(form), ...(version !== undefined && { version }) },
  }
}

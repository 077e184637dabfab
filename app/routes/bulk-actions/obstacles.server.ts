import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { load } from '#app/server/load.server.ts'
import { hashText } from '#functions/engine/http/etag.ts'
import type { Visibility } from '#app/components/list/badges.tsx'
import { insightsShownBy } from '#functions/shapes/block/index.ts'
import { checklist, type CheckedBlock } from '#functions/shapes/page-checklist.ts'
import { v1 } from '#functions/v1/index.ts'
import type { BulkAction, BulkNoun } from '#app/components/list/bulk-actions.ts'
import type { ChosenRow } from './plan.ts'

type Args = LoaderFunctionArgs | ActionFunctionArgs

/** A row of any of the lists, with some of these members. */
export interface ReadRow {
  id: string
  name?: string
  title?: string
  description?: string
  version: number
  visibility?: Visibility
  publish?: 'draft' | 'published'
  type?: string
  tags?: string[]
  sourceId?: string | null
  ownerPlaceId?: string | null
  contents?: (CheckedBlock & { id: string; version: number })[]
}

/** Adds the obstacles to an action that are known in advance; others appear only when it is applied. */
export async function addObstacles(
  args: Args,
  noun: BulkNoun,
  action: BulkAction,
  rows: readonly ReadRow[],
): Promise<ChosenRow[]> {
  const against = await findObstacles(args, noun, action, rows)
  const marks = await Promise.all(rows.map(computeRowMark))
  return rows.map((row, i) => {
    const why = against.get(row.id)
    return {
      ...{ id: row.id, name: row.name ?? row.title ?? row.id, to: getRowPath(noun, row) },
      ...{ version: row.version, visibility: row.visibility ?? null, publish: row.publish ?? null },
      ...{ tags: row.tags ?? [], mark: marks[i] ?? '' },
      obstacles: why === undefined ? {} : { [action]: why },
    }
  })
}

/** A mark that changes with every change of a row: its version, and for a page the versions of its contents. */
async function computeRowMark({ version, contents }: ReadRow): Promise<string> {
  const blocks = contents?.map((block) => `${block.id} ${block.version}`).join()
  return blocks === undefined ? String(version) : `${version}.${await hashText(blocks)}`
}

function getRowPath(noun: BulkNoun, { id, type }: ReadRow): string {
  return noun === 'pages' ? `/pages/${type}/${id}` : `/${noun}/${id}`
}

async function findObstacles(args: Args, noun: BulkNoun, action: BulkAction, rows: readonly ReadRow[]) {
  const { placeId } = args.context.ctx
  if (noun === 'types')
    return collectReasons(rows, ({ ownerPlaceId }) =>
      ownerPlaceId === placeId ? null : 'It is not this organization’s.',
    )
  if (noun === 'insights' && action === 'public') return findInsightObstacles(args, rows)
  if (noun === 'pages' && (action === 'publish' || action === 'public'))
    return unreadyPages(args, action, rows)
  return new Map<string, string>()
}

/** Insights that cannot become public, as they query private data. */
async function findInsightObstacles(args: Args, rows: readonly ReadRow[]) {
  const ids = rows.flatMap(({ sourceId }) => sourceId ?? [])
  const { sources } = await load(args, {
    sources: { endpoint: v1.place.source.find, options: { filters: { id: { $in: ids } }, limit: 1000 } },
  })
  const open = new Map(sources.results.map(({ id, name, visibility }) => [id, { name, visibility }]))
  return collectReasons(rows, ({ sourceId }) => {
    if (!sourceId) return null
    const source = open.get(sourceId)
    if (source?.visibility === 'public') return null
    return source
      ? `It asks ${source.name}, which not everyone may see.`
      : 'It asks a source that is not there.'
  })
}

/** Pages with accessibility problems or private contents must be published in the editor, where these can be fixed. */
async function unreadyPages(args: Args, action: BulkAction, rows: readonly ReadRow[]) {
  const insightIds = rows.flatMap(({ contents = [] }) => contents.flatMap((each) => insightsShownBy(each)))
  const { insights } = await load(args, {
    insights: {
      endpoint: v1.place.insight.find,
      options: { filters: { id: { $in: [...new Set(insightIds)] } }, limit: 1000 },
    },
  })
  const insightsById = new Map(insights.results.map(({ id, name, visibility }) => [id, { name, visibility }]))
  return collectReasons(rows, (page) => {
    const { contents = [], title = '', description = '', publish, visibility } = page
    const isOpened = action === 'publish' ? publish !== 'published' : publish === 'published'
    if (!isOpened) return null
    const blockingFinding = checklist({ title, description }, contents).find(({ isBlocking }) => isBlocking)
    if (blockingFinding) return blockingFinding.message
    if ((action === 'public' ? 'public' : visibility) !== 'public') return null
    const hidden = contents
      .flatMap((each) => insightsShownBy(each))
      .find((id) => insightsById.get(id)?.visibility !== 'public')
    return hidden === undefined
      ? null
      : `It shows ${insightsById.get(hidden)?.name ?? 'an insight that is not there'}, which not everyone may see.`
  })
}

function collectReasons(rows: readonly ReadRow[], why: (row: ReadRow) => string | null): Map<string, string> {
  return new Map(
    rows.flatMap((row) => {
      const reason = why(row)
      return reason === null ? [] : [[row.id, reason] as const]
    }),
  )
}

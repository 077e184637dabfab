import { byNaturalOrder } from '#functions/domain/noun/natural-order.ts'
import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import { insightsShownBy } from '#functions/shapes/block/index.ts'
import type { CheckedBlock } from '#functions/shapes/page-checklist.ts'
import type { Tx, Visibility } from '#db/schema.ts'

/**
 * Something that a page shows but not everyone may see. `contentIds`: the contents that show it. `name`,
 * `visibility` and `version` null: it does not exist, or the actor may not see it either, which must look the
 * same.
 */
export interface HiddenPart {
  type: 'insight' | 'source'
  id: string
  name: string | null
  visibility: Visibility | null
  version: number | null
  contentIds: string[]
}

/** The sources of a query: one, or all of a data type. */
interface QuestionSources {
  sourceId?: string | null
  dataTypeId?: string
}

/**
 * The insights of a page that not everyone may see, and the sources that they and their joins query, as far
 * as the actor may know of them; in the order of the page. A public insight of a whole data type queries
 * public sources only, for everyone: private ones count only where there is no public one.
 */
export async function listHiddenParts(
  ctx: Context,
  db: Context['db'] | Tx,
  placeId: string,
  blocks: readonly CheckedBlock[],
): Promise<HiddenPart[]> {
  const shownIn = new Map<string, string[]>()
  for (const { id, kind, settings } of blocks) {
    for (const insightId of insightsShownBy({ kind, settings }))
      shownIn.set(insightId, [...(shownIn.get(insightId) ?? []), id])
  }
  if (!shownIn.size) return []
  const insights = await db
    .selectFrom('insight')
    .select(['id', 'name', 'visibility', 'version', 'dataTypeId', 'sourceId', 'query'])
    .where(whereRowsVisible(ctx, 'insight'))
    .where('placeId', '=', placeId)
    .where('id', 'in', [...shownIn.keys()])
    .execute()
  const insightById = new Map(insights.map((insight) => [insight.id, insight]))
  const sources = await listSources(ctx, db, placeId, insights.flatMap(sourcesOfQuestion))
  const parts = new Map<string, HiddenPart>()
  const add = (type: HiddenPart['type'], id: string, row: Row | undefined, contentIds: string[]) => {
    const before = parts.get(`${type} ${id}`)
    parts.set(`${type} ${id}`, {
      ...{
        type,
        id,
        name: row?.name ?? null,
        visibility: row?.visibility ?? null,
        version: row?.version ?? null,
      },
      contentIds: [...new Set([...(before?.contentIds ?? []), ...contentIds])],
    })
  }
  for (const [id, contentIds] of shownIn) {
    const insight = insightById.get(id)
    if (insight?.visibility !== 'public') add('insight', id, insight, contentIds)
    if (!insight) continue
    for (const request of sourcesOfQuestion(insight))
      for (const { id: sourceId, row } of pickNonPublicSources(request, sources, insight.visibility))
        add('source', sourceId, row, contentIds)
  }
  return [...parts.values()]
}

type Row = Pick<HiddenPart, 'name' | 'visibility' | 'version'>
type Source = Awaited<ReturnType<typeof listSources>>[number]

/** The sources of an insight: its own, and those of its joins. */
function sourcesOfQuestion(insight: {
  dataTypeId: string
  sourceId: string | null
  query: Record<string, unknown>
}): QuestionSources[] {
  const { joins } = insight.query
  return [insight, ...(Array.isArray(joins) ? (joins as QuestionSources[]) : [])]
}

function listSources(ctx: Context, db: Context['db'] | Tx, placeId: string, questions: QuestionSources[]) {
  const ids = questions.flatMap(({ sourceId }) => sourceId ?? [])
  const types = questions.flatMap(({ sourceId, dataTypeId }) => (sourceId ? [] : (dataTypeId ?? [])))
  return db
    .selectFrom('source')
    .select(['id', 'name', 'visibility', 'version', 'dataTypeId'])
    .where(whereRowsVisible(ctx, 'source'))
    .where('placeId', '=', placeId)
    .where(({ eb, or }) => or([eb('id', 'in', ['', ...ids]), eb('dataTypeId', 'in', ['', ...types])]))
    .orderBy('name', byNaturalOrder)
    .execute()
}

/** Returns those of a query's sources that are not public. */
function pickNonPublicSources(
  { sourceId, dataTypeId }: QuestionSources,
  sources: readonly Source[],
  visibility: Visibility,
): { id: string; row: Source | undefined }[] {
  if (sourceId) {
    const row = sources.find(({ id }) => id === sourceId)
    return row?.visibility === 'public' ? [] : [{ id: sourceId, row }]
  }
  const all = sources.filter((row) => row.dataTypeId === dataTypeId && row.visibility !== 'private')
  if (visibility === 'public' && all.some((row) => row.visibility === 'public')) return []
  return all.filter((row) => row.visibility !== 'public').map((row) => ({ id: row.id, row }))
}

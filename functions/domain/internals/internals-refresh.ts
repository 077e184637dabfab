import { sql } from 'kysely'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { act } from './internals.ts'
import { emit } from '#functions/domain/outbox/outbox.ts'
import { recount } from '#functions/domain/records/recount.ts'
import type { Context } from '#functions/context.ts'
import type { Acted, Refresh } from '#functions/shapes/internal.ts'

/** A call ends after this many steps, or after the step that reaches this number of counted records. */
const maxSteps = 25
const maxRecords = 300_000

/** A source to recount; null: all sources of the place are done, and the rest of the place follows. */
interface Step {
  placeId: string
  sourceId: string | null
}

/**
 * Rebuilds derived data: counts, extents and map cells of sources from their records, then for each place the cached
 * answers of its insights, its hub's pages and the edge's state of its hosts. Places and their sources are processed by
 * id; a call does some of them and returns the number of remaining steps and where to continue (`next`, absent at the
 * end). Sources that cannot be counted are reported and skipped.
 */
export async function refresh(ctx: Context, { data }: NounRequest<unknown, Refresh>): Promise<Acted> {
  const { steps, total } = await stepsAfter(ctx, data?.after)
  let affected = 0
  let sourceCount = 0
  let records = 0
  for (const step of steps) {
    if (step.sourceId === null) affected += await renew(ctx, step.placeId)
    else {
      const newCount = await countAgain(ctx, step.sourceId)
      records += newCount ?? 0
      affected += newCount === undefined ? 0 : 1
    }
    sourceCount += 1
    if (records >= maxRecords) break
  }
  const left = total - sourceCount
  const result = await act(ctx, 'refreshed', 'refresh', async () => ({ affected, left }))
  const last = steps[sourceCount - 1]
  return left > 0 && last ? { ...result, next: getStepName(last) } : result
}

const getStepName = ({ placeId, sourceId }: Step) => (sourceId === null ? placeId : `${placeId}/${sourceId}`)

async function stepsAfter(ctx: Context, after: string | undefined) {
  const [placeId = '', sourceId = null] = after?.split('/') ?? []
  // The place itself follows its sources.
  const rest =
    after === undefined
      ? sql`true`
      : sql`(place_id, is_place, source_id) > (${placeId}, ${sourceId === null}, ${sourceId ?? ''})`
  const { rows } = await sql<{ placeId: string; isPlace: boolean; sourceId: string; total: string }>`
    select *, count(*) over () as total from (
      select place_id, false as is_place, source.id as source_id from source
        join place on place.id = place_id and place.deleted_at is null where source.deleted_at is null
      union all select id, true, '' from place where deleted_at is null
    ) step where ${rest} order by place_id, is_place, source_id limit ${maxSteps}::int`.execute(ctx.db)
  const steps = rows.map((row): Step => ({
    placeId: row.placeId,
    sourceId: row.isPlace ? null : row.sourceId,
  }))
  return { steps, total: Number(rows[0]?.total ?? 0) }
}

/** Deletes the cached answers of a place and queues a full rendering of its hub; the queue consumer refreshes the insights. */
async function renew(ctx: Context, placeId: string): Promise<number> {
  const count = await ctx.transaction(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('insightResult')
      .where('placeId', '=', placeId)
      .executeTakeFirstOrThrow()
    await emit(tx, { kind: 'hub', placeId, payload: { id: placeId } })
    return numDeletedRows
  })
  return Number(count) + 1
}

async function countAgain(ctx: Context, sourceId: string): Promise<number | undefined> {
  try {
    return await recount(ctx, sourceId)
  } catch (error) {
    ctx.report(error, { sourceId, during: 'refresh' })
    return undefined
  }
}

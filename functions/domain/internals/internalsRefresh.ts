import { sql } from 'kysely'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { act } from './internals.ts'
import { emit } from '#functions/domain/outbox/outbox.ts'
import { recount } from '#functions/domain/records/recount.ts'
import type { Context } from '#functions/context.ts'
import type { Acted, Refresh } from '#functions/shapes/internal.ts'

/** A call ends after so many steps, or after the step with which it has counted so many records. */
const maxSteps = 25
const maxRecords = 300_000

/** A source to be counted; null: all sources of the place are, now what was made of them. */
interface Step {
  placeId: string
  sourceId: string | null
}

/**
 * Makes anew what is kept beside the data: counts, extents and map cells of sources from their records, then of each
 * place the kept answers of its insights, its hub's pages and what the edge knows of its hosts. Places and their sources
 * go by id; a call does some of them and says how many steps are left and where the next call goes on (`next`, absent
 * at the end). Sources that cannot be counted are reported and left.
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
  return left > 0 && last ? { ...result, next: nameOf(last) } : result
}

const nameOf = ({ placeId, sourceId }: Step) => (sourceId === null ? placeId : `${placeId}/${sourceId}`)

async function stepsAfter(ctx: Context, after: string | undefined) {
  const [placeId = '', sourceId = null] = after?.split('/') ?? []
  // The place itself comes after its sources.
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

/** The kept answers of a place go and its hub is made again, whole; the queue's consumer asks the insights anew. */
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

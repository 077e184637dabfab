import { rateLimitKey } from '#functions/platform/rate-limit-key.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Scope } from './open.ts'

/** Classes of callers by their query budget. The system actor has no budget. */
export type Asker = 'anonymous' | 'key' | 'staff'

interface Budget {
  /** The highest cost of a query, in the steps of `functions/engine/query/cost.ts`. */
  steps: number
  /** Time-out of each of its statements, in milliseconds. */
  statementMs: number
  /** The subject of the error message for queries above the budget. */
  who: string
}

const million = 1_000_000

/**
 * A step takes some tens of nanoseconds: the most expensive anonymous query keeps one core of a real Postgres
 * busy for a second or two.
 */
export const budgets: Record<Asker, Budget> = {
  anonymous: { steps: 40 * million, statementMs: 1800, who: 'Who is not signed in' },
  key: { steps: 160 * million, statementMs: 10_000, who: 'Who uses a key or belongs to no organization' },
  staff: { steps: 400 * million, statementMs: 20_000, who: 'Who works in an organization' },
}

/**
 * Steps per record below which a query is tried however many records there are: it ends with the statement
 * time-out.
 */
const perRow = 16

/**
 * Queries above this cost count against the rate limit of heavy requests, whichever endpoint they come from.
 */
const heavySteps = 10 * million

/** The limits for one query; no `budget` means unlimited. */
export interface QueryLimits {
  budget?: { steps: number; perRow?: number; who: string }
  /** Time-out of each statement; without it that of the connection. */
  statementMs?: number
}

/**
 * The limits of a query by its caller: anonymous, API key or staff. A query that staff has saved gets the
 * limits of staff, whoever reads its answer; the product's own queries (stored pages, prefetched answers)
 * have none.
 */
export function queryLimitsFor(ctx: Context, { isSaved = false }: Pick<Scope, 'isSaved'>): QueryLimits {
  const asker = findAsker(ctx)
  if (asker === null) return {}
  const whose = isSaved ? 'staff' : asker
  const { steps, statementMs, who } = budgets[whose]
  // A configured number is for databases without statement time-outs, so `perRow` does not apply.
  const set = ctx.settings.questionSteps?.[whose]
  return { budget: set === undefined ? { steps, perRow, who } : { steps: set, who }, statementMs }
}

function findAsker({ actor, memo: request }: Context): Asker | null {
  // `memo` is set while hub pages are prerendered: as an anonymous reader, but by the product.
  if (actor.kind === 'system' || request !== undefined) return null
  if (actor.kind === 'anonymous') return 'anonymous'
  const isStaff = actor.user?.role != null || actor.memberships.some(({ role }) => role !== null)
  return actor.session && isStaff ? 'staff' : 'key'
}

/** Counts an expensive query against the rate limit of heavy requests. Failure `tooMany` beyond it. */
export async function countHeavy(ctx: Context, steps: number): Promise<void> {
  const { limits } = ctx
  if (!limits || steps <= heavySteps || findAsker(ctx) === null) return
  if (await limits.consumeToken('heavy', rateLimitKey(ctx))) return
  throw new Failure('tooMany', { message: `No more than ${limits.rates.heavy} such requests a minute.` })
}

import { limitedAs } from '#functions/platform/limitedAs.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Scope } from './open.ts'

/** Who asks, as far as costs go; the product itself has no budget. */
export type Asker = 'anonymous' | 'key' | 'staff'

interface Budget {
  /** The most that a question may cost, in the steps of `functions/engine/query/cost.ts`. */
  steps: number
  /** The longest that one statement of it may take. */
  statementMs: number
  /** The subject of the sentence that refuses more. */
  who: string
}

const million = 1_000_000

/** A step is some tens of nanoseconds: a stranger's dearest question takes a core a second or two of a real Postgres. */
export const budgets: Record<Asker, Budget> = {
  anonymous: { steps: 40 * million, statementMs: 1800, who: 'Who is not signed in' },
  key: { steps: 160 * million, statementMs: 10_000, who: 'Who uses a key or belongs to no organization' },
  staff: { steps: 400 * million, statementMs: 20_000, who: 'Who works in an organization' },
}

/** A question that asks no more than this of each record is tried, however many there are: where statements have a time, it ends with that. */
const perRow = 16

/** What costs more than this counts as a heavy request, also where its endpoint is not one of those that always do. */
const heavySteps = 10 * million

/** What one may spend on a question. */
export interface Spending {
  budget?: { steps: number; perRow?: number; who: string }
  /** Of one statement; without it as long as the connection lets it. */
  statementMs?: number
}

/**
 * What the asker of a question may spend: a stranger, a key, staff. What staff has saved has the budget of staff, whoever reads
 * it; the product's own questions (pages that are stored, answers that are kept) have none.
 */
export function spendingOf(ctx: Context, { isSaved = false }: Pick<Scope, 'isSaved'>): Spending {
  const asker = askerOf(ctx)
  if (asker === null) return {}
  const whose = isSaved ? 'staff' : asker
  const { steps, statementMs, who } = budgets[whose]
  // Who sets the number has a database that ends no statement: it is the limit then.
  const set = ctx.settings.questionSteps?.[whose]
  return { budget: set === undefined ? { steps, perRow, who } : { steps: set, who }, statementMs }
}

function askerOf({ actor, memo: request }: Context): Asker | null {
  // Pages of hubs that are made in one go are asked for as a stranger would, by the product.
  if (actor.kind === 'system' || request !== undefined) return null
  if (actor.kind === 'anonymous') return 'anonymous'
  const isStaff = actor.user?.role != null || actor.memberships.some(({ role }) => role !== null)
  return actor.session && isStaff ? 'staff' : 'key'
}

/** Counts a question that costs much against the limit of heavy requests. Failure `tooMany` beyond it. */
export async function countHeavy(ctx: Context, steps: number): Promise<void> {
  const { limits } = ctx
  if (!limits || steps <= heavySteps || askerOf(ctx) === null) return
  if (await limits.take('heavy', limitedAs(ctx))) return
  throw new Failure('tooMany', { say: `No more than ${limits.rates.heavy} such requests a minute.` })
}

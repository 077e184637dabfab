import { fetchPorts } from '../ports.ts'
import { isAnyDue } from './claim.ts'
import type { Work } from './run.ts'
import { step } from './step.ts'
import type { Context } from '#functions/context.ts'
import type { Ports } from '#functions/engine/import/fetch/index.ts'

/** How long one message of the queue works on runs, in milliseconds. */
const budgetMs = 20_000
const batchRows = 4000

/**
 * Works on the runs that are due, the longest waiting first, until the time of a message is over or none is left. Wakes
 * the queue when there is more. Any number of these may go on at once, and any of them may be lost: see `claim`.
 */
export async function workJobs(ctx: Context, ports: Ports = fetchPorts(ctx)): Promise<number> {
  const until = ctx.now().getTime() + budgetMs
  let steps = 0
  for (let restMs = budgetMs; restMs > 0; restMs = until - ctx.now().getTime()) {
    const work: Work = { ports, budgetMs: restMs, batchRows }
    if (!(await step(ctx, work))) return steps
    steps += 1
  }
  if (await isAnyDue(ctx)) ctx.wake('jobs')
  return steps
}

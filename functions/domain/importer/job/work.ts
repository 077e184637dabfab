import { fetchPorts } from '../ports.ts'
import { isAnyDue } from './claim.ts'
import type { Work } from './run.ts'
import { step } from './step.ts'
import type { Context } from '#functions/context.ts'
import type { Ports } from '#functions/engine/import/fetch/index.ts'

/** Time limit of one queue message, in milliseconds. */
const budgetMs = 20_000
const batchRows = 4000

/**
 * Works on due runs, longest waiting first, until the time limit is reached or none is left. Wakes the queue when there
 * is more. May run concurrently and may be interrupted: see `claim`.
 */
export async function processJobs(ctx: Context, ports: Ports = fetchPorts(ctx)): Promise<number> {
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

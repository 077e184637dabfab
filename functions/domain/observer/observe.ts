import type { Context } from '#functions/context.ts'
import type { Ports } from '#functions/engine/import/fetch/index.ts'
import { Failure } from '#functions/errors.ts'
import { fetchPorts } from '#functions/domain/importer/ports.ts'
import { claim, isAnyDue, type ClaimedObserver } from './claim.ts'
import { deliverWebhooks, isAnyDeliveryDue } from './deliver.ts'
import { queryObserved } from './query-observed.ts'
import { isAnyToNotice, noticeEvents } from './notice.ts'
import { storeObservation, settleFailed } from './store-observation.ts'

/** How long one queue message observes, and how long it calls webhooks, in milliseconds. */
const lookMs = 15_000
const deliverMs = 10_000

/**
 * Makes observers of changed data due, observes those that are due, longest waiting first, and calls
 * webhooks. Wakes the queue when there is more. May run concurrently and may be interrupted: see `claim`.
 * Returns how many observers were observed. Must run as the system actor.
 */
export async function observe(ctx: Context, ports: Ports = fetchPorts(ctx)): Promise<number> {
  const until = ctx.now().getTime() + lookMs
  let lookCount = 0
  while (ctx.now().getTime() < until) {
    if (await noticeEvents(ctx)) continue
    const observer = await claim(ctx)
    if (!observer) break
    await evaluateObserver(ctx, observer)
    lookCount += 1
  }
  await deliverWebhooks(ctx, ports, ctx.now().getTime() + deliverMs)
  if (await isAnyToObserve(ctx)) ctx.wake('observers')
  return lookCount
}

/** Whether there is anything to observe or deliver now. */
export async function isAnyToObserve(ctx: Context): Promise<boolean> {
  return (await isAnyToNotice(ctx)) || (await isAnyDue(ctx)) || (await isAnyDeliveryDue(ctx))
}

/** Observes one observer; its failure must not stop the others. */
async function evaluateObserver(ctx: Context, observer: ClaimedObserver): Promise<void> {
  try {
    await storeObservation(ctx, observer, await queryObserved(ctx, observer))
  } catch (error) {
    if (!(error instanceof Failure)) ctx.report(error, { during: 'observe', observerId: observer.id })
    await settleFailed(ctx, observer, error)
  }
}

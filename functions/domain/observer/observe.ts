import type { Context } from '#functions/context.ts'
import type { Ports } from '#functions/engine/import/fetch/index.ts'
import { Failure } from '#functions/errors.ts'
import { fetchPorts } from '#functions/domain/importer/ports.ts'
import { claim, isAnyDue, type Claimed } from './claim.ts'
import { deliverWebhooks, isAnyDeliveryDue } from './deliver.ts'
import { look } from './look.ts'
import { isAnyToNotice, noticeEvents } from './notice.ts'
import { settle, settleFailed } from './settle.ts'

/** How long one message looks, and how long it calls webhooks, in milliseconds. */
const lookMs = 15_000
const deliverMs = 10_000

/**
 * What follows from changed data and from the clock: observers that watch what has changed are made due, those that are
 * due are looked at, the longest waiting first, and webhooks are called. Wakes the queue when there is more. Any number of
 * these may go on at once, and any of them may be lost: see `claim`. Gives how many observers were looked at. Needs the
 * product's own identity.
 */
export async function observe(ctx: Context, ports: Ports = fetchPorts(ctx)): Promise<number> {
  const until = ctx.now().getTime() + lookMs
  let looked = 0
  while (ctx.now().getTime() < until) {
    if (await noticeEvents(ctx)) continue
    const observer = await claim(ctx)
    if (!observer) break
    await lookAt(ctx, observer)
    looked += 1
  }
  await deliverWebhooks(ctx, ports, ctx.now().getTime() + deliverMs)
  if (await isAnyToObserve(ctx)) ctx.wake('observers')
  return looked
}

/** Whether there is anything to be observed or told now. */
export async function isAnyToObserve(ctx: Context): Promise<boolean> {
  return (await isAnyToNotice(ctx)) || (await isAnyDue(ctx)) || (await isAnyDeliveryDue(ctx))
}

/** One that cannot be looked at holds up no other. */
async function lookAt(ctx: Context, observer: Claimed): Promise<void> {
  try {
    await settle(ctx, observer, await look(ctx, observer))
  } catch (error) {
    if (!(error instanceof Failure)) ctx.report(error, { during: 'observe', observerId: observer.id })
    await settleFailed(ctx, observer, error)
  }
}

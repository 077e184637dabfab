import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import type { Ports } from '#functions/engine/import/fetch/index.ts'
import { decryptSecret, send, type Outcome } from './webhook.ts'

/** Seconds to wait after each failed attempt; after the last one it is given up. */
const waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
/** Most attempts of a webhook. */
export const maxTries = waits.length + 1
const atOnce = 6

/** A claimed webhook delivery with the data of its body. */
interface Delivery {
  id: string
  observerId: string
  placeId: string
  attempts: number
  webhookUrl: string | null
  secret: string | null
  isWanted: boolean
  name: string
  dataTypeId: string
  alertId: string
  kind: 'alert' | 'recovery'
  title: string
  value: number | null
  threshold: number | null
  datumIds: string[]
  createdAt: Date
}

/**
 * Calls the webhooks that are due, six at a time, until none is left or `until` (milliseconds since 1970) has
 * passed. An attempt is counted and the next one scheduled before it is made, so that an interrupted one is
 * repeated, but not without end. Returns how many succeeded. Must run as the system actor.
 */
export async function deliverWebhooks(ctx: Context, ports: Ports, until: number): Promise<number> {
  let successes = 0
  while (ctx.now().getTime() < until) {
    const due = await claim(ctx)
    if (due.length === 0) break
    const outcomes = await Promise.all(due.map((each) => deliver(ctx, ports, each)))
    successes += outcomes.filter(({ isTaken }) => isTaken).length
  }
  return successes
}

/** Whether any webhook is due. */
export async function isAnyDeliveryDue(ctx: Context): Promise<boolean> {
  const { rows } = await sql`
    select from delivery where status = 'waiting' and due_at <= now() limit 1`.execute(ctx.db)
  return rows.length > 0
}

async function claim(ctx: Context): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    update delivery d set attempts = d.attempts + 1,
      due_at = now() + make_interval(secs => coalesce((${waits}::float8[])[d.attempts + 1], 60))
    from observer o, alert a
    where o.id = d.observer_id and a.id = d.alert_id and d.id in (
      select id from delivery where status = 'waiting' and due_at <= now()
      order by due_at limit ${atOnce}::int for update skip locked)
    returning d.id, d.observer_id, d.place_id, d.attempts, o.webhook_url, o.secret, o.name, o.data_type_id,
      o.deleted_at is null and o.channels ? 'webhook' as is_wanted,
      a.id as alert_id, a.kind, a.title, a.value, a.threshold, a.datum_ids, a.created_at`.execute(ctx.db)
  return rows
}

async function deliver(ctx: Context, ports: Ports, delivery: Delivery): Promise<Outcome> {
  const outcome = await attempt(ctx, ports, delivery)
  const { isTaken, isFinal, answered, error } = outcome
  const isOver = isTaken || isFinal || delivery.attempts >= maxTries
  await ctx.db
    .updateTable('delivery')
    .set({
      answered,
      error,
      ...(isOver && { status: isTaken ? 'delivered' : 'dead', endedAt: sql<Date>`now()` }),
    })
    .where('id', '=', delivery.id)
    .where('attempts', '=', delivery.attempts)
    .where('status', '=', 'waiting')
    .execute()
  return outcome
}

async function attempt(ctx: Context, ports: Ports, delivery: Delivery): Promise<Outcome> {
  const { id, observerId, webhookUrl, isWanted, attempts } = delivery
  const createFinalOutcome = (error: string): Outcome => ({
    isTaken: false,
    isFinal: true,
    answered: null,
    error,
  })
  if (!isWanted || webhookUrl === null) return createFinalOutcome('The observer calls no webhook any more.')
  if (attempts > maxTries) return createFinalOutcome('The last try was cut off.')
  const secret = await decryptSecret(ctx, observerId, delivery.secret)
  if (secret === null) return createFinalOutcome('The secret that signs it cannot be read any more.')
  return send(ports, { id, url: webhookUrl, secret, body: buildBody(delivery) })
}

/** The body of a webhook: name and time of the event, and the alert as in the API. */
function buildBody(delivery: Delivery): string {
  const { observerId, placeId, name, dataTypeId, alertId, kind, createdAt } = delivery
  const { title, value, threshold, datumIds } = delivery
  return JSON.stringify({
    type: kind === 'alert' ? 'observer.fired' : 'observer.recovered',
    timestamp: createdAt.toISOString(),
    data: {
      placeId,
      observer: { id: observerId, name, dataTypeId },
      alert: { id: alertId, kind, title, value, threshold, datumIds, createdAt: createdAt.toISOString() },
    },
  })
}

import { sql } from 'kysely'
import { observe } from './observe.ts'
import * as observers from './observers.ts'
import type { NewObserver } from '#functions/shapes/observer.ts'
import { internet, type Internet } from '#functions/engine/import/fetch/testing.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

/** A test world for observers, with a small simulated internet. */
export interface ObserverFixture {
  world: TestWorld
  net: Internet
  /** Creates an observer of calls in Oakton, not observed yet. */
  createObserver(changes?: Partial<NewObserver>): Promise<{ id: string; secret: string }>
  /** Observes everything that is due, like the queue does. Returns how many observers were observed. */
  observe(): Promise<number>
  /** The alerts and recoveries of an observer, oldest first. */
  alerts(
    observerId: string,
  ): Promise<{ id: string; kind: string; title: string; value: number | null; datumIds: string[] }[]>
  /** Makes all outbox events unhandled again, in any order. */
  requeueEvents(): Promise<void>
  /** Moves the stored times of observers and webhooks into the past. */
  wait(interval: string): Promise<void>
  close(): Promise<void>
}

export const countAggregation = { function: 'count' }
export const summed = { function: 'sum', arguments: [{ field: 'data.minutes' }] }

/** Opens a test bed. The observers of the world are deleted. */
export async function openObserverFixture(): Promise<ObserverFixture> {
  const world = await openWorld(city)
  const net = internet()
  const { db } = world.as('system')
  await db.deleteFrom('alert').execute()
  await db.deleteFrom('observer').execute()
  return {
    world,
    net,
    async createObserver(changes = {}) {
      const observer = await observers.create(world.as('organization_admin'), {
        params: { placeId: 'oakton' },
        options: {},
        placeId: 'oakton',
        data: {
          name: 'Calls',
          dataTypeId: 'call',
          condition: { operator: 'gt', aggregation: countAggregation, value: 5 },
          ...changes,
        },
      })
      if (!observer) throw new Error('Nothing was made.')
      return observer
    },
    async observe() {
      const ctx = world.as('system')
      const observationCount = await observe(ctx, net.ports)
      if (ctx.reported.length > 0) throw ctx.reported[0] as Error
      return observationCount
    },
    alerts: (observerId) =>
      db
        .selectFrom('alert')
        .select(['id', 'kind', 'title', 'value', 'datumIds'])
        .where('observerId', '=', observerId)
        .orderBy('fence')
        .execute(),
    async requeueEvents() {
      await db.updateTable('outbox').set({ noticedAt: null }).where('kind', '=', 'data').execute()
    },
    async wait(interval) {
      const by = sql`${interval}::interval`
      await sql`update observer set last_alert_at = last_alert_at - ${by}, due_at = due_at - ${by},
        lease_until = lease_until - ${by}`.execute(db)
      await sql`update delivery set due_at = due_at - ${by}`.execute(db)
    },
    async close() {
      await net.close()
      await world.close()
    },
  }
}

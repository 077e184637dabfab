import { sql } from 'kysely'
import { buildsOf } from './builds/hubBuilds.ts'
import type { Context } from '#functions/context.ts'

/** How long a hub is its maker's without a sign of life. */
const leaseSeconds = 30
const beatMs = 5_000

const lease = sql<Date>`now() + make_interval(secs => ${leaseSeconds}::float8)`

/** Someone else makes the hub now: what was made here is not shown. */
export class Superseded extends Error {}

/**
 * The right to make a hub's pages, by the clock of the database. It ends by itself when its holder is no more; whoever
 * takes it up then has a higher fence.
 */
export class HubLease {
  #last: number

  private constructor(
    private ctx: Context,
    private placeId: string,
    readonly fence: number,
    /** The manifest that was served when it was taken. */
    readonly manifest: number,
  ) {
    this.#last = ctx.now().getTime()
  }

  /** Takes a hub; null while someone else has it, who tells the queue when it is free. Needs the product's own identity. */
  static async take(ctx: Context, placeId: string): Promise<HubLease | null> {
    for (;;) {
      const { rows } = await sql<{ fence: number; manifest: number }>`
        insert into hub (place_id, fence, lease_until, tried_at) values (${placeId}, 1, ${lease}, now())
        on conflict (place_id) do update set fence = hub.fence + 1, lease_until = excluded.lease_until,
          tried_at = excluded.tried_at
          where hub.lease_until is null or hub.lease_until < now()
        returning fence, manifest`.execute(ctx.db)
      const [taken] = rows
      if (taken) return new HubLease(ctx, placeId, taken.fence, taken.manifest)
      const { numUpdatedRows } = await ctx.db
        .updateTable('hub')
        .set((eb) => ({ turnedAway: eb.ref('fence') }))
        .where('placeId', '=', placeId)
        .where('leaseUntil', '>=', sql<Date>`now()`)
        .executeTakeFirstOrThrow()
      // None: it was given back in this very moment
      if (numUpdatedRows > 0n) return null
    }
  }

  /** A sign of life, every five seconds at most. Throws Superseded when it is not ours any more. */
  async beat(): Promise<void> {
    const now = this.ctx.now().getTime()
    if (now - this.#last < beatMs) return
    this.#last = now
    const { numUpdatedRows } = await this.#ours().set({ leaseUntil: lease }).executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw new Superseded()
  }

  /**
   * Makes manifest `to` the published one, whose pages are of `builds` (null: nobody knows); false when `from` is not it any more. Throws Superseded
   * when the hub is not ours any more.
   */
  async flip(from: number, to: number, builds: string[] | null): Promise<boolean> {
    const { numUpdatedRows } = await this.#ours()
      .set({ ...buildsOf(to, builds), manifest: to, publishedAt: this.ctx.now(), leaseUntil: lease })
      .where('manifest', '=', from)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) return true
    this.#last = -Infinity
    await this.beat()
    return false
  }

  /** Gives it back. True: someone was turned away meanwhile, and is to be told. Nothing happens when it is not ours. */
  async free(): Promise<boolean> {
    const row = await this.#ours()
      .set({ leaseUntil: null })
      .returning((eb) => eb('turnedAway', '=', eb.ref('fence')).as('isAwaited'))
      .executeTakeFirst()
    return row?.isAwaited === true
  }

  #ours() {
    return this.ctx.db.updateTable('hub').where('placeId', '=', this.placeId).where('fence', '=', this.fence)
  }
}

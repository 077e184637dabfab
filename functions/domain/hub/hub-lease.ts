import { sql } from 'kysely'
import { toBuildColumns } from './builds/hub-builds.ts'
import type { Context } from '#functions/context.ts'

/** How long a lease is valid without renewal, in seconds. */
const leaseSeconds = 30
const beatMs = 5_000

const lease = sql<Date>`now() + make_interval(secs => ${leaseSeconds}::float8)`

/** The lease was taken over by another process: what was rendered here is not published. */
export class LeaseLostError extends Error {}

/**
 * The exclusive right to render a hub's pages, timed by the clock of the database. It expires when its holder dies; the next holder
 * has a higher fencing token.
 */
export class HubLease {
  #last: number

  private constructor(
    private ctx: Context,
    private placeId: string,
    readonly fence: number,
    /** The manifest that was published when the lease was taken. */
    readonly manifest: number,
  ) {
    this.#last = ctx.now().getTime()
  }

  /**
   * Takes the lease; null while another process has it, which then wakes the queue when it is free. Must run as the
   * system actor.
   */
  static async acquire(ctx: Context, placeId: string): Promise<HubLease | null> {
    for (;;) {
      const { rows } = await sql<{ fence: number; manifest: number }>`
        insert into hub (place_id, fence, lease_until, tried_at) values (${placeId}, 1, ${lease}, now())
        on conflict (place_id) do update set fence = hub.fence + 1, lease_until = excluded.lease_until,
          tried_at = excluded.tried_at
          where hub.lease_until is null or hub.lease_until < now()
        returning fence, manifest`.execute(ctx.db)
      const [row] = rows
      if (row) return new HubLease(ctx, placeId, row.fence, row.manifest)
      const { numUpdatedRows } = await ctx.db
        .updateTable('hub')
        .set((eb) => ({ turnedAway: eb.ref('fence') }))
        .where('placeId', '=', placeId)
        .where('leaseUntil', '>=', sql<Date>`now()`)
        .executeTakeFirstOrThrow()
      // No row: it was released in this moment
      if (numUpdatedRows > 0n) return null
    }
  }

  /** Renews the lease, at most every five seconds. Throws Superseded when it was taken over. */
  async beat(): Promise<void> {
    const now = this.ctx.now().getTime()
    if (now - this.#last < beatMs) return
    this.#last = now
    const { numUpdatedRows } = await this.#ours().set({ leaseUntil: lease }).executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw new LeaseLostError()
  }

  /**
   * Publishes manifest `to`, whose pages are of `builds` (null: unknown); false when `from` is not the published one any
   * more. Throws Superseded when the lease was lost.
   */
  async flip(from: number, to: number, builds: string[] | null): Promise<boolean> {
    const { numUpdatedRows } = await this.#ours()
      .set({ ...toBuildColumns(to, builds), manifest: to, publishedAt: this.ctx.now(), leaseUntil: lease })
      .where('manifest', '=', from)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) return true
    this.#last = -Infinity
    await this.beat()
    return false
  }

  /**
   * Releases the lease. True where another process was turned away meanwhile and the queue has to be woken. Does nothing
   * when the lease was taken over.
   */
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

import { sql } from 'kysely'
import { certificateOf, proofOf } from './domainProof.ts'
import { release } from './domains.ts'
import { write } from './outbox.ts'
import type { Context } from '../context.ts'

/** Hosts a run looks at, those first that were looked at longest ago; and how many at once. */
const batch = 300
const atOnce = 10
/** So many checks in a row without the proof, and the host is not the place's any more. */
const maxFailures = 3

interface Host {
  host: string
  placeId: string
  token: string
  failures: number
}

/**
 * Looks at hosts of places again, at most 300 of those not looked at today: is the proof still there, does the host
 * answer over TLS. After three checks that did not find the proof the place loses the host. Name servers that do not
 * answer count for nothing. What was given up more than 30 days ago is forgotten. For cron; needs the product's own
 * identity. Gives how many were looked at and how many were taken away.
 */
export async function recheckDomains(ctx: Context): Promise<{ checked: number; released: number }> {
  const now = ctx.now().getTime()
  const daysAgo = (days: number) => new Date(now - days * 86_400_000)
  await ctx.db.deleteFrom('placeDomain').where('releasedAt', '<', daysAgo(30)).execute()
  const hosts: Host[] = await ctx.db
    .selectFrom('placeDomain')
    .select(['host', 'placeId', 'token', 'failures'])
    .where('verifiedAt', 'is not', null)
    .where((eb) => eb.or([eb('checkedAt', 'is', null), eb('checkedAt', '<', daysAgo(0.8))]))
    .orderBy(sql`checked_at nulls first, host`)
    .limit(batch)
    .execute()
  let released = 0
  for (let from = 0; from < hosts.length; from += atOnce) {
    const gone = await Promise.all(hosts.slice(from, from + atOnce).map((host) => recheck(ctx, host)))
    released += gone.filter(Boolean).length
  }
  return { checked: hosts.length, released }
}

/** True: the place has lost the host. */
async function recheck(ctx: Context, host: Host): Promise<boolean> {
  try {
    const [{ isProven }, certificate] = await Promise.all([proofOf(ctx, host), certificateOf(ctx, host.host)])
    if (isProven === null) return false
    const failures = isProven ? 0 : host.failures + 1
    if (failures >= maxFailures) return await write(ctx, (tx) => release(tx, ctx, host))
    await ctx.db
      .updateTable('placeDomain')
      .set({ failures, certificate, checkedAt: ctx.now() })
      .where('host', '=', host.host)
      .where('verifiedAt', 'is not', null)
      .execute()
    return false
  } catch (error) {
    // One host that cannot be looked at holds up no other.
    ctx.report(error, { host: host.host, during: 'recheckDomains' })
    return false
  }
}

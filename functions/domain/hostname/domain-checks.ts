import { sql } from 'kysely'
import { writeToAdmins } from '#functions/domain/email/admin-email.ts'
import { unregisterHost, registerHost } from './domain-hosting.ts'
import { warnDays } from './lights/index.ts'
import { queryProof } from './domain-proof.ts'
import { release } from './domains.ts'
import type { Draft } from '#functions/domain/email/email.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import type { Context } from '#functions/context.ts'

/** Hosts checked per run, least recently checked first; and how many at the same time. */
const batch = 300
const atOnce = 10
/** Failed checks in a row after which the place loses the host. */
const maxFailures = 3
const quarantineDays = 30

interface Host {
  host: string
  placeId: string
  token: string
  failures: number
  certificate: 'pending' | 'active' | 'failed'
  warnedOf: Date | null
}

/**
 * Checks hosts of places, at most 300 of those not checked today: whether the proof is still in DNS, and the
 * state of the certificate. After three checks without the proof the place loses the host. Its admins get an
 * email at the first failure and at the last, when the certificate is lost, and once 14 days before it
 * expires. DNS servers that do not answer do not count as failures. Deletes released hosts after 30 days,
 * once the certificate service has removed them. Called by cron; must run as the system actor. Returns how
 * many were checked and how many were taken from their places.
 */
export async function recheckDomains(ctx: Context): Promise<{ checked: number; released: number }> {
  const now = ctx.now().getTime()
  const daysAgo = (days: number) => new Date(now - days * 86_400_000)
  await ctx.db
    .deleteFrom('placeDomain')
    .where('releasedAt', '<', daysAgo(quarantineDays))
    .$if(ctx.hosts !== null, (query) => query.where('isHosted', '=', false))
    .execute()
  const hosts: Host[] = await ctx.db
    .selectFrom('placeDomain')
    .select(['host', 'placeId', 'token', 'failures', 'certificate', 'warnedOf'])
    .where('verifiedAt', 'is not', null)
    .where((eb) => eb.or([eb('checkedAt', 'is', null), eb('checkedAt', '<', daysAgo(0.8))]))
    .orderBy(sql`checked_at nulls first, host`)
    .limit(batch)
    .execute()
  let released = 0
  for (let from = 0; from < hosts.length; from += atOnce) {
    const deletions = await Promise.all(hosts.slice(from, from + atOnce).map((host) => recheck(ctx, host)))
    released += deletions.filter(Boolean).length
  }
  return { checked: hosts.length, released }
}

/** Checks one host. True: the place has lost it. */
async function recheck(ctx: Context, host: Host): Promise<boolean> {
  try {
    const { isProven, ask, claim } = await queryProof(ctx, host)
    if (isProven === null) return false
    const failures = isProven ? 0 : host.failures + 1
    if (failures >= maxFailures) return await releaseHost(ctx, host)
    const state = await registerHost(ctx, ask, claim)
    await write(ctx, async (tx) => {
      const about = { failures, checkedAt: ctx.now() }
      const end = 'expiresAt' in state ? state.expiresAt : null
      const isEnding = end !== null && end.getTime() - ctx.now().getTime() < warnDays * 86_400_000
      const isNew = end?.getTime() !== host.warnedOf?.getTime()
      await tx
        .updateTable('placeDomain')
        .set({ ...about, ...(isEnding && { warnedOf: end }) })
        .where('host', '=', host.host)
        .where('verifiedAt', 'is not', null)
        .execute()
      const letters: Draft[] = []
      if (failures === 1) letters.push(proofGone(host.host))
      if (host.certificate === 'active' && 'certificate' in state && state.certificate === 'failed')
        letters.push(certificateGone(host.host, state.reason))
      if (isEnding && isNew) letters.push(certificateEnds(host.host, end))
      for (const email of letters) await writeToAdmins(tx, ctx.settings, host.placeId, email)
    })
    return false
  } catch (error) {
    // An error with one host must not stop the others.
    ctx.report(error, { host: host.host, during: 'recheckDomains' })
    return false
  }
}

async function releaseHost(ctx: Context, host: Host): Promise<boolean> {
  const isGone = await write(ctx, async (tx) => {
    const isGone = await release(tx, ctx, host)
    if (isGone) await writeToAdmins(tx, ctx.settings, host.placeId, hostGone(host.host))
    return isGone
  })
  if (isGone) await unregisterHost(ctx, host.host)
  return isGone
}

const link = { label: 'See what to do', path: '/org/manage/hub' }

const proofGone = (host: string): Draft => ({
  subject: `${host}: its proof is gone from DNS`,
  lines: [
    `The record that proves that ${host} is yours was not found today. It is looked for every day; when it is not found ${maxFailures} days in a row your hub stops answering there.`,
    'Set the record again. Nothing else is needed.',
  ],
  link,
})

const hostGone = (host: string): Draft => ({
  subject: `${host} is not your hub's address any more`,
  lines: [
    `The record that proves that ${host} is yours was not found ${maxFailures} days in a row, so your hub answers there no longer.`,
    `For ${quarantineDays} days no other organization gets the address. Set the record and take it again.`,
  ],
  link,
})

const certificateGone = (host: string, reason: string | null): Draft => ({
  subject: `${host} has no certificate`,
  lines: [`Visitors of ${host} see a warning instead of your hub.`, ...(reason ? [reason] : [])],
  link,
})

const certificateEnds = (host: string, end: Date): Draft => ({
  subject: `${host}: its certificate ends soon`,
  lines: [
    `The certificate of ${host} ends on ${end.toISOString().slice(0, 10)} and was not renewed by itself, most often because the address leads elsewhere or a CAA record forbids it.`,
  ],
  link,
})

import { sql, type UpdateObject } from 'kysely'
import { findHostAlias } from './domain-alias.ts'
import { asker, buildClaim, leadsHere, type QueryDns, type Claim } from './lights/index.ts'
import { checkCertificate } from './domain-proof.ts'
import { HostsError, type HostState } from '#functions/platform/hosts/port.ts'
import type { Context } from '#functions/context.ts'
import type { Tables } from '#db/schema.ts'

/** Hosts per run of the sweeper: the certificate service issues 15 certificates a minute. */
const batch = 10
/** Longest wait before an unsettled host is requested again. */
const longestWaitMinutes = 60

/**
 * Registers a verified host with the certificate service and stores its state. Without a service, checks from
 * outside whether the certificate is valid. A service that does not answer changes only the reason that is
 * shown (`unasked`); the sweeper tries again.
 */
export async function registerHost(
  ctx: Context,
  ask: QueryDns,
  claim: Claim,
): Promise<HostState | { unasked: string }> {
  const { host, target, alias } = claim
  const request = { askedAt: ctx.now() }
  if (!ctx.hosts) {
    const certificate = await checkCertificate(ctx, host)
    const state: HostState = { certificate, reason: null, records: [], expiresAt: null }
    await updateDomain(ctx, host, { ...request, ...toCertificateColumns(state) })
    return state
  }
  // Stored before the request, so that a lost response cannot leave a host there that we do not know of.
  await updateDomain(ctx, host, { ...request, isHosted: true })
  try {
    const state = await ctx.hosts.ensure(host, { isHere: await leadsHere(ask, host, target) })
    if (alias && (await leadsHere(ask, alias, target))) await ctx.hosts.ensure(alias, { isHere: true })
    const isSettled = state.certificate !== 'pending'
    await updateDomain(ctx, host, { ...toCertificateColumns(state), ...countUnsettled(!isSettled) })
    return state
  } catch (error) {
    const { message } = asHostsError(ctx, error, host)
    await updateDomain(ctx, host, { certificateReason: message, ...countUnsettled(true) })
    return { unasked: message }
  }
}

/** Removes a released host from the certificate service. When that fails, the sweeper does it. */
export async function unregisterHost(ctx: Context, host: string): Promise<void> {
  const row = ctx.db.updateTable('placeDomain').where('host', '=', host).where('releasedAt', 'is not', null)
  if (!ctx.hosts) return
  try {
    for (const each of [host, findHostAlias(host)]) if (each) await ctx.hosts.remove(each)
    await row.set({ isHosted: false, askedAt: ctx.now(), asksUnsettled: 0 }).execute()
  } catch (error) {
    asHostsError(ctx, error, host)
    await row.set({ askedAt: ctx.now(), ...countUnsettled(true) }).execute()
  }
}

/**
 * Requests missing certificates again, and removes released hosts from the service: at most 10, least
 * recently requested first, with delays of one minute, two, four, at most an hour. Called by cron; must run
 * as the system actor. Returns how many were requested.
 */
export async function maintainHosts(ctx: Context): Promise<number> {
  if (!ctx.hosts) return 0
  const wait = sql`make_interval(mins => least(${longestWaitMinutes}::int, power(2, least(asks_unsettled, 10))::int))`
  const due = await ctx.db
    .selectFrom('placeDomain')
    .select(['host', 'placeId', 'token', 'releasedAt'])
    .where('isHosted', '=', true)
    .where((eb) => eb.or([eb('certificate', '=', 'pending'), eb('releasedAt', 'is not', null)]))
    .where(sql<boolean>`(asked_at is null or asked_at + ${wait} <= ${ctx.now()})`)
    .orderBy(sql`asked_at nulls first, host`)
    .limit(batch)
    .execute()
  for (const { releasedAt, ...row } of due) {
    if (releasedAt) await unregisterHost(ctx, row.host)
    else await registerHost(ctx, asker(ctx), buildClaim(ctx, row))
  }
  return due.length
}

const countUnsettled = (isOpen: boolean) => ({ asksUnsettled: isOpen ? sql<number>`asks_unsettled + 1` : 0 })

const toCertificateColumns = ({ certificate, reason, expiresAt }: HostState) => ({
  certificate,
  certificateReason: reason,
  certificateExpiresAt: expiresAt,
})

async function updateDomain(
  ctx: Context,
  host: string,
  values: UpdateObject<Tables, 'placeDomain'>,
): Promise<void> {
  await ctx.db
    .updateTable('placeDomain')
    .set(values)
    .where('host', '=', host)
    .where('verifiedAt', 'is not', null)
    .execute()
}

/**
 * The service's own error; others are replaced by a general one, because their text is not for readers.
 * Reports errors that will not go away by themselves.
 */
function asHostsError(ctx: Context, error: unknown, host: string): HostsError {
  const hostsError =
    error instanceof HostsError
      ? error
      : new HostsError('The certificate service is unwell. It is asked again by itself.', {
          isFinal: true,
          cause: error,
        })
  if (hostsError.isFinal) ctx.report(hostsError.cause ?? hostsError, { host, during: 'hosts' })
  return hostsError
}

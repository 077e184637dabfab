import { ipPrefix } from '#functions/platform/rate-limit-key.ts'
import type { Context } from '#functions/context.ts'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { Failure } from '#functions/errors.ts'
import type { ListOptions } from '#functions/shapes/options.ts'
import { forgetDevices } from './devices.ts'
import { recordOwn } from './own-activity.ts'
import { clearSessionCookie } from './cookie.ts'

const where = { lastSeenAt: 'session.updatedAt' }

/**
 * The actor's sessions, last seen first, without tokens. `lastSeenAt` is accurate to five minutes. An API key
 * sees its user's sessions; none is `current` then.
 */
export async function find(ctx: Context, { options }: NounRequest<ListOptions>) {
  const query = ctx.db
    .selectFrom('session')
    .select(['id', 'ipAddress', 'userAgent', 'createdAt', 'updatedAt', 'expiresAt'])
    .where('userId', '=', me(ctx))
    .where('expiresAt', '>', ctx.now())
  const { results, meta } = await listRows(
    ctx,
    query,
    {
      table: 'session',
      order: [sortBy('updatedAt', 'desc', 'date')],
      searchColumns: ['session.userAgent'],
      columns: where,
    },
    options,
  )
  const sessions = results.map((row) => ({
    id: row.id,
    device: describeDevice(row.userAgent ?? ''),
    ipPrefix: ipPrefix(row.ipAddress),
    createdAt: row.createdAt,
    lastSeenAt: row.updatedAt,
    expiresAt: row.expiresAt,
    current: row.id === ctx.actor.session?.id,
  }))
  return { results: sessions, meta }
}

/** Ends one of the actor's sessions. Undefined: the actor has no such session. */
export async function deleteById(
  ctx: Context,
  { params }: { params: Record<string, string> },
): Promise<{ id: string } | undefined> {
  const id = params.sessionId ?? ''
  const { numDeletedRows } = await ctx.db
    .deleteFrom('session')
    .where('id', '=', id)
    .where('userId', '=', me(ctx))
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return undefined
  if (id === ctx.actor.session?.id) ctx.responseHeaders.append('set-cookie', clearSessionCookie(ctx.settings))
  return { id }
}

/** Ends every session of the actor except the current one; with an API key, all. Returns how many. */
export async function purge(ctx: Context): Promise<{ count: number }> {
  const userId = me(ctx)
  return ctx.transaction(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('session')
      .where('userId', '=', userId)
      .where('id', '!=', ctx.actor.session?.id ?? '')
      .executeTakeFirstOrThrow()
    await forgetDevices(tx, ctx, userId, { all: false })
    await recordOwn(tx, ctx, userId, 'signedOutElsewhere')
    return { count: Number(numDeletedRows) }
  })
}

/**
 * Ends all sessions of everyone, after a restore of the database, which brings back ended ones. Returns how
 * many. Must run as the system actor.
 */
export async function endAllSessions(ctx: Context): Promise<number> {
  const { numDeletedRows } = await ctx.accounts.db.deleteFrom('session').executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

function me(ctx: Context): string {
  if (!ctx.actor.user) throw new Failure('unauthenticated')
  return ctx.actor.user.id
}

const browsers: [string, RegExp][] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
]
const systems: [string, RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

/**
 * Browser and system in a user agent, such as 'Firefox on Linux'; 'Unknown device' if neither is recognised.
 */
function describeDevice(userAgent: string): string {
  const name = (list: [string, RegExp][]) => list.find(([, sign]) => sign.test(userAgent))?.[0]
  const [browser, system] = [name(browsers), name(systems)]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown device'
}

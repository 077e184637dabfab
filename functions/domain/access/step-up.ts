import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'

/** How long a re-authentication is valid, in minutes. */
const provedMinutes = 10

/**
 * Failure `forbidden` (reason `stepUp`) for a session whose person has not proved their identity in the last
 * ten minutes: by the second factor, or by the password without one; or (reason `ssoAgain`) by the provider
 * that created the session. API keys of people cannot prove anything: only those with the scope `internals`
 * are allowed.
 */
export function requireStepUp({ actor, now }: Pick<Context, 'actor' | 'now'>): void {
  if (actor.kind === 'user' && actor.key && actor.key.scope !== 'internals')
    throw new Failure('forbidden', { message: 'This takes a key with the scope “internals”, or signing in.' })
  if (!actor.session) return
  const { provedAt } = actor.session
  if (provedAt && now().getTime() - provedAt.getTime() < provedMinutes * 60_000) return
  if (actor.session.ssoPlaceId !== null)
    throw new Failure('forbidden', {
      message: 'Please sign in at your organization once more, and try again.',
      reason: 'ssoAgain',
    })
  throw new Failure('forbidden', {
    message: 'Please confirm that it is you, and try again.',
    reason: 'stepUp',
  })
}

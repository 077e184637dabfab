import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'

/** For how many minutes a proof counts. */
const provedMinutes = 10

/**
 * Throws `forbidden` (reason `stepUp`) for a session whose person has not proved in the last ten minutes that it is them: by
 * the second factor, else by the password; or (reason `ssoAgain`) to the provider that opened the session. A key is no session and proves nothing anew: of those of a person only one with the
 * scope `internals` may do this.
 */
export function requireStepUp({ actor, now }: Pick<Context, 'actor' | 'now'>): void {
  if (actor.kind === 'user' && actor.key && actor.key.scope !== 'internals')
    throw new Failure('forbidden', { say: 'This takes a key with the scope “internals”, or signing in.' })
  if (!actor.session) return
  const { provedAt } = actor.session
  if (provedAt && now().getTime() - provedAt.getTime() < provedMinutes * 60_000) return
  if (actor.session.ssoPlaceId !== null)
    throw new Failure('forbidden', {
      say: 'Please sign in at your organization once more, and try again.',
      reason: 'ssoAgain',
    })
  throw new Failure('forbidden', {
    say: 'Please confirm that it is you, and try again.',
    reason: 'stepUp',
  })
}

import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'

/** For how many minutes a proof counts. */
export const provedMinutes = 10

/**
 * Throws `forbidden` (reason `stepUp`) for a session whose person has not proved in the last ten minutes that it is them: by
 * the second factor, else by the password. Keys are no sessions: what they may do is their scope.
 */
export function requireStepUp({ actor, now }: Pick<Context, 'actor' | 'now'>): void {
  if (!actor.session) return
  const { provedAt } = actor.session
  if (provedAt && now().getTime() - provedAt.getTime() < provedMinutes * 60_000) return
  throw new Failure('forbidden', {
    say: 'Please confirm that it is you, and try again.',
    reason: 'stepUp',
  })
}

import type { Actor } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'

/** For how many minutes a place is open to who gave a reason. */
export const openMinutes = 60

/**
 * Whether the actor has a role over all places that takes a reason in each: support always, super admins in a session. Their keys are made
 * for programs, with a name, a scope and an end, and a program gives no reasons.
 */
export function mustGiveReasons({ user, session }: Actor): boolean {
  return user?.role === 'support' || (user?.role === 'super_admin' && session !== null)
}

/** The places that are open to the actor with a reason now. */
export function openedPlaces(actor: Actor): string[] {
  return mustGiveReasons(actor) ? (actor.opened ?? []).map(({ placeId }) => placeId) : []
}

/** Until when a place is open to the actor with a reason; null: it is not, or takes none. */
export function openUntil(actor: Actor, placeId: string | undefined): Date | null {
  if (!mustGiveReasons(actor)) return null
  return actor.opened?.find((open) => open.placeId === placeId)?.until ?? null
}

/** The actor's global role, as far as it counts in a place (null: what is of no place); null where it does not, or there is none. */
export function globalRoleIn(actor: Actor, placeId: string | null): string | null {
  const role = actor.user?.role ?? null
  if (placeId === null || !mustGiveReasons(actor)) return role
  return openedPlaces(actor).includes(placeId) ? role : null
}

/** Whether the actor would read a place by a global role, has not said why, and has no role of that place. */
export function needsReason(actor: Actor, placeId: string): boolean {
  const isMember = actor.memberships.some(({ role, ...of }) => of.placeId === placeId && role !== null)
  return mustGiveReasons(actor) && !isMember && globalRoleIn(actor, placeId) === null
}

/** The refusal (reason `reason`) of what takes an open place. */
export function reasonMissing(): Failure {
  return new Failure('forbidden', {
    say: 'You are not a member of this organization. Say first why you open it.',
    reason: 'reason',
  })
}

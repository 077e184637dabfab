import type { Actor } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'

/** How long a place stays open after giving a reason, in minutes. */
export const openMinutes = 60

/**
 * Whether the actor's global role requires a reason for each place: support always, super admins in a
 * session. API keys of super admins are for programs, which cannot give reasons; they have a name, a scope
 * and an expiry.
 */
export function mustGiveReasons({ user, session }: Actor): boolean {
  return user?.role === 'support' || (user?.role === 'super_admin' && session !== null)
}

/** Ids of the places currently opened by the actor with a reason. */
export function getOpenedPlaceIds(actor: Actor): string[] {
  return mustGiveReasons(actor) ? (actor.opened ?? []).map(({ placeId }) => placeId) : []
}

/** Until when a place is open to the actor with a reason; null: it is not open, or needs no reason. */
export function openUntil(actor: Actor, placeId: string | undefined): Date | null {
  if (!mustGiveReasons(actor)) return null
  return actor.opened?.find((open) => open.placeId === placeId)?.until ?? null
}

/**
 * The actor's global role, if it applies in a place (null: outside of places); null where it does not, or
 * there is none.
 */
export function globalRoleIn(actor: Actor, placeId: string | null): string | null {
  const role = actor.user?.role ?? null
  if (placeId === null || !mustGiveReasons(actor)) return role
  return getOpenedPlaceIds(actor).includes(placeId) ? role : null
}

/**
 * Whether the actor has to give a reason first: it has a global role, no role in the place, and has not
 * opened it.
 */
export function needsReason(actor: Actor, placeId: string): boolean {
  const isMember = actor.memberships.some(({ role, ...of }) => of.placeId === placeId && role !== null)
  return mustGiveReasons(actor) && !isMember && globalRoleIn(actor, placeId) === null
}

/** Failure `forbidden` (reason `reason`) where the place has to be opened first. */
export function reasonMissing(): Failure {
  return new Failure('forbidden', {
    message: 'You are not a member of this organization. Say first why you open it.',
    reason: 'reason',
  })
}

import type { Identity } from '#db/connect.ts'
import { mustGiveReasons, openedPlaces } from './opened.ts'
import type { Actor } from '#functions/context.ts'

/**
 * What row-level security is told of the actor. A membership without a role opens nothing; a source key
 * opens its source's place, and `isAllowed` keeps it to that source.
 */
export function identityOf(actor: Actor): Identity {
  if (actor.kind === 'system') return { user: '', places: [], global: 'system' }
  const role = actor.user?.role
  const opened = openedPlaces(actor)
  return {
    user: actor.user?.id ?? '',
    places: actor.source ? [actor.source.placeId] : placesOf(actor),
    global: role === 'super_admin' || role === 'support' ? role : '',
    ...(opened.length > 0 && { opened }),
  }
}

/** The places where the actor has a role, and so may see what is not public. A write key sees its own source only. */
export function placesOf(actor: Actor): string[] {
  return actor.memberships
    .filter((membership) => membership.role !== null)
    .map((membership) => membership.placeId)
}

/** The places whose rows the actor may see beyond what is public: those where it has a role, and those it opened with a reason. */
export function readPlacesOf(actor: Actor): string[] {
  return [...placesOf(actor), ...openedPlaces(actor)]
}

const adminRoles = ['content_admin', 'organization_admin']

/** The places where the actor sees what is private: as a content or organization admin, or by a reason. */
export function adminPlacesOf(actor: Actor): string[] {
  const mine = actor.memberships
    .filter((membership) => membership.role !== null && adminRoles.includes(membership.role))
    .map((membership) => membership.placeId)
  return [...mine, ...openedPlaces(actor)]
}

/** Whether the actor sees the rows of every place: the product itself, and keys of super admins. */
export function readsAll(actor: Actor): boolean {
  return actor.kind === 'system' || (actor.user?.role === 'super_admin' && !mustGiveReasons(actor))
}

import type { Identity } from '#db/connect.ts'
import { mustGiveReasons, getOpenedPlaceIds } from './opened.ts'
import type { Actor } from '#functions/context.ts'

/**
 * The actor's identity for row-level security. A membership without a role grants nothing; a source key
 * includes its source's place, and `isAllowed` limits it to that source.
 */
export function toIdentity(actor: Actor): Identity {
  if (actor.kind === 'system') return { user: '', places: [], global: 'system' }
  const role = actor.user?.role
  const openedPlaceIds = getOpenedPlaceIds(actor)
  return {
    user: actor.user?.id ?? '',
    places: actor.source ? [actor.source.placeId] : getMemberPlaceIds(actor),
    global: role === 'super_admin' || role === 'support' ? role : '',
    ...(openedPlaceIds.length > 0 && { opened: openedPlaceIds }),
  }
}

/**
 * Ids of the places where the actor has a role, and so may see what is not public. A write key only sees its
 * own source.
 */
export function getMemberPlaceIds(actor: Actor): string[] {
  return actor.memberships
    .filter((membership) => membership.role !== null)
    .map((membership) => membership.placeId)
}

/**
 * Ids of the places whose non-public rows the actor may see: those where it has a role, and those opened with
 * a reason.
 */
export function getReadablePlaceIds(actor: Actor): string[] {
  return [...getMemberPlaceIds(actor), ...getOpenedPlaceIds(actor)]
}

/** The roles of a place that see its private rows, whoever made them. */
export const adminRoles: readonly string[] = ['content_admin', 'organization_admin']

/**
 * Ids of the places where the actor sees private rows: as a content or organization admin, or opened with a
 * reason.
 */
export function getAdminPlaceIds(actor: Actor): string[] {
  const memberships = actor.memberships
    .filter((membership) => membership.role !== null && adminRoles.includes(membership.role))
    .map((membership) => membership.placeId)
  return [...memberships, ...getOpenedPlaceIds(actor)]
}

/** Whether the actor sees the rows of every place: the system actor, and API keys of super admins. */
export function readsAll(actor: Actor): boolean {
  return actor.kind === 'system' || (actor.user?.role === 'super_admin' && !mustGiveReasons(actor))
}

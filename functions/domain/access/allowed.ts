import type { Actor } from '#functions/context.ts'
import type { OperationName } from './operations.ts'
import { globalRoleIn, getOpenedPlaceIds } from './opened.ts'
import { builtInRoles, byGlobalRole, rolesFor, table, type BuiltInRole } from './roles.ts'
import { isInScope } from './scope.ts'

/** The subject of a request, as far as permission depends on it. Null: the request is not about one. */
export interface PermissionSubject {
  placeId: string | null
  sourceId: string | null
  userId: string | null
}

export const noSubject: PermissionSubject = { placeId: null, sourceId: null, userId: null }

/** The operations of each role, by role id. Stored in the database, where super admins edit them. */
export type Grants = ReadonlyMap<string, ReadonlySet<string>>

/** The grants of the built-in table, with which a new database is seeded. */
export const defaultGrants: Grants = new Map(
  (Object.keys(builtInRoles) as BuiltInRole[]).map((role) => [
    role as string,
    new Set(Object.keys(table).filter((operation) => rolesFor(operation as OperationName).includes(role))),
  ]),
)

/** The actor's roles for a subject: the global one, where it applies, and the one in the subject's place. */
export function getActorRoles(actor: Actor, subject: PermissionSubject): string[] {
  const global = globalRoleIn(actor, subject.placeId)
  const local = actor.memberships.find((membership) => membership.placeId === subject.placeId)?.role
  return [...(global ? [global] : []), ...(local ? [local] : [])]
}

/**
 * Read operations on the person rather than a place that every session allows, including single sign-on ones.
 */
const sessionOperations: ReadonlySet<OperationName> = new Set<OperationName>([
  'user.read',
  'role.read',
  'operation.read',
])

/**
 * Whether the person signed in themselves. A single sign-on session is for its place only and must not change
 * the account.
 */
export const isOwnSignIn = (actor: Actor): boolean => (actor.session?.ssoPlaceId ?? null) === null

/**
 * Whether the actor may do the operation on the subject. Pure: the server enforces it and the browser hides
 * buttons by it.
 */
export function isAllowed(
  actor: Actor,
  operation: OperationName,
  subject: PermissionSubject,
  grants: Grants = defaultGrants,
): boolean {
  if (actor.kind === 'system') return true
  if (!isInScope(actor, operation)) return false
  const who = table[operation]
  if (who.includes('anyone')) return true
  if (actor.kind === 'sourceKey')
    return who.includes('sourceKey') && subject.sourceId !== null && actor.source?.id === subject.sourceId
  if (!actor.user) return false
  const isOwn = isOwnSignIn(actor) || sessionOperations.has(operation)
  if (who.includes('signedIn')) return isOwn
  if (isOwn && who.includes('self') && subject.userId === actor.user.id) return true
  const about = byGlobalRole.has(operation) ? noSubject : subject
  return getActorRoles(actor, about).some((role) => grants.get(role)?.has(operation))
}

/** Ids of the actor's places, and of those opened with a reason, where it may do the operation. */
export function placesWhere(actor: Actor, operation: OperationName, grants: Grants): string[] {
  const places = [...actor.memberships.map(({ placeId }) => placeId), ...getOpenedPlaceIds(actor)]
  return [...new Set(places)].filter((placeId) =>
    isAllowed(actor, operation, { ...noSubject, placeId }, grants),
  )
}

/** Whether the actor may know of the place: as a member with or without role, or by a global role. */
export function knows(actor: Actor, placeId: string): boolean {
  return (
    actor.kind === 'system' ||
    actor.user?.role === 'super_admin' ||
    actor.user?.role === 'support' ||
    actor.source?.placeId === placeId ||
    actor.memberships.some((membership) => membership.placeId === placeId)
  )
}

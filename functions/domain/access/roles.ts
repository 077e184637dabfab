import type { OperationName } from './operations.ts'
import { builtInRoles, type BuiltInRole } from '#functions/shapes/built-in-role.ts'

export { builtInRoles, type BuiltInRole }

/**
 * The groups used in the table. `viewer` is everyone with a role in the place, `member` everyone but viewers,
 * `admin` content and organization admins, `privileged` super admins, support and admins. `self` is the
 * person whom the request is about, `sourceKey` the write key of the source that it is about.
 */
type ActorGroup = 'anyone' | 'signedIn' | 'self' | 'sourceKey' | 'admin' | 'privileged' | BuiltInRole

/** The roles in each group. A super admin may do everything, and so is in every group. */
const rolesOfWord: Record<
  Exclude<ActorGroup, 'anyone' | 'signedIn' | 'self' | 'sourceKey'>,
  readonly BuiltInRole[]
> = {
  viewer: ['viewer', 'member', 'content_admin', 'organization_admin'],
  member: ['member', 'content_admin', 'organization_admin'],
  admin: ['content_admin', 'organization_admin'],
  content_admin: ['content_admin'],
  organization_admin: ['organization_admin'],
  privileged: ['super_admin', 'support', 'content_admin', 'organization_admin'],
  support: ['support'],
  super_admin: ['super_admin'],
}

const everyone = ['anyone'] as const
const admins = ['admin', 'super_admin'] as const
const organizationAdmins = ['organization_admin', 'super_admin'] as const
const superAdmins = ['super_admin'] as const

/**
 * The permission table: who may do which operation. Which rows someone sees is decided by visibility, not
 * here.
 */
export const table: Record<OperationName, readonly ActorGroup[]> = {
  'api.read': everyone,
  'auth.use': everyone,
  'auth.manage': ['signedIn'],
  'factor.manage': ['signedIn'],
  'session.read': ['signedIn'],
  'session.delete': ['signedIn'],
  'key.read': ['self'],
  'key.create': ['self'],
  'key.delete': ['self'],
  'sourceKey.read': admins,
  'sourceKey.create': admins,
  'sourceKey.delete': admins,
  'place.read': everyone,
  'place.create': superAdmins,
  'place.start': ['signedIn'],
  'placeRequest.read': superAdmins,
  'placeRequest.answer': superAdmins,
  'place.update': organizationAdmins,
  'place.close': organizationAdmins,
  // Whether a place exists is hidden: the function itself checks the role there.
  'place.reopen': ['signedIn'],
  'place.archive': organizationAdmins,
  'place.open': ['support', 'super_admin'],
  'place.usage': ['privileged'],
  'place.domain': organizationAdmins,
  'sso.read': organizationAdmins,
  'sso.manage': organizationAdmins,
  'file.create': admins,
  'file.delete': admins,
  'text.read': everyone,
  'text.translate': admins,
  'link.create': ['viewer', 'support', 'super_admin'],
  'placeUser.read': ['viewer', 'support', 'super_admin'],
  'placeUser.update': organizationAdmins,
  'placeUser.delete': ['self', ...organizationAdmins],
  'joinRequest.read': organizationAdmins,
  'joinRequest.answer': organizationAdmins,
  'invite.read': organizationAdmins,
  'invite.create': organizationAdmins,
  'invite.update': organizationAdmins,
  'invite.delete': organizationAdmins,
  'invite.confirm': everyone,
  'invite.accept': ['signedIn'],
  'user.list': ['support', 'super_admin'],
  'user.read': ['self', 'support', 'super_admin'],
  'user.update': ['self', 'super_admin'],
  'user.delete': ['self', 'super_admin'],
  'dataType.read': everyone,
  'dataType.create': organizationAdmins,
  'dataType.update': organizationAdmins,
  'dataType.delete': organizationAdmins,
  'source.read': everyone,
  'source.create': admins,
  'source.update': admins,
  'source.delete': admins,
  'source.wipe': admins,
  'datum.create': ['sourceKey', ...admins],
  'datum.update': ['sourceKey', ...admins],
  'datum.delete': ['sourceKey', ...admins],
  'importer.read': ['viewer', 'support', 'super_admin'],
  'importer.create': admins,
  'importer.update': admins,
  'importer.delete': admins,
  'importer.run': admins,
  'observer.read': ['viewer', 'support', 'super_admin'],
  'observer.create': organizationAdmins,
  'observer.update': organizationAdmins,
  'observer.delete': organizationAdmins,
  'observer.mute': everyone,
  'alert.delete': organizationAdmins,
  'errorReport.read': admins,
  'errorReport.update': admins,
  'errorReport.delete': admins,
  'errorReport.mute': everyone,
  'lateData.manage': ['signedIn'],
  'lateData.mute': everyone,
  'asset.read': ['self', 'viewer', 'support', 'super_admin'],
  'asset.create': ['self', ...admins],
  'asset.update': ['self', ...admins],
  'asset.delete': ['self', ...admins],
  'insight.read': everyone,
  'insight.test': ['viewer', 'support', 'super_admin'],
  'insight.create': organizationAdmins,
  'insight.update': organizationAdmins,
  'insight.delete': organizationAdmins,
  'page.read': everyone,
  'page.create': admins,
  'page.update': admins,
  'page.publish': admins,
  'page.delete': admins,
  'collection.read': everyone,
  'collection.create': admins,
  'collection.update': admins,
  'collection.delete': admins,
  'boundary.read': everyone,
  'boundarySet.read': everyone,
  'boundarySet.create': admins,
  'boundarySet.update': admins,
  'boundarySet.delete': admins,
  'activity.read': ['viewer', 'support', 'super_admin'],
  'activity.delete': organizationAdmins,
  'activity.export': organizationAdmins,
  'userActivity.read': ['self', 'super_admin'],
  'role.read': ['signedIn'],
  'role.create': superAdmins,
  'role.update': superAdmins,
  'role.delete': superAdmins,
  'operation.read': ['signedIn'],
  'operation.create': superAdmins,
  'operation.update': superAdmins,
  'operation.delete': superAdmins,
  'internal.read': superAdmins,
  'internal.act': superAdmins,
}

/**
 * Operations permitted by a token in the request: its holder may access the subject in any place. Reopening a
 * closed place checks its token itself.
 */
export const byToken: ReadonlySet<OperationName> = new Set<OperationName>([
  'invite.confirm',
  'invite.accept',
  'observer.mute',
  'errorReport.mute',
  'lateData.mute',
  'place.reopen',
])

/** Operations for which a global role needs no reason: opening a place with a reason, and deciding on requests for new places. */
export const byGlobalRole: ReadonlySet<OperationName> = new Set<OperationName>([
  'place.open',
  'place.create',
  'placeRequest.read',
  'placeRequest.answer',
])

/**
 * Operations that may be called without a place: people who may do them in any place get an answer on those
 * places.
 */
export const acrossPlaces: ReadonlySet<OperationName> = new Set<OperationName>(['invite.read'])

/**
 * The roles that the table allows an operation, in the order of `builtInRoles`. Empty: no role is needed, or
 * none is enough.
 */
export function rolesFor(operation: OperationName): BuiltInRole[] {
  const grantees = new Set(
    table[operation].flatMap((who) =>
      who in rolesOfWord ? rolesOfWord[who as keyof typeof rolesOfWord] : [],
    ),
  )
  return (Object.keys(builtInRoles) as BuiltInRole[]).filter((role) => grantees.has(role))
}

import { getActorRoles, noSubject, type Grants } from './allowed.ts'
import { isLook, operationNames, type OperationName } from './operations.ts'
import { builtInRoles, rolesFor } from './roles.ts'
import type { Context } from '#functions/context.ts'

const grantsByContext = new WeakMap<Context, Promise<Grants>>()
const present = new WeakMap<Context, Grants>()

/** The current grants, read once per request, so that a revoked right is gone with the next request. */
export function loadGrants(ctx: Context): Promise<Grants> {
  const before = grantsByContext.get(ctx)
  if (before) return before
  const grants = read(ctx)
  grantsByContext.set(ctx, grants)
  return grants
}

async function read(ctx: Context): Promise<Grants> {
  const rows = await ctx.db.selectFrom('roleOperation').select(['roleId', 'operationId']).execute()
  const grants = new Map<string, Set<string>>()
  for (const { roleId, operationId } of rows) {
    const operations = grants.get(roleId) ?? new Set()
    grants.set(roleId, operations.add(operationId))
  }
  present.set(ctx, grants)
  return grants
}

/** Reuses the grants of one context for another of the same request; returns the latter. */
export function shareGrants(from: Context, to: Context): Context {
  grantsByContext.set(to, loadGrants(from))
  const grants = present.get(from)
  if (grants) present.set(to, grants)
  return to
}

/** The grants that `loadGrants` has read in this request, synchronously; null before that. */
export function grantsAtHand(ctx: Context): Grants | null {
  return present.get(ctx) ?? null
}

/**
 * Reads the grants before a screen is rendered that needs them, for people with a role. Ignores an
 * unavailable database, which the screen's own queries report.
 */
export async function readGrants(ctx: Context): Promise<void> {
  const { user, memberships } = ctx.actor
  if (!user?.role && !memberships.some(({ role }) => role !== null)) return
  await loadGrants(ctx).catch(() => undefined)
}

/**
 * Whether someone with the roles `ownRoles` may assign or revoke a role: it is one of theirs, or grants nothing
 * that theirs do not. Operations that no code checks do not count. A super admin may assign every role.
 */
export function covers(grants: Grants, ownRoles: readonly string[], role: string): boolean {
  if (ownRoles.includes('super_admin') || ownRoles.includes(role)) return true
  return operationNames
    .filter((operation) => grants.get(role)?.has(operation))
    .every((operation) => ownRoles.some((own) => grants.get(own)?.has(operation)))
}

/** Whether the actor may assign or revoke a role in a place. */
export async function mayHandOut(ctx: Context, role: string, placeId: string): Promise<boolean> {
  if (ctx.actor.kind === 'system') return true
  return covers(await loadGrants(ctx), getActorRoles(ctx.actor, { ...noSubject, placeId }), role)
}

/**
 * Why a role cannot be granted an operation; null when it can. Operations that no code checks can be granted
 * to all.
 */
export function findGrantRefusal(role: { id: string; scope: string }, operation: string): string | null {
  if (!isKnown(operation)) return null
  const roles = rolesFor(operation)
  if (!roles.length) return 'No role decides this: it is for everyone, or for the person it is about.'
  if (role.scope === 'place' && !roles.some((id) => builtInRoles[id].scope === 'place'))
    return 'This is not about one place, so a role of a place cannot have it.'
  if (role.id === 'support' && !isLook(operation) && !roles.includes('support'))
    return 'Support looks and does not change.'
  return null
}

/** Whether the code checks an operation; otherwise it only serves the organization's own bookkeeping. */
export function isKnown(operation: string): operation is OperationName {
  return (operationNames as string[]).includes(operation)
}

/**
 * The operations that cannot be taken from the super admin role, so that the product can always be
 * administered.
 */
export const keptBySuperAdmin: readonly OperationName[] = operationNames.filter((operation) =>
  rolesFor(operation).includes('super_admin'),
)

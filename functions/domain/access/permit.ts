import { isAllowed, isOwnSignIn, knows, noSubject, placesWhere, type PermissionSubject } from './allowed.ts'
import { loadGrants } from './grants.ts'
import { needsReason, reasonMissing } from './opened.ts'
import type { OperationName } from './operations.ts'
import { findPermissionSubject } from './permission-subject.ts'
import { acrossPlaces, byToken, table } from './roles.ts'
import { isInScope } from './scope.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'

/**
 * Returns the subject of a permitted request. Otherwise a Failure: `unauthenticated` without an identity,
 * `forbidden` for people who may know of the place but lack the operation, `notFound` for everyone else, the
 * same for "does not exist" and "not yours". Support staff and super admins get `forbidden` with the reason
 * `reason` where opening the place would help. An API key with a narrower scope is `forbidden` everywhere.
 */
export async function permit(
  ctx: Context,
  operation: OperationName,
  params: Record<string, string>,
  data: unknown,
): Promise<PermissionSubject> {
  const { actor } = ctx
  const isOpen = table[operation].includes('anyone')
  if (!isOpen && actor.kind === 'anonymous') throw new Failure('unauthenticated')
  // Checked first, even for public operations: nothing else makes up for a missing scope.
  if (!isInScope(actor, operation))
    throw new Failure('forbidden', { message: 'The scope of this key does not cover this.' })
  const subject = byToken.has(operation) ? noSubject : await findPermissionSubject(ctx, params, data)
  if (!subject) throw new Failure('notFound')
  if (isOpen) return subject
  const grants = await grantsIfNeeded(ctx, operation, subject)
  if (isAllowed(actor, operation, subject, grants)) return subject
  if (subject.placeId === null && acrossPlaces.has(operation) && placesWhere(actor, operation, grants).length)
    return subject
  if (subject.placeId !== null && needsReason(actor, subject.placeId))
    if (grants.get(actor.user?.role ?? '')?.has(operation)) {
      if (await isPlace(ctx, subject.placeId)) throw reasonMissing()
      // Without a place: the endpoint reports that itself.
      return subject
    }
  if (!isOwnSignIn(actor) && table[operation].some((who) => who === 'self' || who === 'signedIn'))
    throw new Failure('forbidden', {
      message: 'You are signed in by your organization. This takes the password of your own account.',
      reason: 'ownSignIn',
    })
  const mayKnow = subject.placeId === null ? !hidesPeople(operation, subject) : knows(actor, subject.placeId)
  if (!mayKnow) throw new Failure('notFound')
  throw new Failure('forbidden', { lacks: { operation, placeId: subject.placeId } })
}

/** Whether a place with this id exists, including deleted ones. */
async function isPlace({ db }: Context, id: string): Promise<boolean> {
  const row = await db.selectFrom('place').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** Whether the existence of the user must be hidden from those who may not see users. */
function hidesPeople(operation: OperationName, subject: PermissionSubject): boolean {
  return subject.userId !== null && operation.startsWith('user.')
}

/** Queries the grants only when a role decides. */
async function grantsIfNeeded(ctx: Context, operation: OperationName, subject: PermissionSubject) {
  const needsNoRole =
    table[operation].includes('signedIn') || isAllowed(ctx.actor, operation, subject, new Map())
  return needsNoRole ? new Map<string, ReadonlySet<string>>() : loadGrants(ctx)
}

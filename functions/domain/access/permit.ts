import { isAllowed, isOwnSignIn, knows, noSubject, placesWhere, type PermissionSubject } from './allowed.ts'
import { grantsOf } from './grants.ts'
import { needsReason, reasonMissing } from './opened.ts'
import type { OperationName } from './operations.ts'
import { subjectOf } from './place-of.ts'
import { acrossPlaces, byToken, table } from './roles.ts'
import { inScope } from './scope.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'

/**
 * The subject of a request the actor may make. Else a Failure: `unauthenticated` without an identity,
 * `forbidden` for those who have to do with the place and lack the operation, `notFound` for everyone else, with
 * the same body for "not there" and "not yours". Support staff and super admins without a reason in the place are `forbidden` with the reason
 * `reason` where the reason would do. A key whose scope is too narrow is `forbidden` wherever it asks.
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
  // First, and also for what anyone may do: nobody's own right makes up for what the key was not given.
  if (!inScope(actor, operation))
    throw new Failure('forbidden', { say: 'The scope of this key does not cover this.' })
  const subject = byToken.has(operation) ? noSubject : await subjectOf(ctx, params, data)
  if (!subject) throw new Failure('notFound')
  if (isOpen) return subject
  const grants = await grantsIfNeeded(ctx, operation, subject)
  if (isAllowed(actor, operation, subject, grants)) return subject
  if (subject.placeId === null && acrossPlaces.has(operation) && placesWhere(actor, operation, grants).length)
    return subject
  if (subject.placeId !== null && needsReason(actor, subject.placeId))
    if (grants.get(actor.user?.role ?? '')?.has(operation)) {
      if (await isPlace(ctx, subject.placeId)) throw reasonMissing()
      // Of no place: the endpoint says so in its own words.
      return subject
    }
  if (!isOwnSignIn(actor) && table[operation].some((who) => who === 'self' || who === 'signedIn'))
    throw new Failure('forbidden', {
      say: 'You are signed in by your organization. This takes the password of your own account.',
      reason: 'ownSignIn',
    })
  const mayKnow = subject.placeId === null ? !hidesPeople(operation, subject) : knows(actor, subject.placeId)
  throw new Failure(mayKnow ? 'forbidden' : 'notFound')
}

/** Whether there is a place of this id, also one that was deleted. */
async function isPlace({ db }: Context, id: string): Promise<boolean> {
  const row = await db.selectFrom('place').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** Whether a user exists is told only to those who may see users. */
function hidesPeople(operation: OperationName, subject: PermissionSubject): boolean {
  return subject.userId !== null && operation.startsWith('user.')
}

/** The database is asked for the grants only when a role decides. */
async function grantsIfNeeded(ctx: Context, operation: OperationName, subject: PermissionSubject) {
  const needsNoRole =
    table[operation].includes('signedIn') || isAllowed(ctx.actor, operation, subject, new Map())
  return needsNoRole ? new Map<string, ReadonlySet<string>>() : grantsOf(ctx)
}

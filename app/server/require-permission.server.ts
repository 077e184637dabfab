import { redirect, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { OperationName } from '#functions/domain/access/operations.ts'
import { isKnown } from '#functions/domain/access/grants.ts'
import { needsReason } from '#functions/domain/access/opened.ts'
import { describeWhoMay } from '#functions/domain/access/who-may.ts'
import { Failure } from '#functions/errors.ts'
import { reasonFor, toDetailedErrorResponse } from './load.server.ts'
import { guard, hasPermission } from './session.server.ts'

/**
 * The guard of a screen of a place that changes something. Without permission the person is redirected to `reading`, which shows the
 * same thing and says who may change it; without such a screen they get the error view. This spares a person the form; the endpoint
 * enforces the permission.
 */
export async function requirePermission(
  args: LoaderFunctionArgs,
  operation: OperationName,
  reading?: string,
) {
  const person = guard(args, 'withPlace')
  await requirePermissionIn(args, operation, person.placeId, reading)
  return person
}

/** The same for a thing that may belong to another place than the active one. Requires a guard before it. */
export async function requirePermissionIn(
  args: LoaderFunctionArgs,
  operation: OperationName,
  placeId: string,
  reading?: string,
): Promise<void> {
  const { ctx } = args.context
  if (hasPermission(ctx, operation, placeId)) return
  // Their role may apply once they have said why they open the place.
  if (placeId === ctx.placeId && needsReason(ctx.actor, placeId))
    throw redirect(reasonFor(new URL(args.request.url)))
  if (reading !== undefined) throw toReading(reading, placeId === ctx.placeId ? operation : notOwnReason)
  throw await toDetailedErrorResponse(new Failure('forbidden', { lacks: { operation, placeId } }), args)
}

/** The guard of a read-only screen for organization admins. `does`: what it lets them do, as part of a sentence. */
export async function requireAdmin(args: LoaderFunctionArgs, does: string) {
  const person = guard(args, 'withPlace')
  const { placeId } = person
  if (hasPermission(args.context.ctx, 'place.update')) return person
  throw await toDetailedErrorResponse(
    new Failure('forbidden', { lacks: { operation: 'place.update', placeId, does } }),
    args,
  )
}

const notYours =
  'This is not your organization’s, so you read it here. Its own people may change it; what is official only super admins.'

/** The value of `refused` in the URL, in place of an operation, if the thing belongs to another organization or to all. */
const notOwnReason = 'ofOthers'

/** Redirects to the read-only screen of a thing that is not the person's organization's, and so cannot be changed by them in any role. */
export const toReadingOfOthers = (reading: string): Response => toReading(reading, notOwnReason)

const toReading = (reading: string, reason: string): Response => redirect(`${reading}?refused=${reason}`)

/** The message on a read-only screen after a redirect from an editing one: who may change it. Null without such a redirect. */
export async function findRefusalMessage(args: LoaderFunctionArgs): Promise<string | null> {
  const { ctx } = args.context
  const operation = new URL(args.request.url).searchParams.get('refused')
  if (operation === null || !ctx.actor.user || ctx.placeId === null) return null
  if (operation === notOwnReason) return notYours
  if (!isKnown(operation) || hasPermission(ctx, operation)) return null
  const who = await describeWhoMay(ctx, operation, ctx.placeId).catch(() => null)
  return who === null ? null : `You can read this here. ${who}`
}

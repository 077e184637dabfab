import { redirect, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { OperationName } from '#functions/domain/access/operations.ts'
import { isKnown } from '#functions/domain/access/grants.ts'
import { sayWhoMay } from '#functions/domain/access/whoMay.ts'
import { Failure } from '#functions/errors.ts'
import { refusalOf } from './load.server.ts'
import { guard, may } from './session.server.ts'

/**
 * The guard of a screen in a place that is there to change something. Who may not is led to `reading`, where the same thing is
 * read and one sentence says who may change it; without such a screen they get the error view, which says so too. It spares a
 * person the form; the endpoint protects.
 */
export async function requireMay(args: LoaderFunctionArgs, operation: OperationName, reading?: string) {
  const person = guard(args, 'withPlace')
  await requireMayIn(args, operation, person.placeId, reading)
  return person
}

/** The same for a thing that need not be of the place one works in. Needs a guard before it. */
export async function requireMayIn(
  args: LoaderFunctionArgs,
  operation: OperationName,
  placeId: string,
  reading?: string,
): Promise<void> {
  const { ctx } = args.context
  if (may(ctx, operation, placeId)) return
  if (reading !== undefined) throw toReading(reading, placeId === ctx.placeId ? operation : ofOthers)
  throw await refusalOf(new Failure('forbidden', { lacks: { operation, placeId } }), args)
}

/**
 * The guard of a screen for organization admins that only shows something. `does`: what it lets them do, as it stands in a sentence.
 */
export async function requireAdmin(args: LoaderFunctionArgs, does: string) {
  const person = guard(args, 'withPlace')
  const { placeId } = person
  if (may(args.context.ctx, 'place.update')) return person
  throw await refusalOf(
    new Failure('forbidden', { lacks: { operation: 'place.update', placeId, does } }),
    args,
  )
}

const notYours =
  'This is not your organization’s, so you read it here. Its own people may change it; what is official only super admins.'

/** What an address says in place of an operation where the thing is of another organization, or of all. */
const ofOthers = 'ofOthers'

/** Leads to where something is read that is not the reader's organization's, and so is not changed here whatever their role. */
export const toReadingOfOthers = (reading: string): Response => toReading(reading, ofOthers)

const toReading = (reading: string, reason: string): Response => redirect(`${reading}?refused=${reason}`)

/** What stands above a screen that someone was led to who wanted to change what it shows: who may. Null where nothing was refused. */
export async function refusedIn(args: LoaderFunctionArgs): Promise<string | null> {
  const { ctx } = args.context
  const operation = new URL(args.request.url).searchParams.get('refused')
  if (operation === null || !ctx.actor.user || ctx.placeId === null) return null
  if (operation === ofOthers) return notYours
  if (!isKnown(operation) || may(ctx, operation)) return null
  const who = await sayWhoMay(ctx, operation, ctx.placeId).catch(() => null)
  return who === null ? null : `You can read this here. ${who}`
}

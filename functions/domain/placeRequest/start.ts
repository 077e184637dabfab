import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { record } from '#functions/domain/activity/activity.ts'
import { limits, spend } from '#functions/domain/identity/attempts.ts'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { findById, insertPlace } from '#functions/domain/place/places.ts'
import { actIn } from '#functions/domain/place/placeUsers.ts'
import { Failure } from '#functions/errors.ts'
import { mailDomainOf } from '#functions/shapes/domain.ts'
import { placesOpenTo } from './byAddress.ts'
import { isLookAlike } from '#functions/shapes/placeId.ts'
import { mostStarted, type NewStart, type StartTerms } from '#functions/shapes/placeRequest.ts'
import type { Db, Tx } from '#db/schema.ts'

const firstRole = 'organization_admin'

/** Whether the actor may make an organization, ask for one, or neither, and why. */
export async function startTerms(ctx: Context): Promise<StartTerms> {
  const user = personOf(ctx)
  const { by, domains } = ctx.settings.organizations ?? { by: 'invitation' as const, domains: [] }
  const left = Math.max(0, mostStarted - (await countStarted(ctx.db, user.id)))
  const isOfDomain = domains.includes(mailDomainOf(user.email) ?? '')
  const why = !user.verified
    ? 'unconfirmed'
    : by === 'invitation' || (by === 'domain' && !isOfDomain)
      ? by
      : left === 0
        ? 'limit'
        : null
  const open = await ctx.transaction((tx) => placesOpenTo(tx, ctx))
  return { by, domains, may: why ? null : by === 'approval' ? 'ask' : 'start', why, left, open }
}

/**
 * Makes an organization of the actor's own, of which they are the administrator. Its id is permanent. Failure `forbidden` where the
 * operator lets them not (as `startTerms` says), `conflict` (path `id`) for an id that is or was another's, or may be taken for it,
 * `tooMany` after many tries.
 */
export async function start(ctx: Context, { data, ...request }: NounRequest<unknown, NewStart>) {
  const user = await requireTerms(ctx, 'start')
  await spend(ctx, limits.placeStart(user.id))
  await write(ctx, (tx) => startPlace(tx, ctx, data, user))
  return findById(ctx, { ...request, data, options: {}, params: { placeId: data.id } })
}

/**
 * Makes a place for a person and makes them its administrator, in one transaction. Who makes it may be another. Failure `conflict`
 * for the id (path `id`) or for a person who has made as many as one may.
 */
export async function startPlace(
  tx: Tx,
  ctx: Context,
  { id, name, timeZone }: NewStart,
  person: { id: string; name: string },
): Promise<void> {
  await lockIds(tx)
  if ((await countStarted(tx, person.id)) >= mostStarted)
    throw new Failure('conflict', { say: `A person makes at most ${mostStarted} organizations.` })
  await requireFreeId(tx, id)
  // Nobody is in a place that is not there yet; an id that another has is refused before anything is written in it.
  await actIn(tx, id)
  await insertPlace(tx, ctx, { id, name, ...(timeZone !== undefined && { timeZone }) }, person.id)
  await tx.insertInto('placeUser').values({ placeId: id, userId: person.id, role: firstRole }).execute()
  const entry = { verb: 'joined' as const, type: 'user', id: person.id, name: person.name, placeId: id }
  await record(tx, ctx, entry, person.id)
}

/** Who signed in, as a person. Failure `unauthenticated` for what is none. */
export function personOf({ actor: { user } }: Context) {
  if (!user) throw new Failure('unauthenticated')
  return user
}

/** The actor, where the operator lets them do this. Failure `forbidden` that says why not. */
export async function requireTerms(ctx: Context, step: 'start' | 'ask') {
  const { may, why, domains } = await startTerms(ctx)
  if (may === step) return personOf(ctx)
  const say = why
    ? `${saysWhyNot[why]}${why === 'domain' ? ` It takes an address of ${domains.join(' or ')}.` : ''}`
    : may === 'ask'
      ? 'An organization is made here once a super admin has agreed: ask for yours.'
      : 'You need not ask: make your organization at once.'
  throw new Failure('forbidden', { say })
}

const saysWhyNot = {
  unconfirmed: 'Please confirm your e-mail address first.',
  invitation: 'Organizations are made by the people who run this installation, who invite you into one.',
  domain: 'Your e-mail address is of none of the domains that may make an organization here.',
  limit: `You have made ${mostStarted} organizations, which is as many as one may.`,
}

/**
 * Failure `conflict` (path `id`) for an id that a place has or had, or that may be taken for it. Hold `lockIds` where it is to stay
 * free.
 */
export async function requireFreeId(db: Db | Tx, id: string): Promise<void> {
  // An id is given once: closed places and those that are gone for good count as well.
  const takenIds = db
    .selectFrom('place')
    .select('id')
    .union(db.selectFrom('closedPlace').select('placeId as id'))
  const near = await db
    .selectFrom(takenIds.as('known'))
    .select('id')
    .where(sql<boolean>`abs(length(replace(id, 'rn', 'm')) - length(replace(${id}, 'rn', 'm'))) <= 1`)
    .execute()
  const alike = near.find((place) => isLookAlike(place.id, id))
  if (!alike) return
  const message =
    alike.id === id ? 'This is or was the id of another organization.' : 'This is too much like another id.'
  throw new Failure('conflict', { say: message, issues: [{ path: ['id'], value: id, message }] })
}

/** Has those who make organizations do so one after the other, so that no two ids are alike and nobody makes too many. */
async function lockIds(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('ids of places', 0))`.execute(tx)
}

/** How many organizations that exist the person has made. */
async function countStarted(db: Db | Tx, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('place')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('createdBy', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#functions/context.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { limits, countAttempt } from '#functions/domain/identity/attempts.ts'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { findById, insertPlace } from '#functions/domain/place/places.ts'
import { allowWritesIn } from '#functions/domain/place/place-users.ts'
import { Failure } from '#functions/errors.ts'
import { parseMailDomain } from '#functions/shapes/domain.ts'
import { placesOpenTo } from './join-by-domain.ts'
import { isLookAlike, lookAlikes } from '#functions/shapes/place-id.ts'
import { maxStarted, type NewStart, type StartTerms } from '#functions/shapes/place-request.ts'
import type { Db, Tx } from '#db/schema.ts'

const firstRole = 'organization_admin'

/** Whether the actor may create an organization, request one, or neither, and why. */
export async function startTerms(ctx: Context): Promise<StartTerms> {
  const user = requirePerson(ctx)
  const { by, domains } = ctx.settings.organizations ?? { by: 'invitation' as const, domains: [] }
  const left = Math.max(0, maxStarted - (await countStarted(ctx.db, user.id)))
  const isOfDomain = domains.includes(parseMailDomain(user.email) ?? '')
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
 * Creates an organization of the actor's own, with the actor as administrator. Its id is permanent. Failure `forbidden`
 * where the operator does not permit it (see `startTerms`), `conflict` (path `id`) for an id that is or was in use, or
 * is confusingly similar to one, `tooMany` after many attempts.
 */
export async function start(ctx: Context, { data, ...request }: NounRequest<unknown, NewStart>) {
  const user = await requireTerms(ctx, 'start')
  await countAttempt(ctx, limits.placeStart(user.id))
  await write(ctx, (tx) => startPlace(tx, ctx, data, user))
  return findById(ctx, { ...request, data, options: {}, params: { placeId: data.id } })
}

/**
 * Creates a place and makes a person its administrator, in one transaction. The actor may be someone else. Failure
 * `conflict` for the id (path `id`) or for a person who has reached the limit of organizations.
 */
export async function startPlace(
  tx: Tx,
  ctx: Context,
  { id, name, timeZone }: NewStart,
  person: { id: string; name: string },
): Promise<void> {
  await lockIds(tx)
  if ((await countStarted(tx, person.id)) >= maxStarted)
    throw new Failure('conflict', { message: `A person makes at most ${maxStarted} organizations.` })
  await requireFreeId(tx, id)
  // The actor has no access to a place that does not exist yet; a taken id is rejected before anything is written in
  // it.
  await allowWritesIn(tx, id)
  await insertPlace(tx, ctx, { id, name, ...(timeZone !== undefined && { timeZone }) }, person.id)
  await tx.insertInto('placeUser').values({ placeId: id, userId: person.id, role: firstRole }).execute()
  const entry = { verb: 'joined' as const, type: 'user', id: person.id, name: person.name, placeId: id }
  await recordActivity(tx, ctx, entry, person.id)
}

/** The signed-in person. Failure `unauthenticated` without one. */
export function requirePerson({ actor: { user } }: Context) {
  if (!user) throw new Failure('unauthenticated')
  return user
}

/** The actor, if the operator permits this step. Failure `forbidden` with the reason otherwise. */
export async function requireTerms(ctx: Context, step: 'start' | 'ask') {
  const { may, why, domains } = await startTerms(ctx)
  if (may === step) return requirePerson(ctx)
  const message = why
    ? `${saysWhyNot[why]}${why === 'domain' ? ` It takes an address of ${domains.join(' or ')}.` : ''}`
    : may === 'ask'
      ? 'An organization is made here once a super admin has agreed: ask for yours.'
      : 'You need not ask: make your organization at once.'
  throw new Failure('forbidden', { message })
}

const saysWhyNot = {
  unconfirmed: 'Please confirm your e-mail address first.',
  invitation: 'Organizations are made by the people who run this installation, who invite you into one.',
  domain: 'Your e-mail address is of none of the domains that may make an organization here.',
  limit: `You have made ${maxStarted} organizations, which is as many as one may.`,
}

/**
 * Failure `conflict` (path `id`) for an id that is or was in use, or is confusingly similar to one. Requires `lockIds`
 * where it has to stay free.
 */
export async function requireFreeId(db: Db | Tx, id: string): Promise<void> {
  // Ids are never reused: closed and purged places count as well.
  const takenIds = db
    .selectFrom('place')
    .select('id')
    .union(db.selectFrom('closedPlace').select('placeId as id'))
  const near = await db
    .selectFrom(takenIds.as('known'))
    .select('id')
    .where(
      sql<boolean>`(abs(length(id) - length(${id}::text)) <= 1
        or abs(length(${replaceLookAlikes(sql.ref('id'))}) - length(${replaceLookAlikes(sql`${id}::text`)})) <= 1)`,
    )
    .execute()
  const alike = near.find((place) => isLookAlike(place.id, id))
  if (!alike) return
  const message =
    alike.id === id ? 'This is or was the id of another organization.' : 'This is too much like another id.'
  throw new Failure('conflict', { message, issues: [{ path: ['id'], value: id, message }] })
}

/** An id as `isLookAlike` sees it, for its length. */
function replaceLookAlikes(id: RawBuilder<unknown>): RawBuilder<string> {
  const { characters, pairs } = lookAlikes
  return pairs.reduce(
    (text, [pair, character]) => sql<string>`replace(${text}, ${pair}, ${character})`,
    sql<string>`translate(${id}, ${characters.from}, ${characters.to})`,
  )
}

/** Serialises the creation of organizations, so that no two ids are similar and nobody exceeds the limit. */
async function lockIds(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('ids of places', 0))`.execute(tx)
}

/** The number of existing organizations that the person has created. */
async function countStarted(db: Db | Tx, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('place')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('createdBy', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

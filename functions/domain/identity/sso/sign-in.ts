import { sql } from 'kysely'
import * as v from 'valibot'
import type { Context } from '#functions/context.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { allowWritesIn } from '#functions/domain/place/place-users.ts'
import { Failure } from '#functions/errors.ts'
import { Email } from '#functions/shapes/auth.ts'
import { parseMailDomain } from '#functions/shapes/domain.ts'
import { PersonName } from '#functions/shapes/options.ts'
import type { FinishedSso, FinishSso, SsoMatches, StartedSso, StartSso } from '#functions/shapes/sso.ts'
import type { Tx } from '#db/schema.ts'
import { limits, refund, countAttempt } from '../attempts.ts'
import { sessionCookie } from '../cookie.ts'
import { deleteOpenSignUp, readAddressState } from '../email-change.ts'
import { newSession, open, start as startSession } from '../library.ts'
import { recordOwn } from '../own-activity.ts'
import { safeRedirect } from '../redirect.ts'
import { storeAttempt, storePendingLink, consumeAttempt } from './attempt-cookie.ts'
import {
  recordAttempt,
  findPlaceProvider,
  getRedirectUri,
  setSsoSubject,
  decryptProviderSecret,
  type PlaceProvider,
} from './place-provider.ts'
import {
  authorizationUrl,
  discover,
  identify,
  newAttempt,
  ProviderError,
  type ProviderIdentity,
} from './provider.ts'

/**
 * Duration of a single sign-on session. It is not renewed, so that someone who left the organization is out
 * within a day.
 */
const sessionHours = 24

/**
 * The places whose provider signs in addresses of this mail domain, by name. Empty for every other address.
 */
export async function find(ctx: Context, { data }: { data: { email: string } }): Promise<SsoMatches> {
  await countAttempt(ctx, limits.sso(ctx))
  const domain = parseMailDomain(data.email)
  if (domain === null) return { results: [] }
  const results = await ctx.transaction(async (tx) => {
    await setSsoSubject(tx, domain)
    const mailDomains = await tx
      .selectFrom('mailDomain')
      .select('placeId')
      .where('domain', '=', domain)
      .where('verifiedAt', 'is not', null)
      .orderBy('placeId')
      .limit(20)
      .execute()
    const rows: SsoMatches['results'] = []
    for (const { placeId } of mailDomains) {
      const provider = await findPlaceProvider(tx, placeId)
      if (provider) rows.push({ placeId, placeName: provider.placeName, name: provider.name })
    }
    return rows
  })
  return { results }
}

/**
 * Starts a sign-in by the provider of a place: returns the URL to redirect to, and stores the expected
 * parameters in an encrypted cookie. Undefined: the place has no single sign-on. Failure `unavailable` where
 * the provider does not respond properly.
 */
export async function start(ctx: Context, { data }: { data: StartSso }): Promise<StartedSso | undefined> {
  await countAttempt(ctx, limits.sso(ctx))
  const provider = await ctx.transaction((tx) => findPlaceProvider(tx, data.placeId))
  if (!provider) return undefined
  const attempt = newAttempt(data.isAgain ?? false)
  try {
    const server = await discover(ctx, provider.issuer)
    const url = await authorizationUrl(server, provider, attempt, getRedirectUri(ctx))
    await storeAttempt(ctx, {
      ...attempt,
      placeId: provider.placeId,
      issuer: provider.issuer,
      redirectTo: safeRedirect(data.redirectTo ?? null),
      at: ctx.now().getTime(),
    })
    return { url }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    await recordAttempt(ctx, provider.placeId, error.message)
    const message = `The sign-in of ${provider.placeName} cannot be reached. Its administrators see why.`
    throw new Failure('unavailable', { message, cause: error })
  }
}

/**
 * Completes a sign-in with the query of the provider's redirect. Creates a session for a person who is known
 * by issuer and subject, or is new and has an address of a proved mail domain; it gives access to this place
 * only. An address that has an account can only be connected by its owner: then nobody is signed in and the
 * outcome is `link`. Failure `unauthenticated` otherwise.
 */
export async function finish(ctx: Context, { data }: { data: FinishSso }): Promise<FinishedSso> {
  const going = await consumeAttempt(ctx)
  if (!going) throw refusal('Signing in took too long, or began in another browser. Please begin again.')
  const tries = limits.sso(ctx)
  await countAttempt(ctx, tries)
  const provider = await ctx.transaction((tx) => findPlaceProvider(tx, going.placeId))
  if (provider?.issuer !== going.issuer) throw refusal('This organization has no such sign-in any more.')
  try {
    const secret = await decryptProviderSecret(ctx, provider)
    if (secret === null) throw new ProviderError('The secret cannot be read any more. Please enter it again.')
    const identity = await identify(
      ctx,
      { ...provider, secret },
      going,
      new URLSearchParams(data.query),
      getRedirectUri(ctx),
    )
    const outcome = await admit(ctx, provider, identity)
    await recordAttempt(ctx, provider.placeId, null)
    await refund(ctx, tries)
    return { outcome, redirectTo: safeRedirect(going.redirectTo) }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    await recordAttempt(ctx, provider.placeId, error.message)
    throw refusal(
      `${error.message} Please begin again, or ask an administrator of ${provider.placeName}.`,
      error,
    )
  }
}

/** Signs in the identified person, or asks the owner of the address to connect it first. */
async function admit(
  ctx: Context,
  provider: PlaceProvider,
  identity: ProviderIdentity,
): Promise<FinishedSso['outcome']> {
  const { placeId } = provider
  const { issuer, subject, provedAt } = identity
  const session = await ctx.accounts.transaction(async (tx) => {
    await setSsoSubject(tx, placeId)
    await lockIdentity(tx, { placeId, issuer, subject })
    const email = await provedEmail(tx, provider, identity)
    const userId =
      (await findPersonByIdentity(tx, provider, identity)) ??
      (await newPerson(tx, ctx, provider, identity, email))
    if (userId === null) {
      await storePendingLink(ctx, { placeId, issuer, subject, email, at: ctx.now().getTime() })
      return null
    }
    await recordOwn(tx, ctx, userId, 'signedIn')
    const { auth } = await open(ctx, tx)
    const session = await newSession(auth, ctx, userId)
    return tx
      .updateTable('session')
      .set({
        ssoPlaceId: placeId,
        provedAt,
        expiresAt: sql<Date>`now() + make_interval(hours => ${sessionHours})`,
      })
      .where('id', '=', session.id)
      .returning(['id', 'userId', 'token', 'expiresAt', 'ssoPlaceId'])
      .executeTakeFirstOrThrow()
  })
  if (!session) return 'link'
  await startSession(ctx, session, await sessionCookie(session.token, ctx.settings))
  return 'signedIn'
}

/**
 * Serialises sign-ins of the same identity in other browsers or tabs until the transaction ends, so that it
 * gets one account, connected once.
 */
export async function lockIdentity(
  tx: Tx,
  { placeId, issuer, subject }: Record<'placeId' | 'issuer' | 'subject', string>,
): Promise<void> {
  const name = `sso ${placeId} ${issuer} ${subject}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/**
 * The identity's address, which must be of a mail domain that the place has proved. Throws a ProviderError
 * for any other.
 */
async function provedEmail(tx: Tx, { placeId }: PlaceProvider, { email }: ProviderIdentity): Promise<string> {
  const read = v.safeParse(Email, email)
  if (!read.success) throw new ProviderError('The provider names no verified e-mail address of this person.')
  const mailDomain = await tx
    .selectFrom('mailDomain')
    .select('domain')
    .where('placeId', '=', placeId)
    .where('domain', '=', parseMailDomain(read.output) ?? '')
    .where('verifiedAt', 'is not', null)
    .executeTakeFirst()
  if (!mailDomain)
    throw new ProviderError(
      `The address ${read.output} is not of a mail domain that the organization has proved.`,
    )
  return read.output
}

/**
 * The person known by issuer and subject who is still in the place; undefined: nobody yet. Throws a
 * ProviderError for someone who may not sign in this way.
 */
async function findPersonByIdentity(
  tx: Tx,
  { placeId, placeName }: PlaceProvider,
  { issuer, subject }: ProviderIdentity,
): Promise<string | undefined> {
  const account = await tx
    .selectFrom('ssoIdentity')
    .innerJoin('user', 'user.id', 'ssoIdentity.userId')
    .leftJoin('placeUser', (join) =>
      join.onRef('placeUser.userId', '=', 'user.id').on('placeUser.placeId', '=', placeId),
    )
    .select(['ssoIdentity.id', 'user.id as userId', 'user.role as global', 'placeUser.placeId as member'])
    .where('ssoIdentity.placeId', '=', placeId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  if (!account) return undefined
  refuseGlobal(account.global)
  if (account.member === null) throw new ProviderError(`You are not in ${placeName} any more.`)
  await tx
    .updateTable('ssoIdentity')
    .set({ lastUsedAt: sql<Date>`now()` })
    .where('id', '=', account.id)
    .execute()
  return account.userId
}

/**
 * Creates an account for a new person, with the place's role for them. Null: the address has an account
 * already.
 */
async function newPerson(
  tx: Tx,
  ctx: Context,
  provider: PlaceProvider,
  { issuer, subject, name }: ProviderIdentity,
  email: string,
): Promise<string | null> {
  const holder = await tx.selectFrom('user').select('role').where('email', '=', email).executeTakeFirst()
  refuseGlobal(holder?.role)
  if ((await readAddressState(tx, email)) === 'taken') return null
  // An unconfirmed sign-up does not reserve the address against the organization whose mail it is.
  await deleteOpenSignUp(tx, email)
  const userId = crypto.randomUUID()
  const personName = v.safeParse(PersonName, name)
  await tx
    .insertInto('user')
    .values({
      id: userId,
      email,
      name: personName.success ? personName.output : email.slice(0, email.indexOf('@')).slice(0, 100),
      emailVerified: true,
      authMethod: 'sso',
      role: null,
      image: null,
      onboarding: JSON.stringify({ welcomed: true }),
    })
    .execute()
  await connect(tx, ctx, provider, { userId, issuer, subject })
  return userId
}

/**
 * Connects an identity with an account, and makes it a member of the place with the role for new people where
 * it is not one.
 */
export async function connect(
  tx: Tx,
  ctx: Context,
  { placeId, role }: Pick<PlaceProvider, 'placeId' | 'role'>,
  { userId, issuer, subject }: { userId: string; issuer: string; subject: string },
): Promise<void> {
  await sql`select set_config('app.user', ${userId}, true)`.execute(tx)
  await allowWritesIn(tx, placeId)
  await tx
    .insertInto('ssoIdentity')
    .values({ id: crypto.randomUUID(), placeId, issuer, subject, userId })
    .execute()
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('placeUser')
    .values({ placeId, userId, role })
    .onConflict((conflict) => conflict.columns(['placeId', 'userId']).doNothing())
    .executeTakeFirstOrThrow()
  if (!numInsertedOrUpdatedRows) return
  const { name } = await tx
    .selectFrom('user')
    .select('name')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  await recordActivity(tx, ctx, { verb: 'joined', type: 'user', id: userId, name, placeId }, userId)
}

/**
 * Throws a ProviderError for people with a global role, who sign in by their own password and second factor
 * only.
 */
function refuseGlobal(role: string | null | undefined): void {
  if (role) throw new ProviderError('Super admins and support sign in with their own password.')
}

const refusal = (sentence: string, cause?: unknown) =>
  new Failure('unauthenticated', { message: sentence, cause })

import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { createInputFailure, Failure } from '#functions/errors.ts'
import type { SignedIn } from '#functions/shapes/auth.ts'
import type { Db } from '#db/schema.ts'
import type { createAuth, Notice } from './auth.ts'
import {
  secondStepCookieName,
  sessionCookie,
  sessionCookieName,
  signCookieValue,
  tokenFrom,
} from './cookie.ts'
import { rememberDevice } from './devices.ts'
import { accountExistsEmail } from './emails.ts'
import { readSignedInState } from './state.ts'

export type Auth = Awaited<ReturnType<typeof createAuth>>

/** The auth library on this database, and the notices it collects. */
export async function open(ctx: Context, db: Db): Promise<{ auth: Auth; notices: Notice[] }> {
  const { createAuth } = await import('./auth.ts')
  const notices: Notice[] = []
  return { auth: await createAuth(db, ctx.settings, (notice) => notices.push(notice)), notices }
}

/**
 * Headers for the library: without cookies, so that it always creates a new session, and without host or
 * forwarding headers.
 */
export function buildLibraryHeaders({ request }: Context): Headers {
  const headers = new Headers({ 'user-agent': (request.headers.get('user-agent') ?? '').slice(0, 400) })
  if (request.ip) headers.set('cf-connecting-ip', request.ip)
  return headers
}

/** The same with the actor's session, for what the library does for a signed-in person. */
export async function headersInSession(ctx: Context): Promise<Headers> {
  const headers = buildLibraryHeaders(ctx)
  const cookie = ctx.actor.session && (await sessionCookie(ctx.actor.session.token, ctx.settings))
  if (cookie) headers.set('cookie', cookie.split(';')[0] ?? '')
  return headers
}

/**
 * The same with the cookie between password and second factor, signed again because the library only accepts
 * the current secret.
 */
export async function headersBetweenSteps(ctx: Context): Promise<Headers> {
  const headers = buildLibraryHeaders(ctx)
  await addSigned(ctx, headers, secondStepCookieName(ctx.settings))
  return headers
}

/** Adds a signed cookie of the request, signed again, to headers for the library. */
export async function addSigned(ctx: Context, headers: Headers, name: string): Promise<void> {
  const token = await tokenFrom(ctx.request.headers, ctx.settings, name)
  if (token === null) return
  const others = headers.get('cookie')
  const cookie = `${name}=${await signCookieValue(token, ctx.settings)}`
  headers.set('cookie', others ? `${others}; ${cookie}` : cookie)
}

/**
 * A cookie that the library's response sets, as `set-cookie` value, and the token in it; null: it sets none.
 */
export async function tokenSet(ctx: Context, headers: Headers, name: string) {
  const cookie = headers.getSetCookie().find((text) => text.startsWith(`${name}=`))
  if (!cookie) return null
  const cookieHeaders = new Headers({ cookie: cookie.split(';')[0] ?? '' })
  const token = await tokenFrom(cookieHeaders, ctx.settings, name)
  return token && { cookie, token }
}

/** Signs this browser in with the session in the library's response; null if there is none. */
export async function begin(ctx: Context, headers: Headers): Promise<SignedIn | null> {
  const set = await tokenSet(ctx, headers, sessionCookieName(ctx.settings))
  if (!set) return null
  const { cookie, token } = set
  // Signing in counts as a fresh proof of identity.
  const session = await ctx.accounts.db
    .updateTable('session')
    .set({ provedAt: ctx.now() })
    .where('token', '=', token)
    .returning(['id', 'userId', 'expiresAt'])
    .executeTakeFirstOrThrow()
  return start(ctx, session, cookie)
}

/** Creates a session for a person in this browser. It takes effect once `start` has set its cookie. */
export async function newSession(auth: Auth, ctx: Context, userId: string) {
  const { internalAdapter } = await auth.$context
  const userAgent = buildLibraryHeaders(ctx).get('user-agent') ?? ''
  return internalAdapter.createSession(userId, false, { ipAddress: ctx.request.ip ?? '', userAgent })
}

/** Sets the cookie of a new session and ends the one this browser had. */
export async function start(
  ctx: Context,
  session: { id: string; userId: string; expiresAt: Date; ssoPlaceId?: string | null },
  cookie: string,
): Promise<SignedIn> {
  await endPresent(ctx)
  ctx.responseHeaders.append('set-cookie', cookie)
  // The request began as someone else, but pending invitations are only visible to this person.
  return ctx.accounts.transaction(async (tx) => {
    await sql`select set_config('app.user', ${session.userId}, true)`.execute(tx)
    await rememberDevice(tx, ctx, session.userId)
    return readSignedInState(tx, session)
  })
}

/** Ends the session this request came with, if any. */
export async function endPresent(ctx: Context): Promise<void> {
  if (ctx.actor.session) await ctx.db.deleteFrom('session').where('id', '=', ctx.actor.session.id).execute()
}

/**
 * Queues the emails of notices; call it after the commit. Password changes send their own email, which lists
 * the keys.
 */
export async function sendNotices(ctx: Context, notices: Notice[]): Promise<void> {
  const { settings } = ctx
  for (const { user } of notices) await ctx.sendMail(accountExistsEmail(user.email, settings))
}

/** The code of an error thrown by the library; null for any other error. */
export function findErrorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('body' in error)) return null
  const { body } = error
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : null
}

/** Whether the library failed because the session does not exist. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof Error &&
  'statusCode' in error &&
  error.statusCode === 401 &&
  [null, 'UNAUTHORIZED'].includes(findErrorCode(error))

const tokenCodes = ['INVALID_TOKEN', 'TOKEN_EXPIRED', 'USER_NOT_FOUND', 'INVALID_USER']

/**
 * The Failure for an error code of the library; the error itself where there is none, which is reported as
 * ours.
 */
export function toFailure(code: string | null, error: unknown): unknown {
  if (code === 'INVALID_EMAIL_OR_PASSWORD')
    return new Failure('unauthenticated', {
      message: 'The e-mail address or the password is not right.',
      cause: error,
    })
  if (code === 'EMAIL_NOT_VERIFIED')
    return new Failure('forbidden', { message: 'Please confirm your e-mail address first.', cause: error })
  return code !== null && tokenCodes.includes(code) ? createLinkFailure(error) : error
}

/** Failure `invalid` (path `token`) for a link that was used, replaced, has expired or never existed. */
export function createLinkFailure(cause?: unknown): Failure {
  return createInputFailure(
    'token',
    'This link has been used or is too old. Please ask for a new one.',
    cause,
  )
}

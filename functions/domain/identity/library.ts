import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { SignedIn } from '#functions/shapes/auth.ts'
import type { Db } from '#db/schema.ts'
import type { createAuth, Notice } from './auth.ts'
import { secondStepCookieName, sessionCookie, sessionCookieName, signedValue, tokenFrom } from './cookie.ts'
import { rememberDevice } from './devices.ts'
import { accountExistsEmail } from './emails.ts'
import { signedIn } from './state.ts'

export type Auth = Awaited<ReturnType<typeof createAuth>>

/** The library on this database, and what it wants told, collected. */
export async function open(ctx: Context, db: Db): Promise<{ auth: Auth; notices: Notice[] }> {
  const { createAuth } = await import('./auth.ts')
  const notices: Notice[] = []
  return { auth: await createAuth(db, ctx.settings, (notice) => notices.push(notice)), notices }
}

/** The headers the library may see: no cookie, so that it always makes a new session; no host, no forwarding. */
export function headersOf({ request }: Context): Headers {
  const headers = new Headers({ 'user-agent': (request.headers.get('user-agent') ?? '').slice(0, 400) })
  if (request.ip) headers.set('cf-connecting-ip', request.ip)
  return headers
}

/** The same with the session of who asks: for what the library does for a person who is signed in. */
export async function headersInSession(ctx: Context): Promise<Headers> {
  const headers = headersOf(ctx)
  const cookie = ctx.actor.session && (await sessionCookie(ctx.actor.session.token, ctx.settings))
  if (cookie) headers.set('cookie', cookie.split(';')[0] ?? '')
  return headers
}

/** The same with the cookie of a sign-in whose second step is to come, signed anew: the library takes the present secret alone. */
export async function headersBetweenSteps(ctx: Context): Promise<Headers> {
  const headers = headersOf(ctx)
  await addSigned(ctx, headers, secondStepCookieName(ctx.settings))
  return headers
}

/** Adds a signed cookie of the request to headers for the library, signed anew. */
export async function addSigned(ctx: Context, headers: Headers, name: string): Promise<void> {
  const token = await tokenFrom(ctx.request.headers, ctx.settings, name)
  if (token === null) return
  const others = headers.get('cookie')
  const cookie = `${name}=${await signedValue(token, ctx.settings)}`
  headers.set('cookie', others ? `${others}; ${cookie}` : cookie)
}

/** A cookie that the library's answer sets, as `set-cookie` text, and the token in it; null: it sets none. */
export async function tokenSet(ctx: Context, headers: Headers, name: string) {
  const cookie = headers.getSetCookie().find((text) => text.startsWith(`${name}=`))
  if (!cookie) return null
  const sent = new Headers({ cookie: cookie.split(';')[0] ?? '' })
  const token = await tokenFrom(sent, ctx.settings, name)
  return token && { cookie, token }
}

/** Signs this browser in with the session that the library's answer carries. Null if it carries none. */
export async function begin(ctx: Context, headers: Headers): Promise<SignedIn | null> {
  const set = await tokenSet(ctx, headers, sessionCookieName(ctx.settings))
  if (!set) return null
  const { cookie, token } = set
  // Who signs in has proved by all they have that it is them.
  const session = await ctx.accounts.db
    .updateTable('session')
    .set({ provedAt: ctx.now() })
    .where('token', '=', token)
    .returning(['id', 'userId', 'expiresAt'])
    .executeTakeFirstOrThrow()
  return start(ctx, session, cookie)
}

/** Makes a session of a person in this browser. It counts once `start` has set its cookie. */
export async function newSession(auth: Auth, ctx: Context, userId: string) {
  const { internalAdapter } = await auth.$context
  const userAgent = headersOf(ctx).get('user-agent') ?? ''
  return internalAdapter.createSession(userId, false, { ipAddress: ctx.request.ip ?? '', userAgent })
}

/** Sets the cookie of a new session, and ends the one this browser had. */
export async function start(
  ctx: Context,
  session: { id: string; userId: string; expiresAt: Date; ssoPlaceId?: string | null },
  cookie: string,
): Promise<SignedIn> {
  await endPresent(ctx)
  ctx.responseHeaders.append('set-cookie', cookie)
  // The request began as someone else; what waits for this person only they may read.
  return ctx.accounts.transaction(async (tx) => {
    await sql`select set_config('app.user', ${session.userId}, true)`.execute(tx)
    await rememberDevice(tx, ctx, session.userId)
    return signedIn(tx, session)
  })
}

/** Ends the session this request came with, if any. */
export async function endPresent(ctx: Context): Promise<void> {
  if (ctx.actor.session) await ctx.db.deleteFrom('session').where('id', '=', ctx.actor.session.id).execute()
}

/** Writes the emails, once what they are about is committed. Who changes a password says so itself: it knows the keys. */
export async function sendNotices(ctx: Context, notices: Notice[]): Promise<void> {
  const { settings } = ctx
  for (const { user } of notices) await ctx.sendMail(accountExistsEmail(user.email, settings))
}

/** The code of an error the library threw; null for any other error. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('body' in error)) return null
  const { body } = error
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : null
}

/** Whether the library refused because there is no such session. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof Error &&
  'statusCode' in error &&
  error.statusCode === 401 &&
  [null, 'UNAUTHORIZED'].includes(codeOf(error))

const tokenCodes = ['INVALID_TOKEN', 'TOKEN_EXPIRED', 'USER_NOT_FOUND', 'INVALID_USER']

/** What a person is told of an error the library threw. The error itself where we have no words: it is ours then. */
export function failureOf(code: string | null, error: unknown): unknown {
  if (code === 'INVALID_EMAIL_OR_PASSWORD')
    return new Failure('unauthenticated', {
      say: 'The e-mail address or the password is not right.',
      cause: error,
    })
  if (code === 'EMAIL_NOT_VERIFIED')
    return new Failure('forbidden', { say: 'Please confirm your e-mail address first.', cause: error })
  return code !== null && tokenCodes.includes(code) ? voidLink(error) : error
}

/** The refusal of a link that was used, is too old, was replaced by a later one or never was. */
export function voidLink(cause?: unknown): Failure {
  const message = 'This link has been used or is too old. Please ask for a new one.'
  return new Failure('invalid', { say: message, issues: [{ path: ['token'], message }], cause })
}

import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Settings } from '#functions/context.ts'
import type { Db } from '#db/schema.ts'
import {
  isSecure,
  passkeyCookieName,
  secondStepCookieName,
  sessionCookieName,
  sessionDays,
} from './cookie.ts'
import { librarySecrets } from './library-secrets.ts'
import { recoveryCodes } from './recovery-codes.ts'

/** Someone signed up with the address of this existing account. */
export interface Notice {
  user: { id: string; email: string; emailVerified: boolean }
}

export const minimumPassword = 10
export const maximumPassword = 128
const hour = 60 * 60
/** Longest time between password and second factor, in minutes. */
const secondStepMinutes = 10

/**
 * The auth library on our tables, for one request. `db` may be a transaction, so that everything one call
 * writes is committed or rolled back together. Notices are passed to the caller, so that no mail is sent
 * before the commit. Import this file with `await import`, so that public paths do not load it.
 */
export async function createAuth(db: Db, settings: Settings, notice: (notice: Notice) => void) {
  return betterAuth({ ...(await buildAuthOptions(db, settings, notice)), plugins: [secondFactor(settings)] })
}

/** The library's plugin for authenticator apps and recovery codes. */
export const secondFactor = (settings: Settings) =>
  twoFactor({
    issuer: 'Commonplace',
    twoFactorCookieMaxAge: secondStepMinutes * 60,
    backupCodeOptions: recoveryCodes(settings),
  })

/** The library's options without its plugins. */
export async function buildAuthOptions(db: Db, settings: Settings, notice: (notice: Notice) => void) {
  const origin = getAppOrigin(settings)
  return {
    appName: 'Commonplace',
    ...(await librarySecrets(settings)),
    baseURL: origin,
    trustedOrigins: [origin],
    database: { db, type: 'postgres', transaction: false },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      autoSignIn: false,
      minPasswordLength: minimumPassword,
      maxPasswordLength: maximumPassword,
      revokeSessionsOnPasswordReset: true,
      onExistingUserSignUp: async ({ user }) => notice({ user }),
    },
    // Not the library's own tokens, which are created when requested instead of when the email is sent: see
    // `email-tokens.ts`.
    emailVerification: { sendOnSignUp: false, sendOnSignIn: false },
    user: {
      additionalFields: {
        role: { type: 'string', required: false, input: false },
        authMethod: { type: 'string', required: false, input: false, defaultValue: 'password' },
      },
    },
    // How fresh a sign-in must be is decided in `access/step-up.ts`.
    session: { expiresIn: sessionDays * 24 * hour, freshAge: 0, cookieCache: { enabled: false } },
    verification: { storeIdentifier: 'hashed' },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    advanced: {
      useSecureCookies: false, // else the library puts `__Secure-` before our own prefix
      cookies: {
        session_token: {
          name: sessionCookieName(settings),
          attributes: { httpOnly: true, secure: isSecure(settings), sameSite: 'lax', path: '/' },
        },
        two_factor: {
          name: secondStepCookieName(settings),
          attributes: { httpOnly: true, secure: isSecure(settings), sameSite: 'lax', path: '/' },
        },
        passkey: {
          name: passkeyCookieName(settings),
          attributes: { httpOnly: true, secure: isSecure(settings), sameSite: 'lax', path: '/' },
        },
      },
      database: { generateId: () => crypto.randomUUID(), validateSchema: false },
      ipAddress: { ipAddressHeaders: ['cf-connecting-ip'] },
    },
  } satisfies BetterAuthOptions
}

/** The configured origin of the workspace. */
export const getAppOrigin = ({ scheme, appHost }: Settings): string => `${scheme}://${appHost}`

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

/** Who signed up and has an account already. */
export interface Notice {
  user: { id: string; email: string; emailVerified: boolean }
}

export const minimumPassword = 10
export const maximumPassword = 128
const hour = 60 * 60
/** How long one may take between the password and the second step. */
const secondStepMinutes = 10

/**
 * The auth library over our tables, for one request. `db` may be a transaction: then everything one call writes
 * stands or falls together. Notices are handed over instead of sent, so that no mail leaves before the commit.
 * Import this file with `await import`: public paths never pay for it.
 */
export async function createAuth(db: Db, settings: Settings, notice: (notice: Notice) => void) {
  return betterAuth({ ...(await optionsOf(db, settings, notice)), plugins: [secondFactor(settings)] })
}

/** Apps and recovery codes. */
export const secondFactor = (settings: Settings) =>
  twoFactor({
    issuer: 'Commonplace',
    twoFactorCookieMaxAge: secondStepMinutes * 60,
    backupCodeOptions: recoveryCodes(settings),
  })

/** All that the library is told but for its plugins. */
export async function optionsOf(db: Db, settings: Settings, notice: (notice: Notice) => void) {
  const origin = originOf(settings)
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
    // The library makes tokens when they are asked for, not when an email is sent: `email-tokens.ts` has our own.
    emailVerification: { sendOnSignUp: false, sendOnSignIn: false },
    user: {
      additionalFields: {
        role: { type: 'string', required: false, input: false },
        authMethod: { type: 'string', required: false, input: false, defaultValue: 'password' },
      },
    },
    // How old a proof may be is ours to say: `access/step-up.ts`.
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

/** The origin of the workspace, as it is configured. */
export const originOf = ({ scheme, appHost }: Settings): string => `${scheme}://${appHost}`

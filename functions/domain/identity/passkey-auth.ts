import { passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import type { Settings } from '#functions/context.ts'
import type { Db } from '#db/schema.ts'
import { buildAuthOptions, getAppOrigin, secondFactor } from './auth.ts'

export type PasskeyAuth = Awaited<ReturnType<typeof createPasskeyAuth>>

/**
 * The auth library with its passkey plugin, on this database. Import this file with `await import`: the
 * plugin is 325 kB, and most people sign in without a passkey.
 */
export async function createPasskeyAuth(db: Db, settings: Settings) {
  const origin = getAppOrigin(settings)
  return betterAuth({
    ...(await buildAuthOptions(db, settings, () => {})),
    plugins: [
      secondFactor(settings),
      passkey({
        rpName: 'Commonplace',
        rpID: new URL(origin).hostname,
        origin,
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        // The library requests user verification but accepts responses without it.
        registration: {
          afterVerification: async ({ verification }) => requireVerified(verification.registrationInfo),
        },
        authentication: {
          afterVerification: async ({ verification }) => requireVerified(verification.authenticationInfo),
        },
        schema: { passkey: { fields: { credentialID: 'credentialId' } } },
        advanced: { webAuthnChallengeCookie: 'passkey' },
      }),
    ],
  })
}

function requireVerified(info: { userVerified: boolean } | undefined): void {
  if (!info?.userVerified) throw new APIError('UNAUTHORIZED', { code: 'USER_NOT_VERIFIED' })
}

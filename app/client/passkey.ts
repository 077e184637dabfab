import { api, ApiError } from './api/index.ts'
import type { PasskeyCreation } from '#functions/shapes/passkey.ts'

/** Error messages by the name of the browser's error. */
const words: Record<string, string> = {
  NotAllowedError: 'No passkey was chosen, or it took too long. Please try again.',
  InvalidStateError: 'This device or app has a passkey of your account already.',
  SecurityError: 'Passkeys do not work at this address.',
  NotSupportedError: 'This device cannot make the kind of passkey that is needed.',
}

const old = 'This browser is too old for passkeys. Please use a newer one, or another second factor.'

/** Creates a passkey in the browser. Gives the credential as text for a form; throws an `Error` whose message is for people. */
export async function makePasskey({ publicKey }: PasskeyCreation): Promise<string> {
  return credentialText(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        publicKey as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  )
}

/**
 * Asks the browser for a passkey, of the signed-in person or of whoever is signing in. Gives the assertion as text for a form; throws
 * an `Error` whose message is for people.
 */
export async function usePasskey(during: 'session' | 'signIn'): Promise<string> {
  const { core } = api()
  const { publicKey } = await (during === 'session' ? core.passkey.challenge() : core.auth.askPasskey())
  return credentialText(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        publicKey as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  )
}

/** The message for an error of this module. */
export function describePasskeyError(error: unknown): string {
  return error instanceof ApiError || error instanceof Unfit
    ? error.message
    : 'The passkey could not be asked for. Please try again.'
}

class Unfit extends Error {}

async function credentialText(ask: () => Promise<Credential | null>): Promise<string> {
  if (!('PublicKeyCredential' in window) || !('parseRequestOptionsFromJSON' in PublicKeyCredential))
    throw new Unfit(old)
  try {
    return JSON.stringify(await ask())
  } catch (error) {
    throw new Unfit(
      words[error instanceof Error ? error.name : ''] ?? 'The browser could not use a passkey.',
      {
        cause: error,
      },
    )
  }
}

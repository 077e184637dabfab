import { api, ApiError } from './api/index.ts'
import type { PasskeyCreation } from '#functions/shapes/passkey.ts'

/** What of a passkey the browser said, in words for people. */
const words: Record<string, string> = {
  NotAllowedError: 'No passkey was chosen, or it took too long. Please try again.',
  InvalidStateError: 'This device or app has a passkey of your account already.',
  SecurityError: 'Passkeys do not work at this address.',
  NotSupportedError: 'This device cannot make the kind of passkey that is needed.',
}

const old = 'This browser is too old for passkeys. Please use a newer one, or another second factor.'

/** Has the browser make a passkey. Gives it as the text of a form; throws an `Error` with words for people. */
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
 * Asks for a passkey of who is signed in, or of who is signing in, and has the browser use it. Gives the answer as the text of a
 * form; throws an `Error` with words for people.
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

/** The sentence that says why it did not work. */
export function problemOf(error: unknown): string {
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

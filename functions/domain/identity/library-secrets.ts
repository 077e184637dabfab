import { acceptedSecrets, computeKeyId, type AuthSecrets } from '#functions/platform/auth-secrets.ts'

/**
 * The secrets in the form of the auth library: it signs and encrypts with the current one, and marks what it
 * encrypts with the secret's number (`$ba$<number>$…`). Older values without a number are decrypted with
 * `secret`: the previous one, if there is one.
 */
export async function librarySecrets(secrets: AuthSecrets) {
  const all = acceptedSecrets(secrets).map(async (value) => ({
    version: await computeSecretVersion(value),
    value,
  }))
  return { secret: secrets.previousAuthSecret ?? secrets.authSecret, secrets: await Promise.all(all) }
}

/** The prefix of texts that the library encrypts with this secret. */
export const libraryMark = async (secret: string): Promise<string> =>
  `$ba$${await computeSecretVersion(secret)}$`

/** The library's number of a secret. */
const computeSecretVersion = async (secret: string): Promise<number> =>
  parseInt(await computeKeyId(secret), 16)

/** Re-encrypts what the library encrypted with the current secret; null: neither secret decrypts it. */
export async function encryptLibrarySecretAgain(
  secrets: AuthSecrets,
  ciphertext: string,
): Promise<string | null> {
  const { formatEnvelope, symmetricEncrypt } = await import('better-auth/crypto')
  const text = await decryptSecret(secrets, ciphertext)
  if (text === null) return null
  const { authSecret } = secrets
  const bytes = await symmetricEncrypt({ key: authSecret, data: text })
  return formatEnvelope(await computeSecretVersion(authSecret), bytes)
}

/** Decrypts what the library encrypted with the current or previous secret; null: neither decrypts it. */
export async function decryptSecret(secrets: AuthSecrets, ciphertext: string): Promise<string | null> {
  const { parseEnvelope, symmetricDecrypt } = await import('better-auth/crypto')
  const envelope = parseEnvelope(ciphertext)
  for (const key of acceptedSecrets(secrets)) {
    if (envelope && envelope.version !== (await computeSecretVersion(key))) continue
    const data = envelope?.ciphertext ?? ciphertext
    const text = await symmetricDecrypt({ key, data }).catch(() => null)
    if (text !== null) return text
  }
  return null
}

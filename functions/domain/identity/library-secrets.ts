import { acceptedSecrets, keyIdOf, type AuthSecrets } from '#functions/platform/auth-secrets.ts'

/**
 * The secrets as the auth library takes them: it signs and encrypts with the present one, and what it encrypts says by a number
 * which of them it was (`$ba$<number>$…`). What it encrypted before it said so is read by the secret before, if there is one.
 */
export async function librarySecrets(secrets: AuthSecrets) {
  const all = acceptedSecrets(secrets).map(async (value) => ({ version: await versionOf(value), value }))
  return { secret: secrets.previousAuthSecret ?? secrets.authSecret, secrets: await Promise.all(all) }
}

/** How texts begin that the library encrypts with a secret. */
export const libraryMark = async (secret: string): Promise<string> => `$ba$${await versionOf(secret)}$`

/** The number by which the library knows a secret. */
const versionOf = async (secret: string): Promise<number> => parseInt(await keyIdOf(secret), 16)

/** What the library encrypted, encrypted with the present secret; null: it opens with neither secret. */
export async function encryptAnew(secrets: AuthSecrets, encrypted: string): Promise<string | null> {
  const { formatEnvelope, symmetricEncrypt } = await import('better-auth/crypto')
  const text = await decryptSecret(secrets, encrypted)
  if (text === null) return null
  const { authSecret } = secrets
  const bytes = await symmetricEncrypt({ key: authSecret, data: text })
  return formatEnvelope(await versionOf(authSecret), bytes)
}

/** What the library encrypted, with the present secret or the one before; null: it opens with neither. */
export async function decryptSecret(secrets: AuthSecrets, encrypted: string): Promise<string | null> {
  const { parseEnvelope, symmetricDecrypt } = await import('better-auth/crypto')
  const envelope = parseEnvelope(encrypted)
  for (const key of acceptedSecrets(secrets)) {
    if (envelope && envelope.version !== (await versionOf(key))) continue
    const data = envelope?.ciphertext ?? encrypted
    const text = await symmetricDecrypt({ key, data }).catch(() => null)
    if (text !== null) return text
  }
  return null
}

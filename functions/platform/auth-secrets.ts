import { hex, sha256 } from './digest.ts'

/** The secrets for encrypting and signing: the current one and, while it is being replaced, the previous one. */
export interface AuthSecrets {
  authSecret: string
  /** Accepted for verifying, never used for signing. Absent where there is none, or it is retired. */
  previousAuthSecret?: string
}

/** The accepted secrets, the current one first. */
export function acceptedSecrets({ authSecret, previousAuthSecret }: AuthSecrets): string[] {
  return previousAuthSecret === undefined ? [authSecret] : [authSecret, previousAuthSecret]
}

/** Whether a check succeeds with one of the accepted secrets. */
export async function isAccepted(
  secrets: AuthSecrets,
  holds: (secret: string) => Promise<boolean>,
): Promise<boolean> {
  for (const secret of acceptedSecrets(secrets)) if (await holds(secret)) return true
  return false
}

/** Identifies the secret that a text is encrypted with, so that texts of another one can be counted: eight hex digits of a hash. */
export async function computeKeyId(secret: string): Promise<string> {
  return hex(await sha256(`commonplace key id\n${secret}`)).slice(0, 8)
}

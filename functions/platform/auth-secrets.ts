import { hex, sha256 } from './digest.ts'

/** What the product seals and signs with: the secret of now and, while it is being replaced, the one before. */
export interface AuthSecrets {
  authSecret: string
  /** What was made with it is still taken; nothing new is. Without it there was no other, or it is retired. */
  previousAuthSecret?: string
}

/** The secrets by which something may have been made, the present one first. */
export function acceptedSecrets({ authSecret, previousAuthSecret }: AuthSecrets): string[] {
  return previousAuthSecret === undefined ? [authSecret] : [authSecret, previousAuthSecret]
}

/** Whether something holds by one of the secrets that are accepted. */
export async function isAccepted(
  secrets: AuthSecrets,
  holds: (secret: string) => Promise<boolean>,
): Promise<boolean> {
  for (const secret of acceptedSecrets(secrets)) if (await holds(secret)) return true
  return false
}

/** By what sealed texts say which secret they are sealed with, and one can count those of another: eight hex digits of a hash. */
export async function keyIdOf(secret: string): Promise<string> {
  return hex(await sha256(`commonplace key id\n${secret}`)).slice(0, 8)
}

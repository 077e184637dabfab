import type { AuthSecrets } from '#functions/platform/auth-secrets.ts'
import { findOthers, encryptAgain, type Tally } from '#functions/domain/secrets/encrypt-again.ts'
import type { Db } from '#db/schema.ts'

/** One of the product's databases, with the rights of the system. */
export interface Place {
  /** Null: the home database. */
  name: string | null
  db: Db
}

interface RotationOptions {
  /** Only reports and changes nothing. */
  isCheck: boolean
  /** Values that neither secret decrypts do not count as needing the previous secret. */
  exceptUnreadable: boolean
}

/** The maximum number of rows listed per column; the others are only counted. */
const maxNamed = 20

/**
 * Re-encrypts with AUTH_SECRET everything in the databases that is encrypted with AUTH_SECRET_PREVIOUS, or
 * only checks. Logs what is done and what remains. Returns true when nothing needs the previous secret any
 * more.
 */
export async function rotateSecret(
  places: Place[],
  secrets: AuthSecrets,
  { isCheck, exceptUnreadable }: RotationOptions,
  log: (line: string) => void,
): Promise<boolean> {
  let [remaining, unreadable] = [0, 0]
  for (const { name, db } of places) {
    const title = name === null ? '' : `${name}: `
    const progress = (column: string, count: number) =>
      log(`${title}${column}: ${count} encrypted again so far`)
    const tallies = isCheck ? await findOthers(db, secrets) : await encryptAgain(db, secrets, progress)
    for (const tally of tallies) {
      for (const line of formatTally(tally, isCheck)) log(`${title}${line}`)
      remaining += tally.remaining
      unreadable += tally.unreadable.length
    }
  }
  const isOver = isDone(secrets, remaining) && (unreadable === 0 || exceptUnreadable)
  log(verdict(secrets, { remaining, unreadable, isOver }))
  return isOver
}

/**
 * Without a previous secret, values from a time before texts named their secret are read by the present one.
 */
const isDone = ({ previousAuthSecret }: AuthSecrets, remaining: number) =>
  remaining === 0 || previousAuthSecret === undefined

function formatTally({ name, encrypted, remaining, unreadable, remedy }: Tally, isCheck: boolean): string[] {
  const counts = [
    ...(isCheck ? [] : [`${encrypted} encrypted again`]),
    `${remaining} remain`,
    ...(unreadable.length > 0 ? [`${unreadable.length} cannot be decrypted with either secret`] : []),
  ]
  const more = unreadable.length - maxNamed
  const nameList = `${unreadable.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return [
    `${name}: ${counts.join(', ')}`,
    ...(unreadable.length > 0 ? [`  cannot be decrypted: ${nameList}; to mend it, ${remedy}`] : []),
  ]
}

function verdict(
  { previousAuthSecret }: AuthSecrets,
  { remaining, unreadable, isOver }: { remaining: number; unreadable: number; isOver: boolean },
): string {
  if (isOver)
    return previousAuthSecret === undefined
      ? 'Everything can be decrypted with AUTH_SECRET.'
      : 'Nothing is left that needs AUTH_SECRET_PREVIOUS: remove it.'
  if (remaining > 0 && previousAuthSecret !== undefined)
    return `Keep AUTH_SECRET_PREVIOUS: ${remaining} texts still need it. Run "npm run rotate-secret".`
  const wrong = `${unreadable} texts cannot be decrypted with either secret.`
  return previousAuthSecret === undefined
    ? `${wrong} They may be of a secret that was removed too early: set it as AUTH_SECRET_PREVIOUS.`
    : `Keep AUTH_SECRET_PREVIOUS: ${wrong} If it is the right one, mend them as said above, or say --except-unreadable.`
}

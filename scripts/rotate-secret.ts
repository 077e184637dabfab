import type { AuthSecrets } from '#functions/platform/auth-secrets.ts'
import { findOthers, encryptAgain, type Tally } from '#functions/domain/secrets/encrypt-again.ts'
import type { Db } from '#db/schema.ts'

/** One of the product's databases, as the product itself. */
export interface Place {
  /** Null: home. */
  name: string | null
  db: Db
}

interface Wanted {
  /** Says what there is and changes nothing. */
  isCheck: boolean
  /** What opens with neither secret does not keep the one before from being removed. */
  exceptUnreadable: boolean
}

/** So many rows of a column are named; of the others is said how many they are. */
const mostNamed = 20

/**
 * Seals everything in the databases with AUTH_SECRET that is sealed with AUTH_SECRET_PREVIOUS, or only looks. Says in lines what
 * is done and what remains. True: nothing needs the secret before any more.
 */
export async function rotateSecret(
  places: Place[],
  secrets: AuthSecrets,
  { isCheck, exceptUnreadable }: Wanted,
  say: (line: string) => void,
): Promise<boolean> {
  let [remaining, unreadable] = [0, 0]
  for (const { name, db } of places) {
    const title = name === null ? '' : `${name}: `
    const progress = (column: string, count: number) => say(`${title}${column}: ${count} sealed anew so far`)
    const tallies = isCheck ? await findOthers(db, secrets) : await encryptAgain(db, secrets, progress)
    for (const tally of tallies) {
      for (const line of linesOf(tally, isCheck)) say(`${title}${line}`)
      remaining += tally.remaining
      unreadable += tally.unreadable.length
    }
  }
  const isOver = isDone(secrets, remaining) && (unreadable === 0 || exceptUnreadable)
  say(verdict(secrets, { remaining, unreadable, isOver }))
  return isOver
}

/** Without a secret before, what is of a time when texts did not say their secret is read by the present one. */
const isDone = ({ previousAuthSecret }: AuthSecrets, remaining: number) =>
  remaining === 0 || previousAuthSecret === undefined

function linesOf({ name, sealed, remaining, unreadable, remedy }: Tally, isCheck: boolean): string[] {
  const counts = [
    ...(isCheck ? [] : [`${sealed} sealed anew`]),
    `${remaining} remain`,
    ...(unreadable.length > 0 ? [`${unreadable.length} open with neither secret`] : []),
  ]
  const more = unreadable.length - mostNamed
  const nameList = `${unreadable.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return [
    `${name}: ${counts.join(', ')}`,
    ...(unreadable.length > 0 ? [`  opens with neither: ${nameList}; to mend it, ${remedy}`] : []),
  ]
}

function verdict(
  { previousAuthSecret }: AuthSecrets,
  { remaining, unreadable, isOver }: { remaining: number; unreadable: number; isOver: boolean },
): string {
  if (isOver)
    return previousAuthSecret === undefined
      ? 'Everything opens with AUTH_SECRET.'
      : 'Nothing is left that needs AUTH_SECRET_PREVIOUS: remove it.'
  if (remaining > 0 && previousAuthSecret !== undefined)
    return `Keep AUTH_SECRET_PREVIOUS: ${remaining} texts still need it. Run "npm run rotate-secret".`
  const wrong = `${unreadable} texts open with neither secret.`
  return previousAuthSecret === undefined
    ? `${wrong} They may be of a secret that was removed too early: set it as AUTH_SECRET_PREVIOUS.`
    : `Keep AUTH_SECRET_PREVIOUS: ${wrong} If it is the right one, mend them as said above, or say --except-unreadable.`
}

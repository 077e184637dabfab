import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'

export type Verb =
  | 'created'
  | 'updated'
  | 'deleted'
  | 'restored'
  | 'closed'
  | 'reopened'
  | 'reverted'
  | 'published'
  | 'unpublished'
  | 'invited'
  | 'joined'
  | 'left'
  | 'imported'
  | 'rolledBack'
  | 'wiped'
  | 'moved'
  | 'halted'
  | 'resumed'
  | 'refreshed'
  | 'unstuck'
  | 'factorRemoved'
  | 'expired'
  | 'purged'
  | 'accessOpened'
  | 'accessEnded'
  | 'fetched'
  | AccountVerb

/** What happens to an account only: see `functions/domain/identity/own-activity.ts`. */
export type AccountVerb =
  | 'signedIn'
  | 'signInFailed'
  | 'signedOutElsewhere'
  | 'passwordChanged'
  | 'passwordReset'
  | 'emailChanged'
  | 'emailRestored'
  | 'factorAdded'
  | 'codesRenewed'
  | 'passkeyAdded'
  | 'passkeyRenamed'
  | 'passkeyRemoved'
  | 'ssoConnected'
  | 'ssoDisconnected'

/**
 * An entry of the audit log. `placeId` null: about the product as a whole, or about the account of a `person`. `counts`:
 * of a write of records.
 */
interface Line {
  verb: Verb
  type: string
  id: string
  name: string
  placeId: string | null
  person?: { id: string; ipPrefix: string | null }
  counts?: { created: number; updated: number; removed: number }
}

/**
 * Adds an entry to the audit log of a place, in the transaction that it describes. The log is append-only. `actorId`:
 * the author, where the context has no session that names it.
 */
export async function recordActivity(
  tx: Tx,
  ctx: Context,
  line: Line,
  actorId = ctx.actor.user?.id ?? null,
): Promise<void> {
  await tx
    .insertInto('activity')
    .values({
      id: crypto.randomUUID(),
      placeId: line.placeId,
      actorId,
      verb: line.verb,
      targetType: line.type,
      targetId: line.id,
      targetName: line.name,
      at: ctx.now(),
      personId: line.person?.id ?? null,
      ipPrefix: line.person?.ipPrefix ?? null,
      counts: line.counts && JSON.stringify(line.counts),
    })
    .execute()
}

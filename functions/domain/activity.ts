import type { Context } from '../context.ts'
import type { Tx } from '#db/schema.ts'

export type Verb = 'created' | 'updated' | 'deleted' | 'published' | 'unpublished' | 'joined' | 'left'

/** Adds a line to the trail of a place, in the transaction that did what it says. The trail is only ever added to. */
export async function record(
  tx: Tx,
  ctx: Context,
  line: { verb: Verb; type: string; id: string; name: string; placeId: string | null },
): Promise<void> {
  await tx
    .insertInto('activity')
    .values({
      id: crypto.randomUUID(),
      placeId: line.placeId,
      actorId: ctx.actor.user?.id ?? null,
      verb: line.verb,
      targetType: line.type,
      targetId: line.id,
      targetName: line.name,
      at: ctx.now(),
    })
    .execute()
}

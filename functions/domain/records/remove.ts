import type { Context } from '#functions/context.ts'
import { change, subjectOf } from './change.ts'
import { removeAll, removeById } from './write.ts'

/** Removes every record of a source and keeps the source. Gives how many there were; undefined without such a source. */
export async function wipe(
  ctx: Context,
  sourceId: string,
): Promise<{ count: number; version: number } | undefined> {
  const subject = await subjectOf(ctx, sourceId)
  if (!subject) return undefined
  let count = 0
  const version = await change(ctx, subject, async (made) => {
    count = await removeAll(made.tx, made.target)
    if (count > 0) await made.emptied()
  })
  return { count, version }
}

/** Removes one record by its stable id. Undefined: the source has no such record. */
export async function removeRecord(
  ctx: Context,
  sourceId: string,
  id: string,
): Promise<{ version: number } | undefined> {
  const subject = await subjectOf(ctx, sourceId)
  if (!subject || !isRecordId(id)) return undefined
  let isGone = false
  const version = await change(ctx, subject, async (made) => {
    for (const before of await removeById(made.tx, made.target, [id])) {
      made.went(before)
      isGone = true
    }
  })
  return isGone ? { version } : undefined
}

/** Whether a text can be the stable id of a record: a whole number that fits. */
export function isRecordId(id: string): boolean {
  return /^[1-9]\d{0,17}$/.test(id)
}

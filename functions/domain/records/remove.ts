import { sql } from 'kysely'
import { dataTable } from '#db/data-table.ts'
import type { Context } from '#functions/context.ts'
import { change, prepareRecordSubject, type Change } from './change.ts'
import { removeAll, removeById } from './write.ts'

/**
 * Deletes every record of a source but not the source. Returns how many there were and the new data version;
 * undefined without such a source.
 */
export async function wipe(
  ctx: Context,
  sourceId: string,
): Promise<{ count: number; version: number } | undefined> {
  const subject = await prepareRecordSubject(ctx, sourceId)
  if (!subject) return undefined
  let count = 0
  const work = async (pendingChange: Change) => {
    count = await removeAll(pendingChange.tx, pendingChange.target)
    if (count > 0) await pendingChange.countEmptied(count)
  }
  const version = await change(ctx, subject, work, 'wiped')
  return { count, version }
}

/** Deletes one record by its stable id. Undefined: the source has no such record. */
export async function removeRecord(
  ctx: Context,
  sourceId: string,
  id: string,
): Promise<{ version: number } | undefined> {
  const subject = await prepareRecordSubject(ctx, sourceId)
  if (!subject || !isRecordId(id)) return undefined
  let isGone = false
  const version = await change(ctx, subject, async (pendingChange) => {
    for (const before of await removeById(pendingChange.tx, pendingChange.target, [id])) {
      pendingChange.went(before)
      isGone = true
    }
  })
  return isGone ? { version } : undefined
}

/**
 * Deletes records by their stable ids in one transaction. Returns how many were deleted and which ids were no
 * record of the source, in the order given; repeating the call deletes nothing. Undefined without such a
 * source.
 */
export async function removeRecords(
  ctx: Context,
  sourceId: string,
  ids: string[],
): Promise<{ count: number; missing: string[] } | undefined> {
  const subject = await prepareRecordSubject(ctx, sourceId)
  if (!subject) return undefined
  const distinct = [...new Set(ids)]
  let present = new Set<string>()
  await change(ctx, subject, async (pendingChange) => {
    present = await presentIn(pendingChange, distinct.filter(isRecordId))
    for (const before of await removeById(pendingChange.tx, pendingChange.target, [...present]))
      pendingChange.went(before)
  })
  return { count: present.size, missing: distinct.filter((id) => !present.has(id)) }
}

async function presentIn({ tx, target }: Change, ids: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select t.id::text as id from ${dataTable(target.table)} t
    where t.source_id = ${target.sourceId} and t.id = any(${ids}::bigint[])`.execute(tx.withoutPlugins())
  return new Set(rows.map(({ id }) => id))
}

/** Whether a text can be a stable record id: a positive integer that fits the column. */
export function isRecordId(id: string): boolean {
  return /^[1-9]\d{0,17}$/.test(id)
}

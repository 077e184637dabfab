import { sql } from 'kysely'
import { dataTable } from '#db/dataTable.ts'
import type { Context } from '#functions/context.ts'
import { change, subjectOf, type Change } from './change.ts'
import { removeAll, removeById } from './write.ts'

/** Removes every record of a source and keeps the source. Gives how many there were; undefined without such a source. */
export async function wipe(
  ctx: Context,
  sourceId: string,
): Promise<{ count: number; version: number } | undefined> {
  const subject = await subjectOf(ctx, sourceId)
  if (!subject) return undefined
  let count = 0
  const work = async (made: Change) => {
    count = await removeAll(made.tx, made.target)
    if (count > 0) await made.emptied(count)
  }
  const version = await change(ctx, subject, work, 'wiped')
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

/**
 * Removes several records by their stable ids, all in one go. Gives how many went and which of the ids were no record of
 * the source, in the order given; the same call again removes nothing. Undefined without such a source.
 */
export async function removeRecords(
  ctx: Context,
  sourceId: string,
  ids: string[],
): Promise<{ count: number; missing: string[] } | undefined> {
  const subject = await subjectOf(ctx, sourceId)
  if (!subject) return undefined
  const wanted = [...new Set(ids)]
  let present = new Set<string>()
  await change(ctx, subject, async (made) => {
    present = await presentIn(made, wanted.filter(isRecordId))
    for (const before of await removeById(made.tx, made.target, [...present])) made.went(before)
  })
  return { count: present.size, missing: wanted.filter((id) => !present.has(id)) }
}

async function presentIn({ tx, target }: Change, ids: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select t.id::text as id from ${dataTable(target.table)} t
    where t.source_id = ${target.sourceId} and t.id = any(${ids}::bigint[])`.execute(tx.withoutPlugins())
  return new Set(rows.map(({ id }) => id))
}

/** Whether a text can be the stable id of a record: a whole number that fits. */
export function isRecordId(id: string): boolean {
  return /^[1-9]\d{0,17}$/.test(id)
}

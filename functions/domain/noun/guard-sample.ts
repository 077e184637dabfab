import { sql } from 'kysely'
import { Failure } from '#functions/errors.ts'
import { sampleNouns, samplePrefix, type SampleNoun } from '#functions/shapes/sample.ts'
import type { Tx } from '#db/schema.ts'

/**
 * Prevents sample data from passing for the organization's own: an update of a sample row may neither make it public nor
 * remove the sample marker from its name. Failure `invalid` at the offending field. Runs a statement only where a change
 * concerns either.
 */
export async function guardSample(
  tx: Tx,
  table: string,
  id: string,
  changes: { visibility?: unknown; name?: unknown; title?: unknown },
): Promise<void> {
  if (!isSampleNoun(table)) return
  const isOpened = changes.visibility === 'public'
  const key = table === 'page' ? 'title' : 'name'
  const name = changes[key]
  const isRenamed = typeof name === 'string' && !name.startsWith(samplePrefix)
  if ((!isOpened && !isRenamed) || !(await isSample(tx, table, id))) return
  const issue = isOpened
    ? {
        ...{ path: ['visibility'], value: 'public', validator: 'sample' },
        message: 'This is sample data, which is not your organization’s: it cannot be public.',
      }
    : {
        ...{ path: [key], value: name, validator: 'sample' },
        message: `This is sample data: its name has to begin with “${samplePrefix.trim()}”, so that nobody takes it for your own.`,
      }
  throw new Failure('invalid', { message: issue.message, issues: [issue] })
}

const isSampleNoun = (table: string): table is SampleNoun =>
  (sampleNouns as readonly string[]).includes(table)

async function isSample(tx: Tx, noun: SampleNoun, id: string): Promise<boolean> {
  const thing = JSON.stringify([{ noun, id }])
  const row = await tx
    .selectFrom('place')
    .select('id')
    .where('sample', 'is not', null)
    .where(sql<boolean>`sample @> ${thing}::jsonb`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

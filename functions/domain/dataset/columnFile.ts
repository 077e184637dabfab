import { aboutOf } from './exportAbout.ts'
import { recordSource } from './exportSource.ts'
import { open } from './open.ts'
import type { Context } from '#functions/context.ts'
import { ColumnFileWriter } from '#functions/engine/table/columnFile.ts'

/** Of more records not even one column of numbers and the ids would be small enough. */
const mostRows = 500_000

/**
 * All public records of a source by column, in the order of a list; null when they are too many or too long to be read by the edge.
 * Throws when the data are not of the version, or not as many, as is said: they changed meanwhile.
 */
export async function writeColumnFile(
  ctx: Context,
  sourceId: string,
  { version, rows }: { version: number; rows: number },
): Promise<Uint8Array | null> {
  if (rows > mostRows) return null
  const scope = { sourceId }
  // A part of the records comes in the order of a list; one more than all is that part too where there are none.
  const question = { limit: rows + 1 }
  const limits = { defaultLimit: rows + 1, maxLimit: rows + 1 }
  const dataset = await open(ctx, scope, { maxVisibility: 'public', limits, question })
  const about = await aboutOf(ctx, dataset, scope)
  const source = await recordSource(ctx, dataset, 'json', question, about)
  if (about.version !== String(version) || source.count !== rows)
    throw new Error('The data changed meanwhile.')
  const writer = new ColumnFileWriter(dataset.schema)
  for await (const page of source.pages('fields'))
    for (const { id, data } of page) if (!writer.add(id ?? '', data)) return null
  return writer.finish()
}

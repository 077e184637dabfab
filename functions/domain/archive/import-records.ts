import type { Context } from '#functions/context.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { refusal, type ArchiveFile } from './read.ts'
import type { References } from './references.ts'
import type { Refusals } from './writer.ts'

/** Limits of a batch of records: rows, or UTF-16 units of text. */
const maxRows = 5000
const maxUnits = 8_000_000

/**
 * Imports the records of a source from a file of lines, the one way in that there is. Each is checked by its data type,
 * and one that does not fit is named by its line. `created` is called with the number of each batch. Failure `invalid` for
 * a record that is there twice.
 */
export async function importRecords(
  ctx: Context,
  from: { file: ArchiveFile; references: References; refusals: Refusals },
  name: string,
  created: (count: number) => void,
): Promise<void> {
  const { file, references, refusals } = from
  const sourceId = references.get('source', name.slice('records/'.length, -'.ndjson'.length), [name])
  let rows: unknown[] = []
  let lines: number[] = []
  let units = 0
  const write = async () => {
    if (rows.length === 0) return
    const result = await ingest(ctx, sourceId, rows)
    for (const { index, issues } of result.rejected)
      for (const { path, message } of issues) refusals.add([name, lines[index] ?? 0, ...path], message)
    created(result.created)
    if (result.unchanged > 0) throw refusal([name], 'It has a record twice.')
    rows = []
    lines = []
    units = 0
  }
  for await (const { line, value, length } of file.lines(name)) {
    rows.push(value)
    lines.push(line)
    units += length
    if (rows.length >= maxRows || units >= maxUnits) await write()
  }
  await write()
}

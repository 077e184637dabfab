import type { ParserName } from '#functions/shapes/importerParsers.ts'
import { Unreadable, type Batch } from '../row.ts'
import { Archive } from './archive.ts'
import type { Reader, Reading } from './reading.ts'

/** The names of the files that a parser reads in an archive. */
const patterns: Partial<Record<ParserName, RegExp>> = {
  csv: /\.csv$/i,
  tsv: /\.tsv$/i,
  excel: /\.xlsx$/i,
  json: /\.json$/i,
  ndjson: /\.(ndjson|jsonl)$/i,
  xml: /\.xml$/i,
  html: /\.html?$/i,
  kmz: /\.kml$/i,
}

/**
 * Reads each file of an archive that is of the format, one after the other in the order of the archive, and skips all
 * others. Rows count on over all of them. `inner` names the parser of the files, where that is another one.
 */
export async function* readZipped(
  reading: Reading,
  read: Reader,
  inner = reading.name,
): AsyncGenerator<Batch> {
  const { options, from, name } = reading
  const archive = await Archive.open(inner === name ? { ...reading, name: 'kmz' } : reading)
  const pattern = patterns[name] ?? /$^/
  const entries = archive.find(pattern)
  if (!entries.length) {
    const names = archive.entries.slice(0, 5).map((entry) => entry.name)
    const kind = /\\\.\(?(\w+)/.exec(pattern.source)?.[1] ?? name
    throw new Unreadable(`The archive has no .${kind} file: it has ${names.join(', ') || 'no files'}.`)
  }
  const placed = placeOf(from)
  let rows = placed.before
  for (const [i, entry] of entries.entries()) {
    if (i < placed.entry) continue
    const before = rows
    const skip = i === placed.entry && from ? Math.max(0, from.rows - before) : 0
    const { ranges: _, from: __, ...rest } = reading
    const part: Reading = {
      ...rest,
      name: inner,
      bytes: archive.stream(entry),
      options: { ...options, zip: false },
      ...(skip > 0 && { from: { rows: skip, byte: null } }),
    }
    try {
      for await (const batch of read(part)) {
        rows = before + batch.cursor.rows
        yield within(batch, entry.name, before, i)
      }
      // All of its rows were given before: then there was no batch to say how many they were.
      rows = Math.max(rows, before + skip)
    } catch (error) {
      throw error instanceof Unreadable ? new Unreadable(`${entry.name}: ${error.message}`) : error
    }
  }
}

/** A batch of one file as a part of the archive. */
function within({ rows, rejects, notices, cursor }: Batch, entry: string, before: number, i: number): Batch {
  for (const one of [...rows, ...rejects]) one.at = { ...one.at, row: one.at.row + before, entry }
  return {
    rows,
    rejects,
    notices: notices.map(({ level, message }) => ({ level, message: `${entry}: ${message}` })),
    cursor: { rows: before + cursor.rows, byte: null, state: { entry: i, before } },
  }
}

/** Which file the cursor stands in, and how many rows stand before it. */
function placeOf(from: Reading['from']): { entry: number; before: number } {
  const { entry, before } = from?.state ?? {}
  if (typeof entry === 'number' && typeof before === 'number') return { entry, before }
  return { entry: 0, before: 0 }
}

import { parsers, type ParserName } from '#functions/shapes/parser/index.ts'
import { NothingSelectedError, UnreadableError, type Batch, type Notice } from '../row.ts'
import { Archive } from './archive.ts'
import type { Entry } from './directory.ts'
import type { ParsedSource, Reader, ReadingOptions } from './reading.ts'

/** Maximum number of skipped files that are named. */
const maxNamed = 5

/**
 * Reads each file of the format in an archive, in the order of the archive, or the chosen one. Other files are skipped with a
 * notice; a file in which the selectors find nothing is a warning if others have rows. Row numbers continue
 * across files. `inner`: the parser of the files, if it is another one.
 */
export async function* readZipped(
  reading: ParsedSource,
  read: Reader,
  inner = reading.name,
): AsyncGenerator<Batch> {
  const { options, from, name } = reading
  const archive = await Archive.open(reading, inner === name ? null : name)
  const entries = requireEntries(archive, name, options.file)
  const begin = getCursorPlace(from)
  let rows = begin.before
  // A KMZ contains pictures, and on resuming this was already reported.
  let toSay =
    inner !== name || from ? [] : [...skippedIn(archive, entries), ...buildJoinNotices(name, entries)]
  let nothing: NothingSelectedError | null = null
  for (const [i, entry] of entries.entries()) {
    if (i < begin.entry) continue
    const before = rows
    const skip = i === begin.entry && from ? Math.max(0, from.rows - before) : 0
    const { ranges: _, from: __, ...rest } = reading
    const part: ParsedSource = {
      ...rest,
      name: inner,
      bytes: archive.stream(entry),
      options: toEntryOptions(options),
      ...(skip > 0 && { from: { rows: skip, byte: null } }),
    }
    try {
      for await (const batch of read(part)) {
        rows = before + batch.cursor.rows
        const { notices, ...values } = toArchiveBatch(batch, entry.name, before, i)
        yield { ...values, notices: [...toSay, ...notices] }
        toSay = []
      }
      // If all of its rows were returned before, there was no batch with their number.
      rows = Math.max(rows, before + skip)
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
      const message = `${entry.name}: ${error.message}`
      if (!(error instanceof NothingSelectedError)) throw new UnreadableError(message)
      nothing ??= new NothingSelectedError(message)
      toSay.push({ level: 'warn', message })
    }
  }
  if (nothing && rows === 0) throw nothing
  if (toSay.length) yield { ...noRows, notices: toSay, cursor: buildCursor(rows, entries.length, rows) }
}

/**
 * The first file of the format in an archive, as a source of its own; null without one. `isOnly`: there is no other.
 */
export async function openFirstFile(
  reading: ParsedSource,
): Promise<{ reading: ParsedSource; isOnly: boolean } | null> {
  const archive = await Archive.open(reading, null)
  const [entry, ...others] = listFiles(archive, reading.name, reading.options.file)
  if (!entry) return null
  const { ranges: _, ...rest } = reading
  const options = toEntryOptions(reading.options)
  return { reading: { ...rest, options, bytes: archive.stream(entry) }, isOnly: others.length === 0 }
}

/** The options by which a file of an archive is read. */
const toEntryOptions = ({ file: _, ...options }: ReadingOptions): ReadingOptions => ({
  ...options,
  zip: false,
})

/** The files of a format in an archive; of a chosen one only this, or none. */
function listFiles(archive: Archive, name: ParserName, file: string | undefined): Entry[] {
  const entries = archive.find(parsers[name].zipped ?? /$^/)
  return file === undefined ? entries : entries.filter((entry) => entry.name === file)
}

/** The same, Unreadable without any. */
function requireEntries(archive: Archive, name: ParserName, file: string | undefined): Entry[] {
  const entries = listFiles(archive, name, file)
  if (entries.length) return entries
  const pattern = parsers[name].zipped ?? /$^/
  const kind = /\\\.\(?(\w+)/.exec(pattern.source)?.[1] ?? name
  const names = archive.find(/[^/]$/).map((entry) => entry.name)
  const which = file === undefined ? `.${kind} file` : `file ${file} of type ${parsers[name].label}`
  throw new UnreadableError(
    `The archive has no ${which}: it has ${names.slice(0, maxNamed).join(', ') || 'no files'}.`,
  )
}

const noRows = { rows: [], rejects: [] }

/** The notice about files of the archive that are skipped. */
function skippedIn(archive: Archive, readEntries: Entry[]): Notice[] {
  const skippedEntries = archive.find(/[^/]$/).filter((entry) => !readEntries.includes(entry))
  if (skippedEntries.length === 0) return []
  const names = skippedEntries.slice(0, maxNamed).map(({ name }) => name)
  const more = skippedEntries.length > maxNamed ? ` and ${skippedEntries.length - maxNamed} more` : ''
  return [{ level: 'info', message: `Files of the archive that are not read: ${names.join(', ')}${more}.` }]
}

/** The notice that several files become one table. */
function buildJoinNotices(name: ParserName, entries: Entry[]): Notice[] {
  if (entries.length < 2) return []
  const names = entries.slice(0, maxNamed).map((entry) => entry.name)
  const more = entries.length > maxNamed ? ` and ${entries.length - maxNamed} more` : ''
  const message = `The archive has ${entries.length} files of type ${parsers[name].label}, read one after another: ${names.join(', ')}${more}. One of them can be chosen instead.`
  return [{ level: 'info', message }]
}

/** Converts a batch of one file to one of the archive. */
function toArchiveBatch(
  { rows, rejects, notices, cursor }: Batch,
  entry: string,
  before: number,
  i: number,
): Batch {
  for (const one of [...rows, ...rejects]) one.at = { ...one.at, row: one.at.row + before, entry }
  return {
    rows,
    rejects,
    notices: notices.map(({ level, message }) => ({ level, message: `${entry}: ${message}` })),
    cursor: buildCursor(before + cursor.rows, i, before),
  }
}

const buildCursor = (rows: number, entry: number, before: number): Batch['cursor'] => ({
  rows,
  byte: null,
  state: { entry, before },
})

/** The file of the cursor, and the number of rows before it. */
function getCursorPlace(from: ParsedSource['from']): { entry: number; before: number } {
  const { entry, before } = from?.state ?? {}
  if (typeof entry === 'number' && typeof before === 'number') return { entry, before }
  return { entry: 0, before: 0 }
}

import { parserByEnding, parsers, type ParserName } from '#functions/shapes/parser/index.ts'
import { unsupportedEndings } from '#functions/shapes/importer-parsers.ts'
import { UnreadableError } from '../row.ts'
import { defaultCaps } from './caps.ts'
import { isSystemFile, readDirectory } from './directory.ts'
import { collectRanges, type Ranges } from './ranges.ts'
import { findFileKind } from './sniff.ts'

/** A format in which an archive can be read. */
export interface ArchiveFormat {
  parser: ParserName
  /** Whether its files are within the archive, so that the option `zip` is needed; false: the archive itself is the file. */
  zip: boolean
  /** How many files it has, and the names of the first hundred: each can be read alone. */
  count: number
  files: string[]
}

interface ArchiveContents {
  /** Best first: what consists of several files, then by size, then pages, which mostly accompany data. */
  formats: ArchiveFormat[]
  /** Without any format: what is in the archive and how to continue, in a sentence. */
  refusal: string | null
}

/** Formats that are archives themselves, by files that only they have. */
const whole: { parser: ParserName; marks: RegExp }[] = [
  { parser: 'excel', marks: /^xl\/workbook\.(xml|bin)$/ },
  { parser: 'ods', marks: /^content\.xml$/ },
  { parser: 'shp', marks: /\.shp$/i },
  { parser: 'gtfs', marks: /(^|\/)(stops|routes|trips)\.txt$/i },
  // Other archives with KML are archives of such files, of which one can be chosen.
  { parser: 'kmz', marks: /^doc\.kml$/i },
]
const maxNamed = 100
const archiveEnding = /\.(zip|7z|rar|t?gz|bz2|xz|tar)$/i

/** Descriptions that accompany layers, never data. */
const isDescription = /\.(shp|aux|tif|csv)\.xml$/i

/**
 * The formats of the files in a zip archive, by the names in its directory; null for a source that is none, or whose directory is
 * damaged or cut off, which the reader of a format says better.
 */
export async function inspectArchive(
  bytes: AsyncIterable<Uint8Array>,
  ranges?: Ranges,
): Promise<ArchiveContents | null> {
  try {
    const checkZipSignature = (head: Uint8Array) =>
      findFileKind(head) === 'a zip archive' ? null : 'not an archive'
    const source = ranges ?? (await collectRanges(bytes, defaultCaps.held, checkZipSignature))
    if (checkZipSignature(await source.read(0, Math.min(source.size, 8)))) return null
    const entries = (await readDirectory(source, defaultCaps)).filter(({ name }) => !isSystemFile(name))
    const formats = findFormats(entries.filter(({ name }) => !isDescription.test(name)))
    return { formats, refusal: formats.length ? null : describeRefusal(entries.map(({ name }) => name)) }
  } catch (error) {
    if (error instanceof UnreadableError) return null
    throw error
  }
}

function findFormats(entries: { name: string; size: number }[]): ArchiveFormat[] {
  const own = whole.flatMap(({ parser, marks }): ArchiveFormat[] => {
    const names = entries.flatMap(({ name }) => (marks.test(name) ? [name] : []))
    return names.length ? [{ parser, zip: false, count: names.length, files: names.slice(0, maxNamed) }] : []
  })
  // The parts of a workbook are no files of their own.
  if (own.some(({ parser }) => parser === 'excel' || parser === 'ods')) return own.slice(0, 1)
  const within = (Object.keys(parsers) as ParserName[]).flatMap((parser) => {
    const { options, zipped } = parsers[parser]
    if (!zipped || !(options as readonly string[]).includes('zip')) return []
    if (parser === 'kml' && own.some((each) => each.parser === 'kmz')) return []
    const files = entries.filter(({ name }) => zipped.test(name))
    if (!files.length) return []
    const size = files.reduce((total, file) => total + file.size, 0)
    const isPage = parser === 'html' || parser === 'xml'
    return [
      { parser, size, isPage, count: files.length, files: files.slice(0, maxNamed).map(({ name }) => name) },
    ]
  })
  within.sort((a, b) => Number(a.isPage) - Number(b.isPage) || b.size - a.size)
  return [
    ...own,
    ...within.map(({ parser, count, files }): ArchiveFormat => ({ parser, zip: true, count, files })),
  ]
}

/** What is in an archive that has nothing readable, and what to do. */
function describeRefusal(names: string[]): string {
  if (!names.length) return 'The archive has no files.'
  const examples = names.slice(0, 5).join(', ')
  const more = names.length > 5 ? ` and ${names.length - 5} more` : ''
  const readable = names.find((name) =>
    parserByEnding.has(/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''),
  )
  const inner = names.filter((name) => archiveEnding.test(name))
  if (inner.length)
    return `Archives within an archive are not unpacked, and it has nothing else that is read: ${examples}${more}. Unpack it and choose ${inner[0]} itself.`
  const way = names.some((name) => /\.gdb\//i.test(name))
    ? unsupportedEndings.gdb
    : names.some((name) => /\.xls$/i.test(name))
      ? unsupportedEndings.xls
      : readable
        ? `Unpack it and choose ${readable} itself.`
        : 'Unpack it and choose a file of one of the formats.'
  return `The archive has no file that is read out of archives: it has ${examples}${more}. ${way}`
}

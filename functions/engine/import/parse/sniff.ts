import { unsupportedEndings } from '#functions/shapes/importer-parsers.ts'
import { parsers, type ParserName } from '#functions/shapes/parser/index.ts'

/** Kinds of files by their first bytes, where they are not text. */
const magic: [name: string, bytes: number[]][] = [
  ['a zip archive', [0x50, 0x4b, 3, 4]],
  ['a zip archive', [0x50, 0x4b, 5, 6]],
  ['a gzip file', [0x1f, 0x8b]],
  ['a PDF', [0x25, 0x50, 0x44, 0x46]],
  ['a picture', [0x89, 0x50, 0x4e, 0x47]],
  ['a picture', [0xff, 0xd8, 0xff]],
  ['a 7z archive', [0x37, 0x7a, 0xbc, 0xaf]],
  ['a RAR archive', [0x52, 0x61, 0x72, 0x21]],
  ['an old Office file', [0xd0, 0xcf, 0x11, 0xe0]],
  ['a SQLite database', [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65]],
  ['a Parquet file', [0x50, 0x41, 0x52, 0x31]],
  ['a FlatGeobuf file', [0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62]],
]

/** What files of a format are, if their first bytes identify them. */
const ownKinds: Partial<Record<ParserName, string>> = {
  parquet: 'a Parquet file',
  gpkg: 'a SQLite database',
  fgb: 'a FlatGeobuf file',
}

/** Names the kind of a file by its first bytes; null if it may be text. */
export function findFileKind(head: Uint8Array): string | null {
  return magic.find(([, bytes]) => bytes.every((byte, i) => head[i] === byte))?.[0] ?? null
}

/**
 * A comment ends at its first possible end: otherwise a sequence of comments could be split in exponentially
 * many ways.
 */
const isPage = (text: string) =>
  /^\s*(<!--(?:(?!-->)[\s\S]){0,2000}-->\s*)*<(!doctype\s+html|html|head|body)\b/i.test(text)

/**
 * Returns why a text is not of a format, by its first characters; null if it may be. Recognises error pages
 * that are served with status 200.
 */
export function textRefusal(name: ParserName, head: string, contentType = ''): string | null {
  const { label, content } = parsers[name]
  const start = head.trimStart()
  const isXml = content === 'elements'
  if (content === 'page') return null
  if (isPage(head) || (!isXml && /^text\/html/i.test(contentType) && start.startsWith('<')))
    return `This is a web page, not ${label}.`
  if (isXml) return start.startsWith('<') ? null : `This is not ${label}: it does not begin with "<".`
  if (/^<(\?xml|[a-z][\w:.-]*[\s/>])/i.test(start)) return `This is XML, not ${label}.`
  if (content === 'table' && /^(\{\s*["}]|\[\s*[[{\]])/.test(start)) return `This is JSON, not ${label}.`
  return null
}

/** Returns why bytes are not of a binary format, by the first of them; null if they may be. */
export function binaryRefusal(name: ParserName, head: Uint8Array): string | null {
  const { label } = parsers[name]
  const kind = findFileKind(head)
  if (kind && kind === ownKinds[name]) return null
  if (kind) return `This is ${kind}, not ${label}.${kind === 'a zip archive' ? ' Unpack it first.' : ''}`
  if (!head.length) return 'The source is empty.'
  return isPage(new TextDecoder().decode(head.subarray(0, 1000)))
    ? `This is a web page, not ${label}.`
    : `This is not ${label}.`
}

/** Whether the first entry of an archive names OpenDocument sheets as its type, as the standard requires. */
const isOds = (head: Uint8Array) =>
  new TextDecoder('latin1')
    .decode(head.subarray(30, 100))
    .startsWith('mimetypeapplication/vnd.oasis.opendocument.spreadsheet')

/** Returns why bytes are not an archive of a format (null: of files), by the first of them; null if they may be one. */
export function archiveRefusal(name: ParserName | null, head: Uint8Array): string | null {
  const format =
    name === 'excel' ? 'a workbook (.xlsx)' : name === 'ods' ? 'a workbook (.ods)' : 'a zip archive'
  const kind = findFileKind(head)
  if (kind === 'a zip archive')
    return name !== 'ods' && isOds(head)
      ? `This is an OpenDocument sheet (.ods), not ${format}: choose that format.`
      : null
  if (kind === 'an old Office file' && (name === 'excel' || name === 'ods')) {
    // An encrypted workbook is in an old Office container, under this name.
    const text = new TextDecoder('utf-16le').decode(head.subarray(0, head.length & ~1))
    return text.includes('EncryptedPackage')
      ? 'The workbook is protected by a password: save it without one.'
      : unsupportedEndings.xls
  }
  if (kind) return `This is ${kind}, not ${format}.`
  if (!head.length) return 'The source is empty.'
  const text = new TextDecoder().decode(head.subarray(0, 1000))
  return isPage(text) ? `This is a web page, not ${format}.` : `This is not ${format}.`
}

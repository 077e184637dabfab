import { refuse } from './refuse.ts'
import { kinds } from './kinds.ts'

/** The number of leading bytes that are sniffed. */
export const sampleBytes = 65_536

/** The declared type and name of a file. Used only to choose between types that the bytes cannot distinguish. */
export interface FileDeclaration {
  name: string
  type: string
}

/** `??` is any byte; a text stands for its ASCII bytes. */
const programs = [
  'MZ',
  '\x7fELF',
  '\xfe\xed\xfa\xce',
  '\xfe\xed\xfa\xcf',
  '\xce\xfa\xed\xfe',
  '\xcf\xfa\xed\xfe',
  '\xca\xfe\xba\xbe',
  '\0asm',
  'dex\n',
  '#!',
  '!<arch>',
  'L\0\0\0\x01\x14\x02\0',
]

const signatures: readonly (readonly [text: string, type: string])[] = [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['%PDF-', 'application/pdf'],
  ['\x1f\x8b\x08', 'application/gzip'],
  ['PAR1', 'application/vnd.apache.parquet'],
  ['SQLite format 3\0', 'application/geopackage+sqlite3'],
  ['fgb\x03fgb', 'application/flatgeobuf'],
  ['OggS', 'audio/ogg'],
  ['ID3', 'audio/mpeg'],
]

const officeTypes = {
  'xl/': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'word/': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
}

/**
 * The type of a file by the first bytes of it (up to `sampleBytes`), whatever it was called. Failure `invalid` for
 * programs, web pages and everything that is not in `kinds`.
 */
export function sniff(sample: Uint8Array, declared: FileDeclaration): string {
  const letters = latin1(sample)
  if (programs.some((text) => letters.startsWith(text))) throw refuse('Programs are not kept here.')
  const signature = signatures.find(([text]) => letters.startsWith(text))?.[1]
  if (signature) return signature
  if (letters.startsWith('RIFF') && letters.slice(8, 12) === 'WEBP') return 'image/webp'
  if (letters.slice(4, 8) === 'ftyp') return isoMedia(letters)
  if (letters.startsWith('\x1a\x45\xdf\xa3') && letters.slice(0, 64).includes('webm')) return 'video/webm'
  if (letters.startsWith('PK\x03\x04')) return archive(letters)
  if (isMpegFrame(sample)) return 'audio/mpeg'
  const text = decodeText(sample)
  if (text === null) throw refuse('This kind of file is not known here.')
  return textType(text, declared)
}

/** The beginning of a text; null when the bytes are no text. */
export function decodeText(bytes: Uint8Array): string | null {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))) return null
  return new TextDecoder().decode(bytes)
}

function latin1(bytes: Uint8Array): string {
  let letters = ''
  for (let from = 0; from < bytes.length; from += 8192)
    letters += String.fromCharCode(...bytes.subarray(from, from + 8192))
  return letters
}

function isoMedia(letters: string): string {
  const brand = letters.slice(8, 12)
  if (brand === 'avif' || brand === 'avis') return 'image/avif'
  if (brand === 'M4A ' || brand === 'M4B ') return 'audio/mp4'
  if (/^(?:isom|iso[2-9]|mp4[12]|avc1|M4V |MSNV|dash|mmp4|f4v )$/.test(brand)) return 'video/mp4'
  // AVIF of some cameras names itself among the compatible brands only.
  if (brand === 'mif1' && letters.slice(16, 64).includes('avif')) return 'image/avif'
  throw refuse('This kind of film or picture is not known here.')
}

function archive(letters: string): string {
  if (letters.includes('META-INF/MANIFEST.MF') || letters.includes('AndroidManifest.xml'))
    throw refuse('Programs are not kept here.')
  if (!letters.includes('[Content_Types].xml')) return 'application/zip'
  const part = (Object.keys(officeTypes) as (keyof typeof officeTypes)[]).find((folder) =>
    new RegExp(`PK\\x03\\x04[\\s\\S]{26}${folder}`).test(letters),
  )
  return part ? officeTypes[part] : 'application/zip'
}

/** The header of an MPEG audio frame of layer III: eleven bits set, a version, a bit rate and a sample rate that exist. */
function isMpegFrame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  const isSynced = first === 0xff && (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08
  return isSynced && third >> 4 !== 0 && third >> 4 !== 15 && (third & 0x0c) !== 0x0c
}

/** Web pages by their beginning (WHATWG MIME Sniffing, 7.1). */
const page =
  /^<(?:!doctype\s+html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|link|base|form|img|input|object|embed|video|audio|math|template|button|details)(?=[\s>/])/i

function textType(text: string, declared: FileDeclaration): string {
  const beginning = text.replace(/^\uFEFF/, '').trimStart()
  const message = beginning.replace(/^(?:<!--[\s\S]{0,20000}?-->|\s)+/, '')
  if (page.test(beginning) || page.test(message)) throw refuse('Web pages are not kept here.')
  const body = beginning.replace(/^(?:<\?[^>]{0,2000}\?>|<!--[\s\S]{0,20000}?-->|\s)+/, '')
  if (/^<(?:!doctype\s+(?:\w+:)?svg|(?:\w+:)?svg)[\s>]/i.test(body)) return 'image/svg+xml'
  if (/^<(?:\?xml\s|!doctype\s|[\w:-]+[\s>/])/i.test(beginning)) return xmlType(beginning, body)
  const { type, name } = declared
  const isJson = /^[[{]/.test(beginning)
  if (isJson && type === 'application/geo+json') return type
  if (isJson && /"type"\s*:\s*"Feature(?:Collection)?"/.test(beginning)) return 'application/geo+json'
  if (isJson && !type.startsWith('text/')) return 'application/json'
  if (type.startsWith('text/') && Object.hasOwn(kinds, type) && type !== 'text/plain') return type
  // Systems use different types for .csv files.
  if (/\.csv$/i.test(name)) return 'text/csv'
  return /\.tsv$/i.test(name) ? 'text/tab-separated-values' : 'text/plain'
}

function xmlType(text: string, body: string): string {
  const root = /<(?!!|\?)(?:\w+:)?(\w+)/.exec(body)?.[1]?.toLowerCase()
  if (root === 'html' || /http:\/\/www\.w3\.org\/1999\/xhtml|<\?xml-stylesheet/i.test(text))
    throw refuse('Web pages are not kept here.')
  if (root === 'kml') return 'application/vnd.google-earth.kml+xml'
  return root === 'gpx' ? 'application/gpx+xml' : 'application/xml'
}

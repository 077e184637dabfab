import { inflateRawSync } from 'node:zlib'
import type { FileColumn, FileOptions, FileRow, FileSource } from './file.ts'
import { writers } from './formats.ts'
import type { ExportFormat } from '#functions/shapes/export-format.ts'

/** Readers that share no code with the writers. */

export const plainOptions: FileOptions = { names: false, bom: false, excel: false, timeZone: 'UTC' }

/** Rows as a source of a file, in pages of three. */
export function buildFileSource(columns: FileColumn[], rows: FileRow[]): FileSource {
  const about = {
    id: 'calls',
    title: 'Calls & <co>',
    description: 'What was "called".',
    licence: 'CC0-1.0',
    attribution: 'City',
    attributionUrl: 'https://city.example.org',
    licenceUrl: null,
    publisher: 'Office of Data',
    publisherUrl: null,
    contactName: null,
    contact: 'data@city.example.org',
    keywords: ['calls'],
    version: '3',
    updatedAt: '2026-01-02T03:04:06.000Z',
  }
  async function* pages() {
    for (let i = 0; i < rows.length; i += 3) yield rows.slice(i, i + 3)
  }
  return { about, columns, count: rows.length, extent: null, pages, lines: () => null }
}

/** The bytes of a file. */
export async function writeExport(
  format: ExportFormat,
  source: FileSource,
  options = plainOptions,
): Promise<Uint8Array> {
  return collectBytes(writers[format](source, options))
}

export async function collectBytes(pieces: AsyncIterable<Uint8Array | string>): Promise<Uint8Array> {
  const parts: Buffer[] = []
  for await (const piece of pieces) parts.push(Buffer.from(piece as string))
  return new Uint8Array(Buffer.concat(parts))
}

export const textIn = (bytes: Uint8Array) =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)

/** RFC 4180 by its grammar, a character at a time. Throws where a quote is not closed. */
export function readCsv(text: string, separator = ','): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (isQuoted) {
      if (c !== '"') cell += c
      else if (text[i + 1] === '"') cell += text[++i]
      else isQuoted = false
    } else if (c === '"' && cell === '') isQuoted = true
    else if (c === separator) {
      row.push(cell)
      cell = ''
    } else if (c === '\n' || (c === '\r' && text[i + 1] === '\n')) {
      if (c === '\r') i++
      rows.push([...row, cell])
      row = []
      cell = ''
    } else cell += c
  }
  if (isQuoted || cell !== '' || row.length > 0) throw new Error('The file does not end with a line.')
  return rows
}

/** The files of an archive by its directory at the end; sizes and checksums must be right. */
export function readZip(bytes: Uint8Array): Map<string, Uint8Array> {
  const file = Buffer.from(bytes)
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0) throw new Error('The archive has no directory.')
  const count = file.readUInt16LE(end + 10)
  let at = file.readUInt32LE(end + 16)
  const files = new Map<string, Uint8Array>()
  for (let i = 0; i < count; i++) {
    if (file.readUInt32LE(at) !== 0x02014b50) throw new Error('The directory is broken.')
    const [crc, packed, size] = [16, 20, 24].map((offset) => file.readUInt32LE(at + offset))
    const [nameLength = 0, extra = 0, comment = 0] = [28, 30, 32].map((offset) =>
      file.readUInt16LE(at + offset),
    )
    const name = file.toString('utf8', at + 46, at + 46 + nameLength)
    const local = file.readUInt32LE(at + 42)
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    const content = inflateRawSync(file.subarray(start, start + (packed ?? 0)))
    if (content.length !== size || crc32(content) !== crc) throw new Error(`${name} is broken.`)
    files.set(name, new Uint8Array(content))
    at += 46 + nameLength + extra + comment
  }
  return files
}

function crc32(bytes: Uint8Array): number {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let i = 0; i < 8; i++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ -1) >>> 0
}

export interface Xml {
  name: string
  attributes: Record<string, string>
  children: Xml[]
  text: string
}

/** A strict parser for XML 1.0 without DTD: tags must match, characters must be allowed, references known. */
export function readXml(source: string): Xml {
  if (/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/u.test(source))
    throw new Error('A character that XML does not allow.')
  const root: Xml = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const token = /<\?[^?]*\?>|<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y
  while (token.lastIndex < source.length) {
    const at = token.lastIndex
    const match = token.exec(source)
    if (!match) throw new Error(`Not XML at ${at}: ${source.slice(at, at + 40)}`)
    const [whole, isEnd, name, attributes = '', isEmpty, text] = match
    const current = open.at(-1) as Xml
    if (text !== undefined) current.text += unescaped(text)
    else if (isEnd) {
      if (open.pop()?.name !== name) throw new Error(`${whole} closes something else.`)
    } else if (name) {
      const pairs = [...attributes.matchAll(/([\w:.-]+)="([^"]*)"/g)]
      const node: Xml = {
        name,
        attributes: Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, unescaped(value)])),
        children: [],
        text: '',
      }
      current.children.push(node)
      if (!isEmpty) open.push(node)
    }
  }
  const [document, ...more] = root.children
  if (open.length !== 1 || !document || more.length > 0) throw new Error('Not one document.')
  return document
}

function unescaped(text: string): string {
  if (/&(?!(?:amp|lt|gt|quot|apos|#\d+);)/.test(text))
    throw new Error(`A bare ampersand: ${text.slice(0, 40)}`)
  const marks: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/&(?:#(\d+)|(\w+));/g, (_all, code?: string, name = '') =>
      code ? String.fromCharCode(Number(code)) : (marks[name as string] ?? ''),
    )
}

/** All elements with a name, at any depth. */
export function listElements(node: Xml, name: string): Xml[] {
  const elements: Xml[] = []
  const waiting = [node]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.name === name) elements.push(next)
    waiting.push(...[...next.children].reverse())
  }
  return elements
}

export const child = (node: Xml, name: string) => node.children.find((each) => each.name === name)

/** The records of a dBASE table, by field name; checks all lengths in its header. */
export function readDbf(file: Buffer) {
  const [count, head, size] = [file.readUInt32LE(4), file.readUInt16LE(8), file.readUInt16LE(10)]
  if (file.length !== head + count * size + 1 || file.at(-1) !== 0x1a) throw new Error('A wrong length.')
  const fields: { name: string; width: number }[] = []
  for (let at = 32; file[at] !== 0x0d; at += 32)
    fields.push({
      name: file.toString('latin1', at, at + 11).replace(/\0.*$/, ''),
      width: file[at + 16] ?? 0,
    })
  return Array.from({ length: count }, (_, row) => {
    let at = head + row * size + 1
    return Object.fromEntries(
      fields.map(({ name, width }) => [name, textIn(file.subarray(at, (at += width))).trim()]),
    )
  })
}

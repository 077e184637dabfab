import { UnreadableError } from '../row.ts'
import type { Archive } from './archive.ts'
import { blocks } from './blocks.ts'
import { formatByteCount, type ReadLimits } from './caps.ts'
import { Decoder } from './decode.ts'
import type { Entry } from './directory.ts'
import { timeFormat, type TimeFormat } from './excel-dates.ts'
import { unescapeText } from './excel-sheet.ts'
import { Utf8Texts } from './utf8-texts.ts'
import { local } from './kml.ts'
import { XmlStream } from './xml-events.ts'

export interface Sheet {
  name: string
  entry: Entry
  isHidden: boolean
}

/** The shared data of a workbook's cells. */
export interface Book {
  sheets: Sheet[]
  is1904: boolean
  strings: Utf8Texts
  /** The date format of each cell style, by its number. */
  styles: (TimeFormat | null)[]
}

/** Callbacks while a part of a workbook is parsed; names have no prefixes. */
export interface PartEvents {
  open?(name: string, attributes: Record<string, string>): void
  text?(text: string): void
  close?(name: string): void
}

/** Parses a part of a workbook, yielding regularly so that results can be consumed. */
export async function* readPart(archive: Archive, entry: Entry, events: PartEvents, caps: ReadLimits) {
  let decoder: Decoder | undefined
  const stream = new XmlStream(
    {
      open: (name, attributes) => events.open?.(local(name), attributes),
      text: (text) => events.text?.(text),
      close: (name) => events.close?.(local(name)),
      fault(message, line) {
        throw new UnreadableError(`The workbook is damaged in ${entry.name}: ${message} (line ${line})`)
      },
    },
    caps,
    'utf-8',
  )
  for await (const block of blocks(archive.stream(entry), caps.block)) {
    // The byte-order mark distinguishes the two encodings of XML.
    const isWide = !decoder && block[0] === 0xff && block[1] === 0xfe
    const bom = decoder ? 0 : isWide ? 2 : block[0] === 0xef ? 3 : 0
    decoder ??= new Decoder(isWide ? 'utf-16le' : 'utf-8')
    stream.write(decoder.write(block.subarray(bom), false))
    yield
  }
  stream.end()
}

async function readAll(archive: Archive, entry: Entry | undefined, events: PartEvents, caps: ReadLimits) {
  if (entry) for await (const _ of readPart(archive, entry, events, caps));
}

/** The sheets of a workbook in their order. */
export async function readSheets(
  archive: Archive,
  caps: ReadLimits,
): Promise<Pick<Book, 'sheets' | 'is1904'>> {
  const [book] = archive.find(/(^|\/)workbook\.xml$/)
  if (!book) {
    const isBinary = archive.find(/workbook\.bin$/).length > 0
    throw new UnreadableError(
      `This is not a workbook of type .xlsx${isBinary ? ' but .xlsb' : ''}: save it as that.`,
    )
  }
  const folder = book.name.replace(/workbook\.xml$/, '')
  const targets = new Map<string, string>()
  const relations = archive.entries.find(({ name }) => name === `${folder}_rels/workbook.xml.rels`)
  const targetEvents: PartEvents = {
    open(name, { Id, Target }) {
      if (name === 'Relationship' && Id && Target)
        targets.set(Id, Target.startsWith('/') ? Target.slice(1) : folder + Target)
    },
  }
  await readAll(archive, relations, targetEvents, caps)
  let is1904 = false
  const sheets: Sheet[] = []
  const bookEvents: PartEvents = {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
      if (name !== 'sheet') return
      const id = Object.entries(attributes).find(([key]) => local(key) === 'id' && key !== 'id')?.[1] ?? ''
      const target = targets.get(id)?.toLowerCase()
      const entry = archive.entries.find((each) => each.name.toLowerCase() === target)
      const { name: sheetName = '', state } = attributes
      if (!entry)
        throw new UnreadableError(
          `The workbook is damaged: its sheet "${sheetName}" is not in it. Save it anew.`,
        )
      // Others are charts and dialogs.
      if (/worksheets?\//i.test(entry.name))
        sheets.push({ name: sheetName, entry, isHidden: state === 'hidden' || state === 'veryHidden' })
    },
  }
  await readAll(archive, book, bookEvents, caps)
  return { sheets, is1904 }
}

/** Reads all of a workbook but its sheets. */
export async function openBook(archive: Archive, caps: ReadLimits): Promise<Book> {
  const { sheets, is1904 } = await readSheets(archive, caps)
  const styles = await readStyles(archive, caps)
  return { sheets, is1904, styles, strings: await readSharedStrings(archive, caps) }
}

async function readStyles(archive: Archive, caps: ReadLimits): Promise<Book['styles']> {
  const codes = new Map<number, string>()
  const ids: number[] = []
  let isCells = false
  const events: PartEvents = {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
      if (name === 'cellXfs') isCells = true
      if (name === 'xf' && isCells) ids.push(Number(attributes.numFmtId ?? 0))
    },
    close(name) {
      if (name === 'cellXfs') isCells = false
    },
  }
  await readAll(archive, archive.find(/(^|\/)styles\.xml$/)[0], events, caps)
  return ids.map((id) => timeFormat(id, codes.get(id)))
}

async function readSharedStrings(archive: Archive, caps: ReadLimits): Promise<Utf8Texts> {
  const strings = new Utf8Texts()
  let text = ''
  let isText = false
  let isReading = false
  const createTooLongError = () =>
    new UnreadableError(
      `The texts of the workbook are longer than ${formatByteCount(caps.held)}: save it as CSV.`,
    )
  const events: PartEvents = {
    open(name) {
      if (name === 'si') text = ''
      if (name === 'rPh') isReading = true
      isText = name === 't' && !isReading
    },
    text(part) {
      if (isText) text += part
      if (strings.bytes + text.length > caps.held) throw createTooLongError()
    },
    close(name) {
      isText = false
      if (name === 'rPh') isReading = false
      if (name !== 'si') return
      strings.add(unescapeText(text))
      if (strings.bytes > caps.held) throw createTooLongError()
    },
  }
  await readAll(archive, archive.find(/(^|\/)sharedStrings\.xml$/i)[0], events, caps)
  return strings
}

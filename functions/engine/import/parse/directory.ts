import { UnreadableError } from '../row.ts'
import type { Ranges } from './ranges.ts'
import type { ReadLimits } from './caps.ts'

/** A file in an archive, as its directory has it. */
export interface Entry {
  /** Its path for display, without control characters. */
  name: string
  method: number
  crc: number
  packed: number
  size: number
  offset: number
}

/** Whether an entry is metadata that systems add to archives. */
export const isSystemFile = (name: string) => /(^|\/)(__MACOSX\/|\._|\.DS_Store)/.test(name)

const endMark = 0x06054b50
const locatorMark = 0x07064b50
const entryMark = 0x02014b50
const wide = 0xffffffff
const maxDirectory = 8 * 1024 * 1024

/**
 * The entries of a zip archive by its central directory (APPNOTE 4.3), including ZIP64. Folders are left out. Unreadable
 * where the archive is truncated, encrypted, uses an unsupported compression, or has too many entries.
 */
export async function readDirectory(ranges: Ranges, { entries: most }: ReadLimits): Promise<Entry[]> {
  const { count, offset, size } = await readEndRecord(ranges)
  if (count > most) throw new UnreadableError(`The archive has ${count} entries: at most ${most} are read.`)
  if (offset + size > ranges.size || size > maxDirectory) throw cutOff()
  const bytes = await ranges.read(offset, offset + size)
  const view = toDataView(bytes)
  const entries: Entry[] = []
  for (let at = 0, i = 0; i < count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== entryMark) throw cutOff()
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((field) =>
      view.getUint16(at + field, true),
    ) as [number, number, number]
    const name = decodeName(bytes.subarray(at + 46, at + 46 + nameLength))
    const extra = bytes.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength)
    const flags = view.getUint16(at + 8, true)
    const method = view.getUint16(at + 10, true)
    if (flags & 1) throw new UnreadableError('The archive is protected by a password: pack it without one.')
    const [full, packed, start] = long(
      extra,
      [24, 20, 42].map((field) => view.getUint32(at + field, true)),
    )
    if (!name.endsWith('/')) {
      if (method !== 0 && method !== 8)
        throw new UnreadableError(
          `The entry ${name} is packed in a way that is not read here (method ${method}).`,
        )
      if (packed > ranges.size) throw cutOff()
      entries.push({ name, method, crc: view.getUint32(at + 16, true), packed, size: full, offset: start })
    }
    at += 46 + nameLength + extraLength + noteLength
  }
  return entries
}

const cutOff = () => new UnreadableError('The archive is cut off or damaged: its directory cannot be read.')

const toDataView = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)

async function readEndRecord(ranges: Ranges): Promise<{ count: number; offset: number; size: number }> {
  const from = Math.max(0, ranges.size - 65_557)
  const bytes = await ranges.read(from, ranges.size)
  const view = toDataView(bytes)
  let at = bytes.length - 22
  while (at >= 0 && view.getUint32(at, true) !== endMark) at--
  if (at < 0) throw cutOff()
  const count = view.getUint16(at + 10, true)
  const size = view.getUint32(at + 12, true)
  const offset = view.getUint32(at + 16, true)
  if (count !== 0xffff && size !== wide && offset !== wide) return { count, offset, size }
  if (at < 20 || view.getUint32(at - 20, true) !== locatorMark) throw cutOff()
  const longAt = Number(view.getBigUint64(at - 12, true))
  if (longAt + 56 > ranges.size) throw cutOff()
  const record = toDataView(await ranges.read(longAt, longAt + 56))
  const [entries, length, start] = [32, 40, 48].map((field) => Number(record.getBigUint64(field, true)))
  return { count: entries ?? 0, size: length ?? 0, offset: start ?? 0 }
}

/** Sizes and offsets; those that exceed 32 bits are read from the ZIP64 extra field. */
function long(extra: Uint8Array, fields: number[]): [number, number, number] {
  const view = toDataView(extra)
  let values = fields
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue
    let next = at + 4
    values = fields.map((value) => {
      if (value !== wide || next + 8 > extra.length) return value
      next += 8
      return Number(view.getBigUint64(next - 8, true))
    })
  }
  return values as [number, number, number]
}

function decodeName(bytes: Uint8Array): string {
  let name: string
  try {
    name = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    name = new TextDecoder('windows-1252').decode(bytes)
  }
  return name.replace(/\p{Cc}/gu, '').slice(-200)
}

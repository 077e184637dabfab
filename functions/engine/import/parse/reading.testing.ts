import type { ParserName } from '#functions/shapes/parser/index.ts'
import { UnreadableError, type Batch, type Notice, type Reject, type SourceRow } from '../row.ts'
import { parse, type ParseSettings } from './index.ts'
import type { ReadingOptions } from './reading.ts'

interface ReadAll {
  batches: Batch[]
  rows: SourceRow[]
  values: unknown[]
  rejects: Reject[]
  notices: Notice[]
  /** The message of the Unreadable that ended the reading; null: it was read to its end. */
  refusal: string | null
}

/** Encodes a text as UTF-8. */
export const utf8 = (text: string) => new TextEncoder().encode(text)

/** The bytes of a text whose characters are bytes: `\xe9` is 0xE9. */
export const toBytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

/** Encodes a text as UTF-16, without a byte-order mark. */
export const utf16 = (text: string, isBig = false) =>
  Uint8Array.from(
    Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)).flatMap((unit) =>
      isBig ? [unit >> 8, unit & 255] : [unit & 255, unit >> 8],
    ),
  )

/** Bytes in chunks of `size`, as from a server. */
export async function* chunked(bytes: Uint8Array, size = 4096): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

/** Reads a source to its end. */
export async function readAll(
  name: ParserName,
  source: string | Uint8Array | AsyncIterable<Uint8Array>,
  options: ReadingOptions = {},
  settings: ParseSettings = {},
): Promise<ReadAll> {
  const bytes = typeof source === 'string' ? utf8(source) : source
  const stream = bytes instanceof Uint8Array ? chunked(bytes) : bytes
  const batches: Batch[] = []
  let refusal: string | null = null
  try {
    for await (const batch of parse(name, stream, options, settings)) batches.push(batch)
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    refusal = error.message
  }
  const rows = batches.flatMap((batch) => batch.rows)
  return {
    batches,
    rows,
    values: rows.map(({ value }) => value),
    rejects: batches.flatMap((batch) => batch.rejects),
    notices: batches.flatMap((batch) => batch.notices),
    refusal,
  }
}

import { unsupportedEndings } from '#functions/shapes/importer-parsers.ts'
import { parsers } from '#functions/shapes/parser/index.ts'
import type { Parser } from '#functions/shapes/parser/parser.ts'
import { UnreadableError } from '../row.ts'
import { concatBytes } from '#functions/platform/bytes.ts'
import { blocks } from './blocks.ts'
import { Decoder, type Piece } from './decode.ts'
import { findCharset, chooseEncoding } from './encoding.ts'
import type { ParsedSource } from './reading.ts'
import type { Sink } from './sink.ts'
import { findFileKind, textRefusal } from './sniff.ts'

/** The size of the beginning that determines encoding, delimiter and format. */
const headBytes = 64 * 1024

export interface OpenText {
  encoding: string
  /** The length of the byte-order mark in bytes. */
  bom: number
  /** The first characters, of at most 64 kB; reading it does not consume `pieces`. */
  head: string
  /** Whether the head is the whole text. */
  isWhole: boolean
  pieces: AsyncGenerator<Piece>
}

/**
 * Opens a source as text: detects its encoding, rejects other formats, and returns all of it in chunks. With `encoding`,
 * a later part of a source opened before. `declare`: returns the encoding that the text itself declares, as XML does.
 */
export async function openText(
  reading: ParsedSource,
  sink: Sink,
  encoding?: string,
  declare?: (head: Uint8Array) => string | undefined,
): Promise<OpenText> {
  const { name, caps, contentType } = reading
  const source = blocks(reading.bytes, caps.block)
  const first: Uint8Array[] = []
  for (let size = 0; size < headBytes;) {
    const { value, done } = await source.next()
    if (done) break
    first.push(value.slice())
    size += value.length
  }
  if (encoding !== undefined)
    return {
      encoding,
      bom: 0,
      head: '',
      isWhole: false,
      pieces: decodePieces(new Decoder(encoding), first, source, 0),
    }
  const head = concatBytes(first).subarray(0, headBytes)
  if (!head.length) throw new UnreadableError('The source is empty.')
  const kind = findFileKind(head)
  if (kind) throw new UnreadableError(`This is ${kind}, not ${parsers[name].label}.${getHint(kind, reading)}`)
  const choice = await chooseEncoding(head, declare?.(head) ?? findCharset(contentType))
  const text = new Decoder(choice.encoding).write(head.subarray(choice.bom), false).text
  if (!text.trim() && head.length < headBytes) throw new UnreadableError('The source is empty.')
  const refusal = textRefusal(name, text, contentType)
  if (refusal) throw new UnreadableError(refusal)
  const zeros = (text.match(/\0/g) ?? []).length
  if (zeros > text.length / 10) throw new UnreadableError(`This is not text: every tenth byte or more is 0.`)
  for (const { level, message } of choice.notices) sink.notice(level, message)
  const pieces = decodePieces(new Decoder(choice.encoding), first, source, choice.bom)
  return { encoding: choice.encoding, bom: choice.bom, head: text, isWhole: head.length < headBytes, pieces }
}

function getHint(kind: string, { name, options }: ParsedSource): string {
  const parser: Parser = parsers[name]
  if (kind === 'a zip archive')
    return parser.options.includes('zip') && !options.zip
      ? ' If it is a zip archive of such files, say so.'
      : ' Unpack it first.'
  if (kind === 'an old Office file') return ` ${unsupportedEndings.xls}`
  return kind === 'a gzip file' ? ' Unpack it first.' : ''
}

async function* decodePieces(
  decoder: Decoder,
  first: Uint8Array[],
  rest: AsyncGenerator<Uint8Array>,
  bom: number,
): AsyncGenerator<Piece> {
  let left = bom
  for (const block of first.splice(0)) {
    const skipLength = Math.min(left, block.length)
    left -= skipLength
    yield decoder.write(block.subarray(skipLength), false)
  }
  for await (const block of rest) yield decoder.write(block, false)
  yield decoder.write(new Uint8Array(0), true)
}

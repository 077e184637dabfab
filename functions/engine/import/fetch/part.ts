import { FetchError, connectionLostError, networkError, createTooLargeError } from './errors.ts'
import type { RetryPolicy } from './retry-policy.ts'
import type { Caps } from './ports.ts'
import type { Answer } from './send.ts'

/** The body of one answer: a file, or the rest of one from some byte on. */
export interface Part {
  answer: Answer
  /** Its offset in the file. */
  begin: number
  /** Its end in the file, exclusive; null: unknown, or sent compressed. */
  end: number | null
  /** The size of the file; null: unknown. */
  length: number | null
  /** The compressed size; null: unknown, or not compressed. */
  packed: number | null
}

/** The body as a file from its first byte on. */
export function toWholePart(answer: Answer): Part {
  const { headers } = answer.response
  const value = parseLength(headers.get('content-length'))
  const isPacked = isPackedIn(headers)
  return {
    answer,
    begin: 0,
    end: isPacked ? null : value,
    length: isPacked ? null : value,
    packed: isPacked ? value : null,
  }
}

/** The body as the rest of the file from a byte on, of the version named; null: it is not that. */
export function toRestPart(
  answer: Answer,
  { begin, validator, length: expectedLength }: { begin: number; validator: string; length: number | null },
): Part | null {
  const { status, headers } = answer.response
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/i.exec(headers.get('content-range') ?? '')
  if (status !== 206 || !match || isPackedIn(headers) || strongTag(headers) !== validator) return null
  const [from, last, length] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (from !== begin || last < from || last >= length || length !== (expectedLength ?? length)) return null
  return { answer, begin, end: last + 1, length, packed: null }
}

/** The strong ETag of a response; null: there is none. */
export function strongTag(headers: Headers): string | null {
  const tag = headers.get('etag')?.trim() ?? ''
  return /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(tag) ? tag : null
}

/** Whether the server supports ranges. */
export function takesRanges(headers: Headers): boolean {
  return headers.get('accept-ranges')?.trim().toLowerCase() === 'bytes' && !isPackedIn(headers)
}

function isPackedIn(headers: Headers): boolean {
  return !/^(identity)?$/i.test(headers.get('content-encoding')?.trim() ?? '')
}

function parseLength(header: string | null): number | null {
  return header !== null && /^\d{1,15}$/.test(header.trim()) ? Number(header) : null
}

/** The compression ratio is not checked before this many bytes of output. */
const ratioFrom = 1_000_000

/**
 * The unpacked bytes of a part, as a stream. Throws a FetchError: `lost` when there are fewer than declared, `timeout`,
 * `tooLarge` above the caps. Always closes its connection.
 */
export async function* readBytes(
  part: Part,
  caps: Caps,
  patience: RetryPolicy,
): AsyncGenerator<Uint8Array, void> {
  const { line, response } = part.answer
  if ((part.length ?? 0) > caps.bytes) {
    line.close()
    throw createTooLargeError(caps.bytes)
  }
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
  let at = part.begin
  try {
    while (reader) {
      const next = line.within(
        patience.atMost(caps.idleMs),
        reader.read(),
        'The server stopped in the middle of its answer.',
      )
      const { done, value } = await next
      if (done) break
      if (!value.length) continue
      at += value.length
      if (part.end !== null && at > part.end) throw connectionLostError()
      if (at > caps.bytes) throw createTooLargeError(caps.bytes)
      if (part.packed !== null && at > ratioFrom && at > caps.ratio * part.packed)
        throw packedTooTightly(caps)
      yield value
    }
    if (part.end !== null && at < part.end) throw connectionLostError()
  } catch (error) {
    throw networkError(error, true)
  } finally {
    line.close()
  }
}

function packedTooTightly({ ratio }: Caps): FetchError {
  return new FetchError('tooLarge', `The file is packed more than ${ratio} to 1, which is not read.`)
}

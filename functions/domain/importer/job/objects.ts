import { RunRefusal } from './errors.ts'
import type { Ranges } from '#functions/engine/import/parse/ranges.ts'

const MB = 1024 * 1024
const keptBlocks = 4
/** Another run fetches it again. */
const lostMessage = 'The storage has lost what this run had fetched. Run the importer again.'

/** Streams an object of the bucket from an offset on. Throws where it no longer exists. */
export async function* streamObject(files: R2Bucket, key: string, from: number): AsyncGenerator<Uint8Array> {
  const object = await files.get(key, from > 0 ? { range: { offset: from } } : {})
  if (!object) throw new RunRefusal(lostMessage)
  yield* readChunks(object.body as ReadableStream<Uint8Array>)
}

/** The bytes of a stream, which is cancelled when the caller stops reading. */
export async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Random access to an object, in blocks of a megabyte, of which the last few are cached. */
export function createRanges(files: R2Bucket, key: string, size: number): Ranges {
  const chunks = new Map<number, Uint8Array>()
  async function block(n: number): Promise<Uint8Array> {
    const chunk = chunks.get(n)
    if (chunk) return chunk
    const range = { offset: n * MB, length: Math.min(MB, size - n * MB) }
    const object = await files.get(key, { range })
    if (!object) throw new RunRefusal(lostMessage)
    const bytes = new Uint8Array(await object.arrayBuffer())
    chunks.set(n, bytes)
    for (const oldest of chunks.keys()) if (chunks.size > keptBlocks) chunks.delete(oldest)
    return bytes
  }
  return {
    size,
    async read(from, to) {
      const whole = new Uint8Array(Math.max(0, to - from))
      for (let at = from; at < to;) {
        const n = Math.floor(at / MB)
        const part = (await block(n)).subarray(at - n * MB, to - n * MB)
        if (!part.length) break
        whole.set(part, at - from)
        at += part.length
      }
      return whole
    },
  }
}

/** Bytes as a stream with backpressure. */
export function toStream(bytes: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await bytes.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await bytes.return(undefined)
    },
  })
}

/** Deletes all objects under a prefix; returns their number. */
export async function removeUnder(files: R2Bucket, prefix: string): Promise<number> {
  let count = 0
  let cursor: string | undefined
  do {
    const listing = await files.list({ prefix, ...(cursor && { cursor }) })
    const keys = listing.objects.map(({ key }) => key)
    if (keys.length) await files.delete(keys)
    count += keys.length
    cursor = listing.truncated ? listing.cursor : undefined
  } while (cursor)
  return count
}

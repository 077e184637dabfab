import { Sha256 } from '../hash.ts'
import { hex } from '#functions/platform/digest.ts'

/** The size of a part in bytes. R2 requires at least 5 MiB, and the same size for all parts but the last. */
const partBytes = 5 * 1024 * 1024

/** Stores bytes as `storeParts` does. Returns their number and their SHA-256, hex. */
export async function storeStream(
  files: R2Bucket,
  key: string,
  body: ReadableStream<Uint8Array>,
  contentType: string,
): Promise<{ bytes: number; sha256: string }> {
  const hash = new Sha256()
  const bytes = await storeParts(files, key, body, contentType, (piece) => hash.update(piece))
  return { bytes, sha256: hex(hash.digest()) }
}

/**
 * Stores a stream of chunks with one part in memory at a time. The object appears only when all have arrived; after an
 * error it never does. `handleChunk` is called with each chunk. Returns the number of bytes.
 */
export async function storeParts(
  files: R2Bucket,
  key: string,
  body: ReadableStream<Uint8Array>,
  contentType: string,
  handleChunk: (piece: Uint8Array) => void = () => {},
): Promise<number> {
  let bytes = 0
  const options = { httpMetadata: { contentType } }
  // One buffer for all parts: memory of this size is released slowly.
  const part = new Uint8Array(partBytes)
  let offset = 0
  let upload: R2MultipartUpload | null = null
  const parts: R2UploadedPart[] = []
  const send = async () => {
    upload ??= await files.createMultipartUpload(key, options)
    parts.push(await upload.uploadPart(parts.length + 1, part.subarray(0, offset)))
    offset = 0
  }
  const reader = body.getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      handleChunk(value)
      bytes += value.length
      for (let at = 0; at < value.length;) {
        const length = Math.min(partBytes - offset, value.length - at)
        part.set(value.subarray(at, at + length), offset)
        offset += length
        at += length
        if (offset === partBytes) await send()
      }
    }
    if (parts.length === 0) await files.put(key, part.subarray(0, offset), options)
    else {
      if (offset > 0) await send()
      // TypeScript does not see assignments inside of a function.
      await (upload as R2MultipartUpload | null)?.complete(parts)
    }
  } catch (error) {
    await reader.cancel(error).catch(() => {})
    await (upload as R2MultipartUpload | null)?.abort()
    throw error
  }
  return bytes
}

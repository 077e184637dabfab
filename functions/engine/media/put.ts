/**
 * Stores exactly `size` bytes of a stream under a key. False when the stream has another length; nothing is stored then.
 * R2 requires the length beforehand: the Workers runtime has a stream of fixed length, so nothing is buffered; elsewhere
 * (in development) the bytes are buffered first.
 */
export async function putExactly(
  files: R2Bucket,
  key: string,
  stream: ReadableStream<Uint8Array>,
  size: number,
  options?: R2PutOptions,
): Promise<boolean> {
  if (!('FixedLengthStream' in globalThis)) {
    const bytes = await gather(stream, size)
    if (bytes) await files.put(key, bytes, options)
    return bytes !== null
  }
  const fixed = new FixedLengthStream(size)
  const piped = stream.pipeTo(fixed.writable).then(
    () => null,
    (error: unknown) => error,
  )
  try {
    await files.put(key, fixed.readable, options)
    return true
  } catch (error) {
    // The runtime's error for a wrong length is distinguished from an error of the bucket by its name.
    if (!/FixedLengthStream/.test(`${String(error)} ${String(await piped)}`)) throw error
    await files.delete(key)
    return false
  }
}

/** The bytes of a stream, read no further than they may be long; null for another length. */
async function gather(
  stream: ReadableStream<Uint8Array>,
  size: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = new Uint8Array(size)
  const reader = stream.getReader()
  let at = 0
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    if (at + chunk.value.byteLength > size) {
      await reader.cancel()
      return null
    }
    bytes.set(chunk.value, at)
    at += chunk.value.byteLength
  }
  return at === size ? bytes : null
}

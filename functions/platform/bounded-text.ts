/**
 * The text of a body as UTF-8, read no further than the limit; null when it is longer, '' without a body. For bodies of strangers,
 * whose Content-Length may be wrong. The rest of a request's body is left to `drainBody`; the rest of a response is cancelled.
 */
export async function boundedText(message: Request | Response, maxBytes: number): Promise<string | null> {
  const { body } = message
  if (!body) return ''
  const decoder = new TextDecoder()
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  let bytes = 0
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    bytes += chunk.value.byteLength
    if (bytes > maxBytes) {
      if (message instanceof Request) reader.releaseLock()
      else await reader.cancel()
      return null
    }
    text += decoder.decode(chunk.value, { stream: true })
  }
  return text + decoder.decode()
}

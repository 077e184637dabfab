/**
 * The text of a body as UTF-8, read no further than the limit; null when it is longer. '' without a body. For what
 * strangers send, whose stated length is a claim. The rest of a request's body is left for `drainBody`; what is asked of others
 * is told that no more is wanted.
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

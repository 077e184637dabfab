import { maxBodyBytes } from '#functions/engine/http/body.ts'

/** Timeout for reading the rest of a body. */
const drainMs = 5000

/**
 * Reads the unread rest of a request's body before its response is sent: the runtime closes a connection with an unread
 * body, and the next request on it fails. Returns the response. A body with another reader is left to it. Where the body
 * exceeds the size limit or comes too slowly the rest stays unread, and the response closes the connection.
 */
export async function drainBody(request: Request, response: Response): Promise<Response> {
  const { body, headers } = request
  if (!body || body.locked || (await drain(body, headers))) return response
  const answer = new Response(response.body, response)
  // HTTP/2 and workerd have no such header, and end the stream or the connection themselves.
  answer.headers.set('connection', 'close')
  return answer
}

/** Returns false where some of the body is left unread. */
async function drain(body: ReadableStream<Uint8Array>, headers: Headers): Promise<boolean> {
  if (Number(headers.get('content-length') ?? 0) > maxBodyBytes) return false
  const reader = body.getReader()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), drainMs)
  })
  try {
    for (let bytes = 0; bytes <= maxBodyBytes;) {
      const chunk = await Promise.race([reader.read(), late])
      if (chunk === null) return false
      if (chunk.done) return true
      bytes += chunk.value.byteLength
    }
    return false
  } catch {
    // The sender is gone, or what read the body before has cancelled it.
    return false
  } finally {
    clearTimeout(timer)
    // Rejects a read that is still pending, which nobody awaits any more.
    reader.releaseLock()
  }
}

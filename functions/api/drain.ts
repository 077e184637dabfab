import { maxBodyBytes } from '#functions/engine/http/body.ts'

/** How long the rest of a body is waited for. */
const drainMs = 5000

/**
 * Reads what nobody has read of a request's body, before its answer is given: the runtime ends a connection on which some of
 * a body is left, and the next request on it fails. Gives the answer. What something else reads is left
 * to it. Of a body that is longer than an endpoint may have, or comes too slowly, the rest is left, and the answer says that
 * the connection ends.
 */
export async function drainBody(request: Request, response: Response): Promise<Response> {
  const { body, headers } = request
  if (!body || body.locked || (await drain(body, headers))) return response
  const answer = new Response(response.body, response)
  // HTTP/2 and workerd know no such header, and end the stream or the connection by themselves.
  answer.headers.set('connection', 'close')
  return answer
}

/** False: some of the body is left. */
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
    // A read that is still awaited fails now, which nobody waits for any more.
    reader.releaseLock()
  }
}

import { Failure } from '#functions/errors.ts'

/** A request whose body is read no further than a limit. */
interface BoundedRequest {
  request: Request
  /** Whether the body is longer, by its Content-Length or by what was read of it. */
  isTooLarge(): boolean
}

/**
 * Limits the body of a request, whatever its Content-Length says and though it may have none (a chunked body). Whoever reads
 * more fails with `tooLarge`; since libraries wrap that error, `isTooLarge` tells it from others. The rest of the body is left to
 * `drainBody`. A request that says that it is too large is returned unread.
 */
export function boundRequest(request: Request, maxBytes: number): BoundedRequest {
  if (!request.body) return { request, isTooLarge: () => false }
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes)
    return { request, isTooLarge: () => true }
  let isTooLarge = false
  const body = boundedBody(request.body as ReadableStream<Uint8Array>, maxBytes, () => {
    isTooLarge = true
  })
  // Node requires `duplex` for a stream; the Workers runtime does not know it.
  const init: RequestInit & { duplex: 'half' } = { body, duplex: 'half' }
  return { request: new Request(request, init), isTooLarge: () => isTooLarge }
}

function boundedBody(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  onTooLarge: () => void,
): ReadableStream<Uint8Array> {
  let bytes = 0
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null
  const release = () => {
    reader?.releaseLock()
    reader = null
  }
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      reader ??= body.getReader()
      const { done, value } = await reader.read()
      bytes += value?.byteLength ?? 0
      if (!done && bytes <= maxBytes) return controller.enqueue(value)
      release()
      if (done) return controller.close()
      onTooLarge()
      controller.error(new Failure('tooLarge'))
    },
    cancel: release,
  }
  // Nothing is read before somebody asks for it: what nobody reads is drained in the end.
  return new ReadableStream(source, { highWaterMark: 0 })
}

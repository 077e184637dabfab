import { createChangedError, FetchError, connectionLostError, statusError } from './errors.ts'
import { readBytes, toRestPart, strongTag, takesRanges, toWholePart, type Part } from './part.ts'
import { RetryPolicy, retryAfterMs } from './retry-policy.ts'
import { defaultCaps, type Caps, type FetchRequest, type FetchServices } from './ports.ts'
import { Fingerprint } from './fingerprint.ts'
import { maskSecrets, getSecrets } from './secrets.ts'
import { send, type Answer } from './send.ts'
import { refusePage } from './web-page.ts'

/** An opened download. */
export interface OpenedFile {
  /** 200, 203 or 204; 206 for a part. */
  status: number
  /** The final URL after redirects, with secrets masked. */
  url: string
  headers: Headers
  /**
   * The unpacked file from its first byte (or that of `from`); to be read once. Resumes after interruptions, without
   * gaps and repetitions. Throws a FetchError; `changed` means that it has to be read again from the first byte.
   */
  bytes: AsyncIterable<Uint8Array>
  /** A strong ETag, with which `from` can resume later. Null: the file can only be read again. */
  validator: string | null
  lastModified: string | null
  /** The size of the whole file; null: unknown, or sent compressed. */
  length: number | null
  /** Closes the connection, if `bytes` are not read to the end. Idempotent. */
  close(): void
}

/** Where to go on: a byte, and the version of the file it is of. */
export interface ResumePoint {
  byte: number
  validator: string
}

/**
 * Opens one URL with the SSRF guard: retries as long as that may help, follows redirects, and returns bytes that are
 * either complete or end in an error. Throws a FetchError, or the reason of the signal when that is aborted.
 */
export async function open(
  ports: FetchServices,
  request: FetchRequest,
  { caps: input, signal, from }: { caps?: Partial<Caps>; signal: AbortSignal; from?: ResumePoint },
): Promise<OpenedFile> {
  const caps = { ...defaultCaps, ...input }
  const patience = new RetryPolicy(ports, caps, signal)
  const reading = new AddressReader(ports, request, { caps, signal, patience, from })
  const part = await reading.withMaskedAddress(() => reading.begin())
  const { response, url, line } = part.answer
  const show = maskSecrets(url.href, getSecrets(request), ports.isSecretName) ?? url.origin
  const bytes = reading.bytes(part)
  return {
    status: response.status,
    url: show,
    headers: response.headers,
    bytes: request.isPage || from ? bytes : refusePage(bytes, show),
    validator: strongTag(response.headers),
    lastModified: response.headers.get('last-modified'),
    length: part.length,
    close: () => line.close(),
  }
}

/** The reading of one address over all its tries. */
class AddressReader {
  readonly #ports: FetchServices
  readonly #request: FetchRequest
  readonly #caps: Caps
  readonly #signal: AbortSignal
  readonly #patience: RetryPolicy
  readonly #from: ResumePoint | undefined
  /** The version that ranges can be requested of; null: the file can only be read from its beginning. */
  #ranged: string | null
  /** A version whose first bytes are being compared with the delivered ones: only then may ranges of it follow them. */
  #unproven: string | null = null
  /** The length of that version; null: unknown. */
  #length: number | null = null

  constructor(
    ports: FetchServices,
    request: FetchRequest,
    rest: { caps: Caps; signal: AbortSignal; patience: RetryPolicy; from: ResumePoint | undefined },
  ) {
    this.#ports = ports
    this.#request = request
    this.#caps = rest.caps
    this.#signal = rest.signal
    this.#patience = rest.patience
    this.#from = rest.from
    this.#ranged = rest.from?.validator ?? null
  }

  begin(): Promise<Part> {
    return this.#partAt(this.#from?.byte ?? 0)
  }

  /** All bytes, beginning with a part that is open already. */
  async *bytes(first: Part): AsyncGenerator<Uint8Array, void> {
    const start = this.#from?.byte ?? 0
    const print = new Fingerprint()
    let at = start
    let part = first
    for (;;) {
      let interruption: unknown = connectionLostError()
      try {
        for await (const chunk of this.#fresh(part, { at, start, print })) {
          print.add(chunk)
          at += chunk.length
          this.#patience.progress()
          yield chunk
        }
        if (part.length === null || at >= part.length) return
      } catch (error) {
        interruption = error
      }
      part = await this.withMaskedAddress(async () => {
        await this.#patience.after(interruption, true)
        return this.#partAt(at)
      })
    }
  }

  /** The part of a response that was not delivered before; the rest is compared with the delivered bytes first. */
  async *#fresh(
    part: Part,
    { at, start, print }: { at: number; start: number; print: Fingerprint },
  ): AsyncGenerator<Uint8Array, void> {
    const again = new Fingerprint()
    let position = part.begin
    for await (const chunk of readBytes(part, this.#caps, this.#patience)) {
      const old = chunk.subarray(0, Math.max(0, at - position))
      if (old.length) {
        // Bytes before `start` were delivered by another reading: its version guarantees them.
        again.add(old.subarray(Math.max(0, start - position)))
        const isSame = position + old.length < at ? again.agrees(print) : again.equals(print)
        if (!(await isSame)) throw createChangedError()
        if (position + old.length >= at) this.#ranged ??= this.#unproven
      }
      position += chunk.length
      if (old.length < chunk.length) yield chunk.subarray(old.length)
    }
    if (position < at) throw createChangedError()
  }

  /** A response from a byte on or, where the server does not support that, from the first one. Retries as long as it may help. */
  async #partAt(byte: number): Promise<Part> {
    for (;;) {
      try {
        return await this.#tryPart(byte)
      } catch (error) {
        await this.#patience.after(error)
      }
    }
  }

  async #tryPart(byte: number): Promise<Part> {
    if (byte > 0 && this.#ranged !== null) {
      const range = { range: `bytes=${byte}-`, 'if-range': this.#ranged }
      const answer = await this.#answered(range)
      const { status } = answer.response
      const rest = toRestPart(answer, { begin: byte, validator: this.#ranged, length: this.#length })
      if (rest) return rest
      if (status !== 206 && status !== 416) return this.#whole(answer, byte)
      // Not the requested range: this server's ranges are unreliable.
      answer.line.close()
      this.#ranged = null
    }
    return this.#whole(await this.#answered({}), byte)
  }

  /** A response with the whole file, of which the first bytes up to `at` are known. */
  #whole(answer: Answer, at: number): Part {
    const { status, headers } = answer.response
    const validator = strongTag(headers)
    const fail = (error: FetchError) => {
      answer.line.close()
      return Object.assign(error, { url: answer.url.href })
    }
    if (![200, 203, 204].includes(status)) throw fail(this.#toStatusError(answer))
    if (this.#from && validator !== this.#from.validator) throw fail(createChangedError())
    const tag = takesRanges(headers) ? validator : null
    // Ranges of another version must not follow the delivered bytes before they were compared, since the response may
    // break off.
    const isProven = at === 0 || this.#from !== undefined || tag === this.#ranged
    this.#ranged = isProven ? tag : null
    this.#unproven = isProven ? null : tag
    const part = toWholePart(answer)
    this.#length = part.length
    return part
  }

  /** A response with data or a range, or one that says that there is no such range. */
  async #answered(range: Record<string, string>): Promise<Answer> {
    const { token } = this.#request
    let answer = await this.#send(range)
    if (answer.response.status === 401 && token && !answer.isStranger) {
      answer.line.close()
      await token.renew()
      answer = await this.#send(range)
    }
    const { status } = answer.response
    if (status < 300 || (status === 416 && range.range)) return answer
    answer.line.close()
    throw Object.assign(this.#toStatusError(answer), { url: answer.url.href })
  }

  #send(range: Record<string, string>): Promise<Answer> {
    const answerMs = () => this.#patience.atMost(this.#caps.answerMs)
    return send(this.#ports, this.#request, { range, answerMs, signal: this.#signal })
  }

  #toStatusError({ response, isStranger }: Answer): FetchError {
    const wait = retryAfterMs(response.headers.get('retry-after'), this.#ports.now())
    return statusError(response.status, { retryAfterMs: wait, isStranger })
  }

  /** Adds the masked URL to errors. */
  async withMaskedAddress<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      if (error instanceof FetchError)
        error.url = maskSecrets(
          error.url ?? this.#request.url,
          getSecrets(this.#request),
          this.#ports.isSecretName,
        )
      throw error
    }
  }
}

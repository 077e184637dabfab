import { changedError, FetchError, lost, statusError } from './errors.ts'
import { bytesOf, restOf, strongTag, takesRanges, wholeOf, type Part } from './part.ts'
import { Patience, retryAfterMs } from './patience.ts'
import { defaultCaps, type Caps, type FetchRequest, type FetchServices } from './ports.ts'
import { Print } from './print.ts'
import { maskSecrets, secretsOf } from './secrets.ts'
import { send, type Answer } from './send.ts'
import { refusePage } from './web-page.ts'

/** A file that has begun to come. */
export interface OpenedFile {
  /** 200, 203 or 204; 206 when it began in the middle. */
  status: number
  /** Where it came from, after redirects, as it may be shown: secrets are masked. */
  url: string
  headers: Headers
  /**
   * The file from its first byte (or that of `from`), unpacked; to be read once. What is interrupted goes on by itself:
   * every byte comes once. Throws a FetchError; `changed` means that it has to be read anew from the first byte.
   */
  bytes: AsyncIterable<Uint8Array>
  /** A strong ETag: what `from` needs to go on another time. Null: it cannot be gone on with, only read anew. */
  validator: string | null
  lastModified: string | null
  /** Bytes of the whole file; null: the server does not say, or sends it packed. */
  length: number | null
  /** Ends the connection, for who does not read `bytes` to the end. Idempotent. */
  close(): void
}

/** Where to go on: a byte, and the version of the file it is of. */
export interface ResumePoint {
  byte: number
  validator: string
}

/**
 * Opens one address, guarded: asks for it again as long as that may help, follows redirects, and gives what came with
 * bytes that are complete or end in an error. Throws a FetchError, or the reason of the signal when that is aborted.
 */
export async function open(
  ports: FetchServices,
  request: FetchRequest,
  { caps: input, signal, from }: { caps?: Partial<Caps>; signal: AbortSignal; from?: ResumePoint },
): Promise<OpenedFile> {
  const caps = { ...defaultCaps, ...input }
  const patience = new Patience(ports, caps, signal)
  const reading = new Reading(ports, request, { caps, signal, patience, from })
  const part = await reading.withMaskedAddress(() => reading.begin())
  const { response, url, line } = part.answer
  const show = maskSecrets(url.href, secretsOf(request), ports.isSecretName) ?? url.origin
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
class Reading {
  readonly #ports: FetchServices
  readonly #request: FetchRequest
  readonly #caps: Caps
  readonly #signal: AbortSignal
  readonly #patience: Patience
  readonly #from: ResumePoint | undefined
  /** The version that parts can be asked of; null: the file can only be read from its beginning. */
  #ranged: string | null
  /** A version whose first bytes are being compared with those that were delivered: only then may parts of it follow them. */
  #unproven: string | null = null
  /** How long that version is; null: unknown. */
  #length: number | null = null

  constructor(
    ports: FetchServices,
    request: FetchRequest,
    rest: { caps: Caps; signal: AbortSignal; patience: Patience; from: ResumePoint | undefined },
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
    const print = new Print()
    let at = start
    let part = first
    for (;;) {
      let interruption: unknown = lost()
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

  /** What of a part was not delivered before; the rest is compared with what was, before anything is delivered. */
  async *#fresh(
    part: Part,
    { at, start, print }: { at: number; start: number; print: Print },
  ): AsyncGenerator<Uint8Array, void> {
    const again = new Print()
    let position = part.begin
    for await (const chunk of bytesOf(part, this.#caps, this.#patience)) {
      const old = chunk.subarray(0, Math.max(0, at - position))
      if (old.length) {
        // What stands before `start` another reading delivered: its version vouches for it.
        again.add(old.subarray(Math.max(0, start - position)))
        const isSame = position + old.length < at ? again.agrees(print) : again.equals(print)
        if (!(await isSame)) throw changedError()
        if (position + old.length >= at) this.#ranged ??= this.#unproven
      }
      position += chunk.length
      if (old.length < chunk.length) yield chunk.subarray(old.length)
    }
    if (position < at) throw changedError()
  }

  /** A part that begins at a byte or, where the server does not give that, at the first one. Tries as long as it may help. */
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
      const rest = restOf(answer, { begin: byte, validator: this.#ranged, length: this.#length })
      if (rest) return rest
      if (status !== 206 && status !== 416) return this.#whole(answer, byte)
      // Not what was asked for: what parts this server gives is not to be relied on.
      answer.line.close()
      this.#ranged = null
    }
    return this.#whole(await this.#answered({}), byte)
  }

  /** The whole file, of which the first bytes up to `at` are known. */
  #whole(answer: Answer, at: number): Part {
    const { status, headers } = answer.response
    const validator = strongTag(headers)
    const fail = (error: FetchError) => {
      answer.line.close()
      return Object.assign(error, { url: answer.url.href })
    }
    if (![200, 203, 204].includes(status)) throw fail(this.#statusOf(answer))
    if (this.#from && validator !== this.#from.validator) throw fail(changedError())
    const tag = takesRanges(headers) ? validator : null
    // Of another version parts must not follow what was delivered before it was compared: the answer may break off first.
    const isProven = at === 0 || this.#from !== undefined || tag === this.#ranged
    this.#ranged = isProven ? tag : null
    this.#unproven = isProven ? null : tag
    const part = wholeOf(answer)
    this.#length = part.length
    return part
  }

  /** An answer that is data or a part of it, or says that there is no such part. */
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
    throw Object.assign(this.#statusOf(answer), { url: answer.url.href })
  }

  #send(range: Record<string, string>): Promise<Answer> {
    const answerMs = () => this.#patience.atMost(this.#caps.answerMs)
    return send(this.#ports, this.#request, { range, answerMs, signal: this.#signal })
  }

  #statusOf({ response, isStranger }: Answer): FetchError {
    const wait = retryAfterMs(response.headers.get('retry-after'), this.#ports.now())
    return statusError(response.status, { retryAfterMs: wait, isStranger })
  }

  /** Runs something whose errors are to be shown: they tell the address, masked. */
  async withMaskedAddress<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      if (error instanceof FetchError)
        error.url = maskSecrets(
          error.url ?? this.#request.url,
          secretsOf(this.#request),
          this.#ports.isSecretName,
        )
      throw error
    }
  }
}

/** The ports that fetching needs. */
export interface FetchServices {
  fetch: typeof fetch
  now(): Date
  /** Resolves after some milliseconds, earlier when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** All addresses of a host name, IPv4 and IPv6; empty if it does not exist. Rejects when it cannot be resolved now. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>
  /** From 0 to below 1. */
  random(): number
  /** Whether a parameter's name marks it as secret: its value is then never shown in an error. */
  isSecretName(name: string): boolean
}

/** Limits of a fetch. */
export interface Caps {
  /** Bytes read of one source, unpacked, over all its pages. */
  bytes: number
  /** The maximal compression ratio, checked after the first megabyte. */
  ratio: number
  /** Milliseconds until the response headers. */
  answerMs: number
  /** Milliseconds until the next piece of an answer. */
  idleMs: number
  /** Milliseconds for one URL in total: waiting, retries, and processing of its bytes. */
  totalMs: number
  /** Consecutive attempts without progress. */
  attempts: number
}

export const defaultCaps: Caps = {
  bytes: 2 * 2 ** 30,
  ratio: 200,
  answerMs: 60_000,
  idleMs: 60_000,
  totalMs: 15 * 60_000,
  attempts: 10,
}

/** A token for requests to the origin of its URL. */
export interface Token {
  current(): Promise<string>
  /** Gets a new token after the server rejected the current one. */
  renew(): Promise<string>
  /** All tokens so far: never shown. */
  issued: readonly string[]
}

/** One address to read. */
export interface FetchRequest {
  url: string
  /** Names in lower case. For the origin of the address only. */
  headers?: Record<string, string>
  /** Sent by POST as a form instead of GET. */
  form?: Record<string, string>
  token?: Token
  /** Values that must not be sent to another origin nor shown in an error. */
  secrets?: readonly string[]
  /** An HTML page is expected; otherwise it is an error, since it usually replaces missing data. */
  isPage?: boolean
}

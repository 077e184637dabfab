/** What fetching needs of the world outside. */
export interface FetchServices {
  fetch: typeof fetch
  now(): Date
  /** Resolves after so many milliseconds, sooner when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Every address a name leads to, IPv4 and IPv6; none: there is no such name. Rejects when it cannot be known now. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>
  /** From 0 to below 1. */
  random(): number
  /** Whether a parameter is secret by its name: its value is then never shown in an error. */
  isSecretName(name: string): boolean
}

/** How far reading goes before it gives up. */
export interface Caps {
  /** Bytes read of one source, unpacked, over all its pages. */
  bytes: number
  /** How many times more than what was sent may come out of it by unpacking. Looked at after the first megabyte. */
  ratio: number
  /** Milliseconds until a server has begun to answer. */
  answerMs: number
  /** Milliseconds until the next piece of an answer. */
  idleMs: number
  /** Milliseconds for one address with everything: waiting, trying again, and what is done with its bytes meanwhile. */
  totalMs: number
  /** Tries in a row that bring nothing new. */
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

/** A token that goes with a request to the origin of its address. */
export interface Token {
  current(): Promise<string>
  /** Another one, for the server does not take the current one. */
  renew(): Promise<string>
  /** Those given so far: never shown. */
  issued: readonly string[]
}

/** One address to read. */
export interface FetchRequest {
  url: string
  /** Names in lower case. For the origin of the address only. */
  headers?: Record<string, string>
  /** Sent by POST as a form instead of asking by GET. */
  form?: Record<string, string>
  token?: Token
  /** Values that must not reach another origin nor be shown in an error. */
  secrets?: readonly string[]
  /** A web page is what is asked for; else one is taken for the sign that the data is not there. */
  isPage?: boolean
}

/** Error codes, by what can be done about them. */
export type FetchCode =
  // The URL is not allowed.
  | 'refused'
  // Too many redirects, or an invalid one.
  | 'redirects'
  | 'dns'
  | 'connect'
  | 'lost'
  | 'timeout'
  | 'certificate'
  // The server answered with a status that is not of data.
  | 'status'
  // Too many bytes, or a suspicious compression ratio.
  | 'tooLarge'
  // The compressed data are corrupt.
  | 'damaged'
  // A web page in place of data.
  | 'page'
  // The file has changed: it must be read again from the first byte.
  | 'changed'
  | 'grant'
  | 'pages'

interface FetchErrorDetails {
  diagnosis?: string | null
  status?: number | null
  isTemporary?: boolean
  retryAfterMs?: number | null
}

/** Why a source could not be fetched. Contains no text of the server but its status, and no secret. */
export class FetchError extends Error {
  override name = 'FetchError'
  readonly code: FetchCode
  /** The cause and what to do about it, for people; null: the message says it. */
  readonly diagnosis: string | null
  /** The status the server answered with; null: it did not. */
  readonly status: number | null
  /** Whether it may go well another time. */
  readonly isTemporary: boolean
  /** Milliseconds of the server's Retry-After; null: it sent none. */
  readonly retryAfterMs: number | null
  /** Where, with its secrets masked. */
  url: string | null = null
  /** The number of consecutive attempts. */
  attempt = 1

  constructor(code: FetchCode, message: string, about: FetchErrorDetails = {}) {
    super(message)
    this.code = code
    this.diagnosis = about.diagnosis ?? null
    this.status = about.status ?? null
    this.isTemporary = about.isTemporary ?? false
    this.retryAfterMs = about.retryAfterMs ?? null
  }
}

const passing = { isTemporary: true }

/** The connection ended before all was there. */
export const connectionLostError = () => new FetchError('lost', 'Connection to server was lost', passing)

/** The time limit was exceeded. */
export const timeoutError = (diagnosis: string) =>
  new FetchError('timeout', 'Server took too long to respond', { diagnosis, isTemporary: true })

/** The host name does not exist, or (`isTemporary`) could not be resolved. */
export const unresolvedError = (isTemporary: boolean) =>
  new FetchError('dns', 'Failed to resolve server host', {
    isTemporary,
    diagnosis: isTemporary
      ? 'The name servers of this address could not be asked.'
      : 'There is no server of this name: look for a mistake in the address.',
  })

/** The delivered bytes are not the beginning of the current file. */
export const createChangedError = () =>
  new FetchError('changed', 'The file changed while it was read.', passing)

/** More than is read. */
export const createTooLargeError = (bytes: number) =>
  new FetchError('tooLarge', `The file is larger than ${formatSize(bytes)}, the most that is read.`)

function formatSize(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB']
  let size = bytes
  let unit = 0
  for (; size >= 1024 && unit < units.length - 1; unit++) size /= 1024
  return `${Math.floor(size * 10) / 10} ${units[unit]}`
}

/** Converts an error of `fetch` or of a body. Runtimes have no common codes, so messages are matched. */
export function networkError(error: unknown, isBody: boolean): FetchError {
  if (error instanceof FetchError) return error
  const words = toErrorText(error)
  if (/ENOTFOUND/.test(words)) return unresolvedError(false)
  if (/EAI_|DNS/.test(words)) return unresolvedError(true)
  if (/\bCERT_|_CERT|ERR_TLS|ERR_SSL|UNABLE_TO|EPROTO|certificate|TLS|SSL/.test(words))
    return badCertificate()
  if (/\bZ_[A-Z]+|ERR__ERROR_FORMAT|decompress|gzip|brotli/i.test(words))
    return new FetchError('damaged', 'What the server sent is packed and cannot be unpacked.')
  if (/TIMEOUT|ETIMEDOUT|timed out/i.test(words)) return timeoutError('The server does not answer.')
  if (
    isBody ||
    /RESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|HPE_|lost|disconnected|premature|closed/i.test(words)
  )
    return connectionLostError()
  return unreachable()
}

const unreachable = () => new FetchError('connect', 'Failed to connect to server', passing)

const badCertificate = () =>
  new FetchError('certificate', 'Failed to connect to server', {
    diagnosis:
      'The certificate of the server does not hold (out of date, for another name, or of an unknown issuer): ask those who run it.',
  })

function toErrorText(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return ''
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return `${code} ${error.message} ${toErrorText(error.cause, depth + 1)}`
}

/** Statuses of proxies that could not reach the server. */
const inPlace: Record<number, () => FetchError> = {
  520: connectionLostError,
  521: unreachable,
  522: () => timeoutError('The server does not answer.'),
  523: unreachable,
  524: () => timeoutError('The server does not answer.'),
  525: badCertificate,
  526: badCertificate,
  530: () => unresolvedError(true),
}

const passingStatuses = new Set([408, 420, 429, 444, 449, 499])

/** The error of a status without data. Uses the standard's reason phrase instead of the server's. */
export function statusError(
  status: number,
  about: { retryAfterMs?: number; isStranger?: boolean },
): FetchError {
  const instead = inPlace[status]
  if (instead) return instead()
  return new FetchError('status', `Server responded with "${statusWords[status] ?? `Status ${status}`}"`, {
    status,
    isTemporary: status >= 500 || passingStatuses.has(status),
    retryAfterMs: about.retryAfterMs,
    diagnosis: findDiagnosis(status, about.isStranger ?? false),
  })
}

function findDiagnosis(status: number, isStranger: boolean): string | undefined {
  if (status === 401 || status === 403)
    return isStranger
      ? 'The server redirects to another one, which does not let us in. Credentials are only sent where they are for: give the address it redirects to.'
      : 'The server does not let us in: look at the credentials of this source.'
  if (status === 404 || status === 410) return 'There is nothing at this address.'
  if (status === 429) return 'The server is asked too often. A longer time between runs may help.'
  if (status >= 300 && status < 400) return 'The server redirects, but does not say where to.'
  if (status >= 500) return 'The server has a fault of its own. Nothing is wrong with this importer.'
  return undefined
}

const statusWords: Record<number, string> = {
  206: 'Partial Content',
  300: 'Multiple Choices',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  420: 'Enhance Your Calm',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  423: 'Locked',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  444: 'No Response',
  449: 'Retry With',
  451: 'Unavailable For Legal Reasons',
  499: 'Client Closed Request',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  507: 'Insufficient Storage',
  508: 'Loop Detected',
  511: 'Network Authentication Required',
}

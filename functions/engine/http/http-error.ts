/** Statuses of errors that exist in HTTP only. */
type HttpStatus = 405 | 406 | 415 | 416

const kinds: Record<HttpStatus, string> = {
  405: 'methodNotAllowed',
  406: 'notAcceptable',
  415: 'unsupportedMediaType',
  416: 'rangeNotSatisfiable',
}

/** An error in the form of a request, independent of its meaning. */
export class HttpError extends Error {
  readonly status: HttpStatus
  readonly headers: Record<string, string>

  constructor(status: HttpStatus, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }

  get kind(): string {
    return kinds[this.status]
  }
}

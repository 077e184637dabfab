import type { Issue } from '#functions/shapes/issue.ts'

/** A refusal of the API. `status` 0: there was no answer at all. `fields` says what is wrong and where. */
export class ApiError extends Error {
  readonly status: number
  readonly kind: string
  readonly fields: Issue[]
  /** Names the request when one asks for help; null without an answer. */
  readonly requestId: string | null

  constructor(
    status: number,
    details: { kind?: string; message?: string; fields?: Issue[] },
    requestId: string | null,
  ) {
    super(details.message ?? 'There was no answer.')
    this.name = 'ApiError'
    this.status = status
    this.kind = details.kind ?? 'unknown'
    this.fields = details.fields ?? []
    this.requestId = requestId
  }
}

/** The error that a response is; also for one that is not JSON, as of a proxy. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as {
    error?: { kind?: string; message?: string; fields?: Issue[] }
    requestId?: string
  }
  const details = body.error ?? { message: response.statusText || `Status ${response.status}` }
  return new ApiError(response.status, details, body.requestId ?? response.headers.get('x-request-id'))
}

import type { Issue } from '#functions/shapes/issue.ts'

/** An error of the API. `status` 0: no response. `fields`: the issues by path. */
export class ApiError extends Error {
  readonly status: number
  readonly kind: string
  readonly fields: Issue[]
  /** The request id, to quote when asking for help; null without a response. */
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

/** The error of a response, also of one that is not JSON, such as a proxy's. */
export async function readApiError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as {
    error?: { kind?: string; message?: string; fields?: Issue[] }
    requestId?: string
  }
  const details = body.error ?? { message: response.statusText || `Status ${response.status}` }
  return new ApiError(response.status, details, body.requestId ?? response.headers.get('x-request-id'))
}

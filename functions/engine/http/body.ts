import { HttpError } from './http-error.ts'
import { boundRequest } from '#functions/platform/bounded-request.ts'
import { boundedText } from '#functions/platform/bounded-text.ts'
import { Failure } from '#functions/errors.ts'

/** Most bytes of a rewritten GET, and of a body that carries records. */
export const maxQueryBytes = 1_000_000
export const maxBodyBytes = 10_000_000

/**
 * Parses the JSON body of a request; undefined without a body. 415 for another content type, `tooLarge` beyond the limit
 * (where reading stops), `invalid` for malformed JSON.
 */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const text = await readText(request, maxBytes)
  if (text.trim() === '') return undefined
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new HttpError(415, 'Unsupported Media Type')
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new Failure('invalid', { message: 'The body is not JSON.', cause: error })
  }
}

/** Most bytes of one uploaded file with its fields; larger ones go straight to the bucket. */
const maxFormBytes = 26_000_000

/** The body of a request that writes: JSON, or the fields of a form where the endpoint takes files. */
export async function readBody(request: Request, takesFiles: boolean): Promise<unknown> {
  const isForm = request.headers.get('content-type')?.toLowerCase().startsWith('multipart/form-data')
  if (!takesFiles || !isForm) return readJson(request, maxBodyBytes)
  const form = boundRequest(request, maxFormBytes)
  if (form.isTooLarge()) throw createTooLargeError()
  try {
    return Object.fromEntries((await form.request.formData()).entries())
  } catch (error) {
    if (form.isTooLarge()) throw createTooLargeError()
    throw new Failure('invalid', { message: 'The form cannot be read.', cause: error })
  }
}

const createTooLargeError = () =>
  new Failure('tooLarge', { message: 'A file of a form may have 25 MB; larger ones are announced first.' })

async function readText(request: Request, maxBytes: number): Promise<string> {
  if (request.body && Number(request.headers.get('content-length') ?? 0) > maxBytes)
    throw new Failure('tooLarge')
  const text = await boundedText(request, maxBytes)
  if (text === null) throw new Failure('tooLarge')
  return text
}

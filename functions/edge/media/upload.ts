import { uploadValues, type Upload } from '#functions/engine/media/address.ts'
import { pendingUploadKey, isFileId } from '#functions/engine/media/keys.ts'
import { putExactly } from '#functions/engine/media/put.ts'
import { isSigned } from '#functions/engine/media/sign.ts'
import type { MediaServices } from './serve.ts'

/**
 * Accepts the upload of a file at an address of `uploadPath`. The signature is the permission: no cookie, no
 * key, no database. 403 for a forged or expired signature, 411 without a length, 413 and 400 for another
 * length than announced, 415 for another type. The file cannot be read until it is confirmed.
 */
export async function receiveUpload(
  request: Request,
  fileId: string,
  ports: MediaServices,
): Promise<Response> {
  const query = new URL(request.url).searchParams
  const upload = uploadIn(query, fileId)
  if (!upload) return textResponse(403, 'This address takes no file.')
  const isOurs = await isSigned(ports, 'upload', uploadValues(upload), query.get('signature') ?? '')
  if (!isOurs) return textResponse(403, 'This address takes no file.')
  if (upload.expiresAt <= ports.now()) return textResponse(403, 'This address has expired.')
  if (request.headers.get('content-type')?.toLowerCase() !== upload.type)
    return textResponse(415, `Send the file as ${upload.type}.`)
  const length = request.headers.get('content-length')
  if (length === null) return textResponse(411, 'Say how long the file is.')
  if (Number(length) > upload.size) return textResponse(413, `The file may have ${upload.size} bytes.`)
  if (Number(length) !== upload.size || !request.body)
    return textResponse(400, `The file should have ${upload.size} bytes.`)
  const body = request.body as ReadableStream<Uint8Array>
  if (await putExactly(ports.files, pendingUploadKey(fileId), body, upload.size))
    return new Response(null, { status: 200, headers: quiet })
  return textResponse(413, `The file should have ${upload.size} bytes.`)
}

const quiet = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

function textResponse(status: number, sentence: string): Response {
  const headers = { ...quiet, 'content-type': 'text/plain; charset=utf-8' }
  return new Response(`${sentence}\n`, { status, headers })
}

function uploadIn(query: URLSearchParams, fileId: string): Upload | null {
  const [size, expires, type] = [query.get('size'), query.get('expires'), query.get('type')]
  const isWhole = (text: string | null) => text !== null && /^\d{1,15}$/.test(text)
  if (!isFileId(fileId) || !isWhole(size) || !isWhole(expires) || !type) return null
  return { fileId, type, size: Number(size), expiresAt: new Date(Number(expires)) }
}

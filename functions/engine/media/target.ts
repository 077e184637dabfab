import { AwsV4Signer } from 'aws4fetch'
import { uploadPath, type Upload } from './address.ts'
import { pendingUploadKey } from './keys.ts'
import type { Settings } from '#functions/context.ts'

/** The URL and headers of an upload. */
interface UploadTarget {
  url: string
  method: 'PUT'
  /** To be sent unchanged: the signature covers them. */
  headers: Record<string, string>
}

/**
 * The URL that accepts the bytes of a file until it expires: the bucket's own if its credentials are configured, so that
 * the bytes do not pass through the Worker; otherwise this Worker's, at `origin`. Both accept exactly this type and
 * size.
 */
export async function uploadTarget(
  upload: Upload,
  { r2, authSecret }: Pick<Settings, 'r2' | 'authSecret'>,
  origin: string,
  now: Date,
): Promise<UploadTarget> {
  const headers = { 'content-type': upload.type }
  if (!r2) return { url: `${origin}${await uploadPath(upload, authSecret)}`, method: 'PUT', headers }
  const url = new URL(`${r2.endpoint}/${r2.bucket}/${pendingUploadKey(upload.fileId)}`)
  const seconds = Math.max(1, Math.floor((upload.expiresAt.getTime() - now.getTime()) / 1000))
  url.searchParams.set('X-Amz-Expires', String(seconds))
  const { accessKeyId, secretAccessKey } = r2
  const signed = await new AwsV4Signer({
    method: 'PUT',
    url: url.href,
    // The signature covers the length, so a body of another length is rejected. Clients send this header anyway.
    headers: { ...headers, 'content-length': String(upload.size) },
    accessKeyId,
    secretAccessKey,
    service: 's3',
    region: 'auto',
    datetime: now.toISOString().replace(/[:-]|\.\d{3}/g, ''),
    signQuery: true,
    allHeaders: true,
  }).sign()
  return { url: signed.url.href, method: 'PUT', headers }
}

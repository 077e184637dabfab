import { signature } from './sign.ts'

/**
 * The path of a public file: `/m/{id}/{name}`. The name does not identify the file: it is only suggested when the file
 * is saved.
 */
export function mediaPath(file: { id: string; name: string }): string {
  return `/m/${file.id}/${encodeName(file.name)}`
}

/** A name as one segment of a path. Half characters, which no address can carry, become a replacement mark. */
function encodeName(name: string): string {
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(/^\.{1,2}$/, 'file')
}

/** A permitted upload: the file, its declared type, its exact size, and the expiry. */
export interface Upload {
  fileId: string
  type: string
  /** Bytes. */
  size: number
  expiresAt: Date
}

/** The values that the signature of an upload URL covers, in order. */
export function uploadValues({ fileId, type, size, expiresAt }: Upload): string[] {
  return [fileId, type, String(size), String(expiresAt.getTime())]
}

/** Path and query of an upload through this Worker. */
export async function uploadPath(upload: Upload, secret: string): Promise<string> {
  const signed = await signature(secret, 'upload', uploadValues(upload))
  const query = new URLSearchParams({
    type: upload.type,
    size: String(upload.size),
    expires: String(upload.expiresAt.getTime()),
    signature: signed,
  })
  return `/m/upload/${upload.fileId}?${query}`
}

/** The values that the signature of a data file's URL covers. */
export function readValues(fileId: string, expires: string): string[] {
  return [fileId, expires]
}

/** Path and query by which a private file can be read until the given time. */
export async function buildSignedPath(
  file: { id: string; name: string },
  expiresAt: Date,
  secret: string,
): Promise<string> {
  const expires = String(expiresAt.getTime())
  const signed = await signature(secret, 'read', readValues(file.id, expires))
  return `/m/data/${file.id}/${encodeName(file.name)}?${new URLSearchParams({ expires, signature: signed })}`
}

import { signature } from './sign.ts'

/**
 * The path of a file that anyone may read who knows it: `/m/{id}/{name}`. The name is decoration: the answer to the
 * path offers to save the file under it.
 */
export function mediaPath(file: { id: string; name: string }): string {
  return `/m/${file.id}/${encodeName(file.name)}`
}

/** A name as one segment of a path. Half characters, which no address can carry, become a replacement mark. */
function encodeName(name: string): string {
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(/^\.{1,2}$/, 'file')
}

/** Bytes that may be sent: which file, of what declared type, exactly how many, until when. */
export interface Upload {
  fileId: string
  type: string
  /** Bytes. */
  size: number
  expiresAt: Date
}

/** What the address of an upload is bound to, in the order it is signed in. */
export function uploadValues({ fileId, type, size, expiresAt }: Upload): string[] {
  return [fileId, type, String(size), String(expiresAt.getTime())]
}

/** Path and query where this Worker itself takes the bytes. */
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

/** What the address of a file of data is bound to. */
export function readValues(fileId: string, expires: string): string[] {
  return [fileId, expires]
}

/** Path and query where a file without an open address can be read until the time given. */
export async function signedPath(
  file: { id: string; name: string },
  expiresAt: Date,
  secret: string,
): Promise<string> {
  const expires = String(expiresAt.getTime())
  const signed = await signature(secret, 'read', readValues(file.id, expires))
  return `/m/data/${file.id}/${encodeName(file.name)}?${new URLSearchParams({ expires, signature: signed })}`
}

import type { Asset } from './asset.ts'
import { refusalLine } from '../form/message-words.ts'

interface UploadRequest {
  assetsId: string
  folderId: string | null
  file: File
  /** Called with the share that was sent, 0 to 1. */
  onProgress(share: number): void
  signal: AbortSignal
}

/**
 * Uploads a file to a library: announces it, sends its bytes to the returned URL, confirms it. Gives the stored file. Throws errors of
 * the server; an `AbortError` if it was cancelled.
 */
export async function sendFile({
  assetsId,
  folderId,
  file,
  onProgress,
  signal,
}: UploadRequest): Promise<Asset> {
  const { api } = await import('#app/client/api/index.ts')
  const files = api().assets.file
  const type = file.type || 'application/octet-stream'
  const about = { name: toValidName(file.name), type, size: file.size, folderId }
  const target = await files.getUploadWriteUrl({ assetsId, data: about }, { signal })
  await putFile(target, file, onProgress, signal)
  return files.create({ assetsId, data: { fileId: target.fileId, folderId } }, { signal })
}

/** Why an upload failed: the server's message, with those of its fields. */
export function describeUploadError(error: unknown): string {
  const { fields } = error as { fields?: { message: string }[] }
  return error instanceof Error ? refusalLine(error.message, fields) : 'The file was not taken.'
}

/** A valid name: no slashes, at most 200 characters. */
const toValidName = (name: string) => name.replace(/[/\\]/g, '-').slice(-200)

/** XMLHttpRequest, as `fetch` reports no upload progress. */
function putFile(
  { url, headers }: { url: string; headers: Record<string, string> },
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0)
    request.onload = () =>
      request.status < 300
        ? resolve()
        : reject(new Error(parseErrorMessage(request.responseText, request.status)))
    request.onerror = () => reject(new Error('The connection was lost while the file was being sent.'))
    request.onabort = () => reject(new DOMException('Taken back.', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

function parseErrorMessage(text: string, status: number): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } }
    if (typeof error?.message === 'string') return error.message
  } catch {
    // A response that is not JSON has no message for people.
  }
  return `The file was not taken (${status}).`
}

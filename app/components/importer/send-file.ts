import { refusalLine } from '../form/message-words.ts'
import { toTrialResult, type TrialResult } from './trial.ts'
import { maxFileBytes, maxFormFileBytes } from '#functions/shapes/file.ts'
import { isArchive, parsers, type ParserName } from '#functions/shapes/parser/index.ts'
import { formatTooLargeFile } from '#functions/shapes/parser/size.ts'
import { parserOfName } from './parser-guess.ts'

/** How much of a text file is sent for a trial; archives are sent whole. */
const sampleBytes = 1_100_000
/** More of JSON, to count its lists. */
const listBytes = 4_100_000

type Progress = (sentBytes: number, total: number) => void

/** A rejected file, with a message for people. */
export class UploadRefusal extends Error {}

const isZip = (file: File) => /\.zip$/i.test(file.name)

/** Whether a trial needs all of a file: its parts are found from its end, or wherever they are. */
const isLookedAtWhole = (file: File, parser: ParserName) => isArchive(parser) || isZip(file)

/** Whether a file is to be uploaded before it can be tried: it is needed whole, and does not fit into a form. */
export function needsUpload(file: File, parser: ParserName): boolean {
  return isLookedAtWhole(file, parser) && file.size > maxFormFileBytes
}

/** Refuses a file that is larger than its format may be, in words that say what to do. */
export function requireReadable(file: File, parser: ParserName): void {
  const most = Math.min(parsers[parser].mostBytes ?? Infinity, maxFileBytes)
  // What is in a zip archive is only known once it was looked at.
  const name = isZip(file) ? null : parser
  if (file.size > most) throw new UploadRefusal(formatTooLargeFile(name, most, file.size))
}

/**
 * Uploads a file before its source exists, to a signed URL. Gives its id, by which it can be tried and later be added to the source; it
 * is deleted after a day if it was not.
 */
export function uploadAhead(placeId: string, file: File, progress: Progress): Promise<string> {
  return sendAnnounced(`/v1/places/${encodeURIComponent(placeId)}/files`, file, progress)
}

/** Tries a file before there is a source: by the id of its upload, else by its beginning. Throws `UploadRefusal` with the server's message. */
export async function tryFile(
  placeId: string,
  file: File,
  source: object,
  { parser, fileId, progress }: { parser: ParserName; fileId: string | null; progress: Progress },
): Promise<TrialResult> {
  const address = `/v1/places/${encodeURIComponent(placeId)}/sources/test`
  if (fileId !== null)
    return toTrialResult(
      await send('POST', address, JSON.stringify({ fileId, sources: [source] }), json, () => {}),
    )
  const most = parser === 'json' ? listBytes : sampleBytes
  const isWhole = isLookedAtWhole(file, parser) || file.size <= most
  const form = new FormData()
  form.set('file', isWhole ? file : file.slice(0, most, file.type), file.name)
  form.set('sources', JSON.stringify([source]))
  return toTrialResult(await send('POST', address, form, {}, progress))
}

/** Uploads a file to a source, in the request itself or, from 25 MB on, to a signed URL. Gives its id. */
export async function uploadFile(sourceId: string, file: File, progress: Progress): Promise<string> {
  const address = getFilesPath(sourceId)
  requireReadable(file, parserOfName(file.name))
  if (file.size <= maxFormFileBytes) {
    const form = new FormData()
    form.set('file', file, file.name)
    return idIn(await send('POST', address, form, {}, progress))
  }
  return confirmFile(sourceId, await sendAnnounced(address, file, progress))
}

/** Adds an uploaded file to a source. Gives its id. */
export async function confirmFile(sourceId: string, fileId: string): Promise<string> {
  return idIn(await send('POST', getFilesPath(sourceId), JSON.stringify({ fileId }), json, () => {}))
}

const json = { 'content-type': 'application/json' }
const getFilesPath = (sourceId: string) => `/v1/sources/${encodeURIComponent(sourceId)}/files`

/** Announces a file at an address and sends its bytes to the URL of the answer. Gives its id. */
async function sendAnnounced(address: string, file: File, progress: Progress): Promise<string> {
  const { name, size, type } = file
  const announcement = JSON.stringify({ name, size, type: type || 'application/octet-stream' })
  const answer = (await send('POST', address, announcement, json, () => {})) as {
    id: string
    upload?: { url: string; method: string; headers: Record<string, string> }
  }
  if (!answer.upload) throw new UploadRefusal('The upload could not be started. Try again.')
  await send(answer.upload.method, answer.upload.url, file, answer.upload.headers, progress)
  return answer.id
}

const idIn = (answer: unknown) => (answer as { id: string }).id

/** XMLHttpRequest, as `fetch` reports no upload progress. */
function send(
  method: string,
  url: string,
  body: XMLHttpRequestBodyInit,
  headers: Record<string, string>,
  progress: Progress,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => progress(loaded, total)
    request.onerror = () => reject(new UploadRefusal('The connection broke off. Try again.'))
    request.onload = () => {
      const answer = jsonIn(request.responseText)
      if (request.status < 300) resolve(answer)
      else reject(new UploadRefusal(sentenceIn(answer, request.status)))
    }
    request.send(body)
  })
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return {}
  }
}

function sentenceIn(answer: unknown, status: number): string {
  const unknown = status === 413 ? 'The file is too large.' : 'It did not work. Try again.'
  const { message = unknown, fields = [] } =
    (answer as { error?: { message?: string; fields?: { message: string }[] } }).error ?? {}
  return refusalLine(message, fields.slice(0, 1))
}

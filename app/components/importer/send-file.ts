import { refusalLine } from '../form/message-words.ts'
import { triedOf, type TrialResult } from './trial.ts'
import { maxFileBytes, maxFormFileBytes } from '#functions/shapes/file.ts'
import { isArchive, type ParserName } from '#functions/shapes/parser/index.ts'

/** How much of a text file is sent for a trial; archives are sent whole. */
const sampleBytes = 1_100_000
/** More of JSON, to count its lists. */
const listBytes = 4_100_000

type Progress = (sentBytes: number, total: number) => void

/** A rejected file, with a message for people. */
export class UploadRefusal extends Error {}

/** Tries a file before there is a source, by its beginning. Throws `Refused` with the server's message. */
export async function tryFile(
  placeId: string,
  file: File,
  source: object,
  parser: ParserName,
  progress: Progress,
): Promise<TrialResult> {
  const most = parser === 'json' ? listBytes : sampleBytes
  const isWhole = isArchive(parser) || /\.zip$/i.test(file.name) || file.size <= most
  if (isWhole && file.size > maxFormFileBytes)
    throw new UploadRefusal(
      'Files of this kind are looked at whole, up to 25 MB. Add this one to a source that is there already.',
    )
  const form = new FormData()
  form.set('file', isWhole ? file : file.slice(0, most, file.type), file.name)
  form.set('sources', JSON.stringify([source]))
  return triedOf(
    await send('POST', `/v1/places/${encodeURIComponent(placeId)}/sources/test`, form, {}, progress),
  )
}

/** Uploads a file to a source, in the request itself or, from 25 MB on, to a signed URL. Gives its id. */
export async function uploadFile(sourceId: string, file: File, progress: Progress): Promise<string> {
  const address = `/v1/sources/${encodeURIComponent(sourceId)}/files`
  if (file.size > maxFileBytes)
    throw new UploadRefusal('A file may have up to 100 MB. Give its address instead.')
  if (file.size <= maxFormFileBytes) {
    const form = new FormData()
    form.set('file', file, file.name)
    return idIn(await send('POST', address, form, {}, progress))
  }
  const json = { 'content-type': 'application/json' }
  const { name, size, type } = file
  const announcement = JSON.stringify({ name, size, type: type || 'application/octet-stream' })
  const answer = (await send('POST', address, announcement, json, () => {})) as {
    id: string
    upload?: { url: string; method: string; headers: Record<string, string> }
  }
  if (!answer.upload) throw new UploadRefusal('The upload could not be started. Try again.')
  await send(answer.upload.method, answer.upload.url, file, answer.upload.headers, progress)
  return idIn(await send('POST', address, JSON.stringify({ fileId: answer.id }), json, () => {}))
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
  if (status === 413) return 'The file is too large.'
  const { message = 'It did not work. Try again.', fields = [] } =
    (answer as { error?: { message?: string; fields?: { message: string }[] } }).error ?? {}
  return refusalLine(message, fields.slice(0, 1))
}

import { FetchError } from './errors.ts'

/** The size of the beginning that determines the kind of page. */
const lookedAt = 64 * 1024
/** The size of a beginning without a decision: spaces and comments may precede a page. */
const heldBack = 4096

/**
 * Passes the bytes on, unless they are an HTML page where data was expected: then throws a FetchError `page` before the
 * first of them. Detected by content and not by type: some servers send data as `text/html`.
 */
export async function* refusePage(
  bytes: AsyncIterable<Uint8Array>,
  url: string,
): AsyncGenerator<Uint8Array, void> {
  const chunks: Uint8Array[] = []
  let length = 0
  let isPage: boolean | null = null
  for await (const chunk of bytes) {
    if (isPage === false) {
      yield chunk
      continue
    }
    chunks.push(chunk)
    length += chunk.length
    isPage ??= beginsAsPage(decodeText(chunks))
    if (isPage && length >= lookedAt) break
    if (isPage === false) yield* chunks.splice(0)
  }
  if (isPage) throw Object.assign(pageError(decodeText(chunks), url), { url })
  // The response was too short to decide.
  yield* chunks
}

const markers = ['<!doctype html', '<html', '<head', '<body', '<script', '<meta']

/** Whether a text is an HTML page; null while it is too short to tell. */
function beginsAsPage(text: string): boolean | null {
  const begin = text.replace(/^(\uFEFF|\s|<!--[^]*?-->|<\?xml[^>]*>)*/, '').toLowerCase()
  if (markers.some((marker) => begin.startsWith(marker))) return true
  if (begin.startsWith('<!--') && text.length < heldBack) return null
  return text.length < heldBack && markers.some((marker) => marker.startsWith(begin)) ? null : false
}

function pageError(text: string, url: string): FetchError {
  const isLogin =
    /type\s*=\s*["']?password/i.test(text) || /log-?in|sign-?in|\/sso|saml|oauth/i.test(new URL(url).pathname)
  return new FetchError('page', 'Server responded with a web page in place of data', {
    diagnosis: isLogin
      ? 'It is a page to log in at: the data is not open, or the credentials of this source are not taken.'
      : 'Open the address in a browser: it may be the page about the data, or one that says why there is none.',
  })
}

function decodeText(chunks: Uint8Array[]): string {
  const decoder = new TextDecoder()
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('')
}

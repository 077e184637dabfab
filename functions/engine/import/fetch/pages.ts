import { FetchError, createTooLargeError } from './errors.ts'
import { createToken } from './grant.ts'
import { open, type ResumePoint, type OpenedFile } from './open.ts'
import { defaultCaps, type Caps, type FetchRequest, type FetchServices } from './ports.ts'
import { hasSecretParameter, maskSecrets, withoutSecrets } from './secrets.ts'
import { toPlainSource, withQuery, type PlainSource } from './source-request.ts'
import { hex, sha256 } from '#functions/platform/digest.ts'
import type { ImporterSource } from '#functions/shapes/importer-source.ts'

/** One page of a source; a source without paging is one page. */
export interface Page extends Pick<
  OpenedFile,
  'url' | 'headers' | 'bytes' | 'validator' | 'lastModified' | 'length'
> {
  /** From 1. */
  number: number
  /** What `begin` needs to read this page again: its URL if another page linked to it, else null. Not for display. */
  link: string | null
}

/** The contents of a page that determine whether there is another one. */
export interface PageRead {
  /** Good and bad ones. */
  rows: number
  /** The result of `findNextPageUrl`; for sources with a `nextPageSelector`. */
  next?: string | null
}

const maxPages = 10_000

/** The start of a reading: a page, and the position in it. */
export interface ReadingStart {
  number: number
  link: string | null
  from?: ResumePoint
}

/**
 * The pages of a source, one after the other: with a `nextPageSelector` until there is no next URL, with `pageParam` or
 * `offsetParam` until a page has no rows. `next({ rows, next })` passes what was in the page before and requests
 * another; an unfinished page is closed. `caps.bytes` applies to all pages together, `totalMs` to each. `secrets`:
 * values that are secret whatever their name. Throws a FetchError, or the reason of the signal.
 */
export async function* pages(
  ports: FetchServices,
  source: ImporterSource,
  options: { caps?: Partial<Caps>; signal: AbortSignal; secrets?: readonly string[]; begin?: ReadingStart },
): AsyncGenerator<Page, void, PageRead | undefined> {
  const caps = { ...defaultCaps, ...options.caps }
  const { signal, begin } = options
  const plain = toPlainSource(ports, source, options.secrets ?? [])
  const { secrets } = plain
  const { totalMs, attempts } = caps
  const token = plain.grant
    ? createToken(ports, plain.grant, { secrets, signal, caps: { totalMs, attempts } })
    : undefined
  const isPage = source.parser === 'html' || source.parser === 'xml'
  const fingerprints = new Set<string>()
  let link = begin?.link ?? null
  let from = begin?.from
  let bytesRead = 0
  for (let number = begin?.number ?? 1; ; number++) {
    const input = link === null ? buildPageRequest(plain, source, number) : buildLinkRequest(plain, link)
    const request: FetchRequest = { ...input, secrets, isPage, ...(input.isOwn && { token }) }
    const fail = (message: string) =>
      Object.assign(new FetchError('pages', message), {
        url: maskSecrets(input.url, secrets, ports.isSecretName),
      })
    if (number > maxPages)
      throw fail(`There are more than ${maxPages} pages, which is the most that is read.`)
    const print = hex(await sha256(input.url))
    if (fingerprints.has(print))
      throw fail(`Page ${number} is one that came before: its server leads in a circle.`)
    fingerprints.add(print)

    const file = await open(ports, request, { caps, signal, from })
    let values: PageRead | undefined
    try {
      const { url, headers, validator, lastModified, length } = file
      const bytes = countBytes(file.bytes, (count) => {
        bytesRead += count
        if (bytesRead > caps.bytes) throw createTooLargeError(caps.bytes)
      })
      values = yield { url, headers, bytes, validator, lastModified, length, number, link }
    } finally {
      file.close()
    }
    if (!source.pagination) return
    if (!values) throw new Error('A source with pages has to be told what was in each.')
    from = undefined
    if (source.pagination.nextPageSelector !== undefined) {
      if (values.next === null || values.next === undefined) return
      link = resolve(values.next, plain.url)
    } else if (values.rows === 0) return
  }
}

/** The URL of a page by its number. */
function buildPageRequest(
  { url, query, headers }: PlainSource,
  { pagination }: ImporterSource,
  number: number,
): { url: string; headers: Record<string, string>; isOwn: true } {
  const { pageParam, offsetParam, limitParam, limit, startPage = 0 } = pagination ?? {}
  const page = startPage + number - 1
  const all = {
    ...query,
    ...(pageParam !== undefined && { [pageParam]: String(page) }),
    ...(offsetParam !== undefined && limit !== undefined && { [offsetParam]: String(page * limit) }),
    ...(limitParam !== undefined && limit !== undefined && { [limitParam]: String(limit) }),
  }
  return { url: withQuery(url, all), headers, isOwn: true }
}

/** The URL of a linked page, unchanged; credentials that servers omit are added for the same origin only. */
function buildLinkRequest(
  { url, query, headers, secrets }: PlainSource,
  link: string,
): { url: string; headers: Record<string, string>; isOwn: boolean } {
  const [own, next] = [new URL(url), new URL(link)]
  if (next.origin === own.origin) {
    const missing = Object.entries(query).filter(
      ([name, value]) => secrets.includes(value) && !next.searchParams.has(name),
    )
    return { url: withQuery(link, Object.fromEntries(missing)), headers, isOwn: true }
  }
  const clean = withoutSecrets(next, secrets)
  if (!clean || (own.protocol === 'https:' && next.protocol === 'http:' && hasSecretParameter(next, secrets)))
    throw new FetchError(
      'pages',
      'The next page is on another server, and its address has a secret of this one in it.',
    )
  return { url: clean.href, headers: {}, isOwn: false }
}

/** Resolves the link of a page relative to the URL of its source. */
function resolve(next: string, url: string): string {
  let link: URL
  try {
    link = new URL(next, url)
  } catch {
    throw new FetchError('pages', 'The nextPageSelector does not lead to an address.')
  }
  const own = new URL(url)
  // Servers behind a TLS proxy often link to http: the connection stays encrypted.
  if (own.protocol === 'https:' && link.protocol === 'http:' && link.host === own.host)
    link.protocol = 'https:'
  link.hash = ''
  return link.href
}

async function* countBytes(
  bytes: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of bytes) {
    count(chunk.length)
    yield chunk
  }
}

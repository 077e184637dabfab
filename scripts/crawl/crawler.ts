import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'

export interface Fetched {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** What is remembered of an answer. */
export interface Seen {
  status: number
  type: string
  /** SHA-256 of the body, hex; of a page without the tokens of its forms. */
  hash: string
  /** Of when an older answer is, where it is one. */
  snapshotDate: string | null
  retryAfter: string | null
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/**
 * Gives a function that asks a host at a port of this machine, with headers that say who asks. A connection that breaks is an
 * answer of status 0.
 */
export function asker(
  port: number,
  host: string,
  own: Record<string, string> = {},
): (path: string) => Promise<Fetched> {
  return (path) =>
    new Promise((resolve) => {
      const noAnswer = { status: 0, headers: {}, body: Buffer.alloc(0) }
      const httpRequest = request(
        { agent, host: '127.0.0.1', port, path, headers: { ...own, host: `${host}:${port}` } },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', () => resolve(noAnswer))
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
          )
        },
      )
      httpRequest.on('error', () => resolve(noAnswer))
      httpRequest.end()
    })
}

/** Asks for paths, several at once. Gives what was seen, by path; `follow` names more to ask for. */
export async function visitAll(
  ask: (path: string) => Promise<Fetched>,
  start: Iterable<string>,
  follow: (path: string, answer: Fetched) => string[] = () => [],
  atOnce = 6,
): Promise<Map<string, Seen>> {
  const visits = new Map<string, Seen>()
  const knownPaths = new Set(start)
  const waiting = [...knownPaths]
  const work = async () => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const answer = await ask(path)
      visits.set(path, describeAnswer(answer))
      for (const next of follow(path, answer)) {
        if (knownPaths.has(next)) continue
        knownPaths.add(next)
        waiting.push(next)
      }
    }
  }
  // Who finds nothing waiting may only be early: others are still reading.
  do await Promise.all(Array.from({ length: atOnce }, work))
  while (waiting.length > 0)
  return visits
}

function describeAnswer({ status, headers, body }: Fetched): Seen {
  const text = (name: string) => (typeof headers[name] === 'string' ? headers[name] : null)
  const isPage = text('content-type')?.startsWith('text/html') === true
  return {
    status,
    type: text('content-type') ?? '',
    hash: createHash('sha256')
      .update(isPage ? withoutTokens(body) : body)
      .digest('hex'),
    snapshotDate: text('x-snapshot-date'),
    retryAfter: text('retry-after'),
  }
}

/** The form of a report has another token each time it is looked at, so that it can be sent once. */
const withoutTokens = (body: Buffer) =>
  body.toString().replace(/(<input type="hidden" name="form" value=")[^"]*/g, '$1')

const textTypes = /^(?:text\/|application\/(?:[\w.+-]*json|[\w.+-]*xml|atom|rss))/

const notFollowed = /<a\s[^>]*\brel="[^"]*\bnofollow\b[^"]*"[^>]*>/g

/**
 * The paths that an answer leads to: links, pictures, scripts and data of pages, addresses of sitemaps, feeds and
 * catalogues. Only those of this host, and of `appHost` those of the API. As robots do it does not follow `nofollow`: what can be chosen of
 * a table makes more addresses than anyone could ask for, and files of a choice are made live.
 */
export function linksIn({ headers, body }: Fetched, at: string, host: string, appHost: string): string[] {
  const type = String(headers['content-type'] ?? '')
  if (!textTypes.test(type) || body.length > 5_000_000) return []
  const text = body.toString().replace(notFollowed, '')
  const links = [
    ...matches(text, /(?:href|src|action|data-[a-z-]*href|data-search-index)="([^"#]+)/g),
    ...matches(text, /<(?:loc|link|id|url)>\s*(https?:[^<\s]+)/g),
    ...matches(text, /"(https?:\/\/[^"\\\s<>]+|\/(?:f|a|e|v1|domains|pages|og|embed)\/[^"\\\s<>]+)"/g),
    ...matches(text, /<(https?:\/\/[^>\s]+)>/g),
    ...(at === '/robots.txt' ? matches(text, /^Sitemap: (\S+)/gm) : []),
  ]
  return links.flatMap((link) => {
    const url = URL.parse(link.replaceAll('&amp;', '&'), `http://${host}${at}`)
    if (!url || !/^https?:$/.test(url.protocol) || /[{}]|%7B/i.test(url.pathname)) return []
    const isApi = url.host === appHost && /^\/(?:v1|e|t|a)\//.test(url.pathname)
    return url.host === host || isApi ? [url.pathname + url.search] : []
  })
}

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, link]) => link ?? '')

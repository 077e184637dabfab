import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'

export interface FetchResult {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** The remembered parts of an answer. */
export interface VisitReport {
  status: number
  type: string
  /** SHA-256 of the body, hex; for pages without the tokens of their forms. */
  hash: string
  /** The date of a stale answer, if it is one. */
  snapshotDate: string | null
  retryAfter: string | null
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/**
 * Returns a function that requests a host at a port of this machine, with headers that say who asks. A broken
 * connection gives the status 0.
 */
export function createRequester(
  port: number,
  host: string,
  own: Record<string, string> = {},
): (path: string) => Promise<FetchResult> {
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

/**
 * Requests paths, several in parallel. Returns what was seen, by path; `follow` gives more paths to request.
 */
export async function visitAll(
  ask: (path: string) => Promise<FetchResult>,
  start: Iterable<string>,
  follow: (path: string, answer: FetchResult) => string[] = () => [],
  atOnce = 6,
): Promise<Map<string, VisitReport>> {
  const visits = new Map<string, VisitReport>()
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
  // An empty queue may only be temporary: other workers may still add paths.
  do await Promise.all(Array.from({ length: atOnce }, work))
  while (waiting.length > 0)
  return visits
}

function describeAnswer({ status, headers, body }: FetchResult): VisitReport {
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

/** The form of a report has a new token with each request, so that it can be submitted only once. */
const withoutTokens = (body: Buffer) =>
  body.toString().replace(/(<input type="hidden" name="form" value=")[^"]*/g, '$1')

const textTypes = /^(?:text\/|application\/(?:[\w.+-]*json|[\w.+-]*xml|atom|rss))/

const notFollowed = /<a\s[^>]*\brel="[^"]*\bnofollow\b[^"]*"[^>]*>/g

/**
 * Extracts the paths that an answer links to: links, pictures, scripts and data of pages, addresses of
 * sitemaps, feeds and catalogues. Only those of this host, and of `appHost` those of the API. Like robots it
 * does not follow `nofollow`: the filters of a table make more addresses than anyone could request, and files
 * of a filtered table are generated on demand.
 */
export function linksIn({ headers, body }: FetchResult, at: string, host: string, appHost: string): string[] {
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

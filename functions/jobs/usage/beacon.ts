import { isbot } from 'isbot'
import * as v from 'valibot'
import { countView } from './hub.ts'
import { toNetwork } from '#functions/platform/rate-limit-key.ts'
import { boundedText } from '#functions/platform/bounded-text.ts'
import type { Limiter } from '#functions/context.ts'
import { Beacon, maxBeaconBytes } from '#functions/shapes/beacon.ts'
import { splitLocale } from '#functions/engine/address/locales.ts'
import { languagesIn, pageName, readManifest } from '#functions/edge/hub/manifest.ts'
import type { Snapshot } from '#functions/edge/hub/snapshot.ts'
import { withoutSlashes } from '#functions/engine/address/urls.ts'

export interface BeaconServices {
  snapshot: Snapshot
  hubs: R2Bucket
  /** Null: no limits. */
  limits: Limiter | null
  now: Date
  /** Runs work after the response. */
  waitUntil(work: Promise<void>): void
  /** Something was counted: write it when it is time. */
  scheduleFlush(): Promise<void>
}

/**
 * Answers `POST /beacon` on a hub's host, immediately and without the database: 204, 400 for an invalid beacon, 403 from
 * another site, 405, 413, 429. Bots, and readers who opt out (`Sec-GPC`, `DNT`), get 204 and are not counted. The
 * sender's address is only used by the rate limiter, for a minute; neither it nor the user agent is stored.
 */
export async function serveBeacon(request: Request, ports: BeaconServices): Promise<Response> {
  const { headers } = request
  if (request.method !== 'POST') return answer(405, { allow: 'POST' })
  const url = new URL(request.url)
  if (isForeign(headers, url)) return answer(403)
  const sender = toNetwork(headers.get('cf-connecting-ip'))
  if (ports.limits && !(await ports.limits.consumeToken('anonymous', `beacon ${sender}`)))
    return answer(429, { 'retry-after': '60' })
  const text = await boundedText(request, maxBeaconBytes).catch(() => '')
  if (text === null) return answer(413)
  const beacon = readBeacon(text)
  if (!beacon) return answer(400)
  if (isReader(headers)) ports.waitUntil(count(beacon, getCountry(request), url, ports))
  return answer(204)
}

/** Whether a request counts: not from a bot, and not from a reader who opts out (`Sec-GPC`, `DNT`). */
export function isReader(headers: Headers): boolean {
  const agent = headers.get('user-agent')
  if (headers.get('sec-gpc') === '1' || headers.get('dnt') === '1') return false
  return agent !== null && agent !== '' && !isbot(agent)
}

/** Browsers send the origin of a request; only pages of the host itself are accepted. */
function isForeign(headers: Headers, { host }: URL): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') return true
  return origin !== null && (!URL.canParse(origin) || new URL(origin).host !== host)
}

function readBeacon(text: string): Beacon | null {
  try {
    const beacon = v.safeParse(Beacon, JSON.parse(text))
    return beacon.success ? beacon.output : null
  } catch {
    return null
  }
}

/** The country by the edge; 'XX' where it is unknown or hidden (Tor is 'T1' there). */
function getCountry({ cf }: Request): string {
  const country = cf?.['country']
  return typeof country === 'string' && /^[A-Z]{2}$/.test(country) ? country : 'XX'
}

/** Counts a beacon under the page that the hub serves at its path; all unknown paths count as one. */
async function count(
  { path, from, device, ...speed }: Beacon,
  country: string,
  url: URL,
  ports: BeaconServices,
) {
  const { placeId, manifest: number, canonicalHost } = ports.snapshot
  const manifest = await readManifest(ports.hubs, placeId, number)
  if (!manifest) return
  const target = splitLocale(withoutSlashes(path) || '/', languagesIn(manifest))
  const key = pageName(target.locale, target.path)
  const page = Object.hasOwn(manifest.pages, key) ? manifest.pages[key] : undefined
  // Files for programs carry no script.
  if (page && !page.type.startsWith('text/html')) return
  const isPage = page?.status === 200
  const isOwn = from === url.host || from === canonicalHost
  countView(ports.now, {
    placeId,
    page: isPage ? target.path : '404',
    locale: isPage ? target.locale : null,
    country,
    device,
    from: from === undefined || isOwn ? null : from,
    speed,
  })
  await ports.scheduleFlush()
}

function answer(status: number, more: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { 'cache-control': 'no-store', ...more } })
}

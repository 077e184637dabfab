import { toHubLanguages } from '#functions/shapes/locale.ts'
import { buildOembed, oembedXml, type Oembed, type Shareable } from '#functions/engine/catalogue/oembed.ts'
import { localeBase, splitLocale } from '#functions/engine/address/locales.ts'
import { errorJson } from './error-answers.ts'
import { fileKey, pageName, readManifest } from './manifest.ts'
import { hostname, placeUrl, withoutSlashes } from '#functions/engine/address/urls.ts'
import type { Snapshot } from './snapshot.ts'
import { verdictOn } from './withdrawn.ts'
import type { Settings } from '#functions/context.ts'
import { readStates } from '#functions/engine/chart/figure-state.ts'
import { embedPath, picturePath } from '#functions/shapes/hub-picture.ts'

interface OembedServices {
  hubs: R2Bucket
  settings: Pick<Settings, 'appHost' | 'publicHost' | 'scheme'>
  /** The snapshot of a hub's host; null for other hosts. */
  find(host: string): Promise<Snapshot | null>
  /** Requests a path of `/v1`: insights have an address in the workspace, and their own oEmbed. */
  ask(path: string): Promise<Response>
}

/**
 * `/oembed?url=…` (oEmbed 1.0) on every host: pages of hubs from storage, public insights from `/v1`.
 * `format` is json or xml, otherwise 501 as in the standard; `maxwidth` and `maxheight` in pixels. 404 for
 * anything but a public page of ours.
 */
export async function serveOembed(request: Request, ports: OembedServices): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return errorJson(
      { status: 405, kind: 'notAllowed', message: 'Only GET and HEAD.' },
      { allow: 'GET, HEAD' },
    )
  const { searchParams } = new URL(request.url)
  const format = searchParams.get('format') ?? 'json'
  if (format !== 'json' && format !== 'xml')
    return errorJson({ status: 501, kind: 'unsupported', message: 'The format must be json or xml.' })
  const address = urlIn(searchParams.get('url') ?? '')
  if (!address)
    return errorJson({ status: 400, kind: 'invalid', message: 'Give the address of a page as url.' })
  const room = { width: pixels(searchParams.get('maxwidth')), height: pixels(searchParams.get('maxheight')) }
  const answer =
    (await findHubOembed(address, room, ports)) ?? (await findInsightOembed(address, room, ports))
  if (!answer)
    return errorJson({ status: 404, kind: 'notFound', message: 'This address is of no public page here.' })
  const body = format === 'xml' ? oembedXml(answer) : `${JSON.stringify(answer)}\n`
  return new Response(request.method === 'HEAD' ? null : body, {
    headers: {
      ...sharedHeaders,
      'content-type': format === 'xml' ? 'text/xml; charset=utf-8' : 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=0, must-revalidate',
    },
  })
}

type Room = Parameters<typeof buildOembed>[2]

async function findHubOembed(
  address: URL,
  room: Room,
  { hubs, settings, find }: OembedServices,
): Promise<Oembed | null> {
  const snapshot = await find(hostname(address.host))
  if (!snapshot?.isHub) return null
  const manifest = await readManifest(hubs, snapshot.placeId, snapshot.manifest)
  const locales = toHubLanguages(manifest?.languages)
  const { locale, path } = splitLocale(withoutSlashes(address.pathname) || '/', locales)
  const page = manifest?.pages[pageName(locale, path)]
  const isPage =
    page?.status === 200 &&
    page.type.startsWith('text/html') &&
    !path.startsWith('/embed/') &&
    verdictOn(snapshot, path, page) === 'shown'
  const file = isPage ? manifest?.pages[pageName(locale, picturePath(path))]?.files[0] : undefined
  const object = file === undefined ? null : await hubs.get(fileKey(snapshot.placeId, file))
  if (!object) return null
  const origin = placeUrl({ id: snapshot.placeId, domains: [snapshot.canonicalHost] }, settings)
  const base = localeBase(locale, locales)
  const isFramed = (figure: string) =>
    Object.hasOwn(manifest?.pages ?? {}, pageName(locale, embedPath(path, '', figure) ?? ''))
  const state = [...readStates(address.hash)].filter(([figure]) => isFramed(figure))
  return buildOembed({ origin, path, base, state }, await object.json<Shareable>(), room)
}

async function findInsightOembed(
  address: URL,
  { width, height }: Room,
  { settings, ask }: OembedServices,
): Promise<Oembed | null> {
  const id = /^\/insights\/([\w-]{1,64})\/?$/.exec(address.pathname)?.[1]
  if (id === undefined || hostname(address.host) !== hostname(settings.appHost)) return null
  const query = new URLSearchParams()
  if (width !== undefined) query.set('maxwidth', String(width))
  if (height !== undefined) query.set('maxheight', String(height))
  const response = await ask(`/v1/insights/${id}.oembed.json?${query.toString()}`)
  return response.ok ? response.json<Oembed>() : null
}

function urlIn(text: string): URL | null {
  if (text.length > 2000 || !/^https?:\/\//i.test(text)) return null
  return URL.canParse(text) ? new URL(text) : null
}

/** A whole number of pixels; undefined for anything else, which is ignored. */
function pixels(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined
}

const sharedHeaders = { 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' }

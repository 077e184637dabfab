import { dataCentreCache } from '#functions/platform/cache/tier.ts'
import type { Settings, Site } from '#functions/context.ts'
import type { ApiRequest } from '#functions/engine/http/read-request.ts'
import { placeHostnames } from '#functions/engine/address/urls.ts'
import { build } from '#functions/platform/build.ts'
import type { Env } from '#functions/settings.ts'
import { answerApi } from './answers/ask.ts'
import type { AnswerBasis } from '#functions/platform/cache/depends.ts'
import { servePrepared } from './files/serve.ts'
import { publicFile, serveBuildFile } from './hub/build-files.ts'
import { readBody } from './hub/served-pages.ts'
import { readSnapshot, readSnapshotAgain, type Snapshot } from './hub/snapshot.ts'
import { serveHub } from './hub/static-hub.ts'
import { HubLimit, tableLimits } from './hub/hub-limit.ts'
import type { StoreReport } from './hub/receive-report.ts'
import type { TileServices } from './tiles/records.ts'

/**
 * What a public route is answered from. `static`: stored bytes, never the database. `snapshot`: the database
 * or a cache, and when it does not answer within 1.5 s the last cached answer, with its date. `live`: the
 * database; 503 with a reason and `Retry-After` while it is unavailable.
 */
export type AnsweredFrom = 'static' | 'snapshot' | 'live'

/** A request with a resolved host. */
export interface EdgeRequest {
  request: Request
  url: URL
  env: Env
  settings: Settings
  site: Site
  /** The place and snapshot of a hub's host; null on the workspace's. */
  placeId: string | null
  snapshot: Snapshot | null
  execution: Pick<ExecutionContext, 'waitUntil'>
}

/** What needs the database, passed in by the Worker because the edge must not import it. */
export interface EdgeServices {
  /** Answers by the endpoint tree; records in `basis` what the answer depends on. */
  answer(request: ApiRequest, basis: AnswerBasis): Promise<Response>
  makeTile: TileServices['ask']
  /** Stores the counts of served cached answers. */
  countHits(): Promise<void>
  /** Counts a search of a hub without results. */
  countEmptySearch(text: string): void
  /** Stores a reader's report of an error. */
  receiveReport: StoreReport
  /** Handles the usage beacon of a hub page. */
  answerBeacon(snapshot: Snapshot): Promise<Response>
}

type ServeRequest = (request: EdgeRequest, ports: EdgeServices) => Promise<Response | null> | Response | null

interface EdgeRoute {
  /** The hosts of the route: those of hubs, of the workspace, or both. */
  on: 'hub' | 'app' | 'any'
  path: RegExp
  answered: AnsweredFrom
  why: string
  /** Whether it is a download to count; the source is the first group of `path`. */
  isDownload?: true
  /**
   * Answers the request; null: try the next matching route. Without it the Worker answers, with the database.
   */
  serve?: ServeRequest
}

const preparedEndings = '(?:csv|xlsx|json|geojson|parquet)'
const inPlace = '(?:places/[^/]+/)?'

const serveFile: ServeRequest = ({ request, env, placeId }) =>
  servePrepared(request, { files: env.FILES, hubs: env.HUBS, placeId })
const serveApi = (
  { request, env, settings, site, execution }: EdgeRequest,
  { answer, countHits }: EdgeServices,
): Promise<Response> => answerApi(request, { env, settings, site, execution, live: answer, count: countHits })
const serveBoundaries: ServeRequest = async ({ request, env }) =>
  (await import('./tiles/serve.ts')).serveTiles(request, env.TILES)
const serveBuilt: ServeRequest = ({ request, env }) =>
  serveBuildFile(request, { assets: env.ASSETS, hubs: env.HUBS })

/** All public routes; the first one that matches and answers counts. */
export const routes: readonly EdgeRoute[] = [
  {
    on: 'hub',
    path: /^\/\.well-known\/hub-place$/,
    answered: 'static',
    why: 'Whose a host is: how one learns that an address leads to us, and to the right hub.',
    serve: ({ placeId }) =>
      new Response(placeId, {
        headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
      }),
  },
  {
    on: 'hub',
    path: /^\/beacon$/,
    answered: 'static',
    why: 'Counts in memory and answers nothing.',
    serve: ({ snapshot }, { answerBeacon }) => (snapshot ? answerBeacon(snapshot) : null),
  },
  {
    on: 'any',
    path: /^\/e\/([\w-]{1,64})\/(?:[^/]+\/)?data\.\w+$/,
    answered: 'static',
    why: 'Prepared files by the state of their source.',
    isDownload: true,
    serve: serveFile,
  },
  {
    on: 'any',
    path: /^\/e\//,
    answered: 'static',
    why: 'What is prepared of a source.',
    serve: serveFile,
  },
  {
    on: 'any',
    path: new RegExp(`^/v1/${inPlace}sources/([\\w-]{1,64})/export\\.${preparedEndings}$`),
    answered: 'snapshot',
    why: 'The prepared file; made live only between a commit and its files, and for very large sources.',
    isDownload: true,
    serve: async (request, ports) => (await serveFile(request, ports)) ?? serveApi(request, ports),
  },
  {
    on: 'any',
    path: new RegExp(`^/v1/${inPlace}sources/([\\w-]{1,64})/export(?:\\.\\w+)?$`),
    answered: 'live',
    why: 'Files that are not prepared are made when they are asked for.',
    isDownload: true,
    serve: serveApi,
  },
  {
    on: 'any',
    path: /^\/v1\/places\/[^/]+\/(?:dataTypes|sources|pages)$/,
    answered: 'snapshot',
    why: 'What the search box asks comes from the index of the hub; other lists are live.',
    serve: async (request, ports) => (await serveSearched(request, ports)) ?? serveApi(request, ports),
  },
  {
    on: 'any',
    path: new RegExp(
      `^/v1/${inPlace}(?:sources|dataTypes)/[^/]+/(?:data(?:/[^/]+)?|fields|values|analytics)$`,
    ),
    answered: 'snapshot',
    why: 'Kept by question and version; the first page and the fields are there before anyone asks.',
    serve: serveApi,
  },
  {
    on: 'any',
    path: /^\/v1\/places\/[^/]+\/insights\/[^/]+\/analytics$/,
    answered: 'snapshot',
    why: 'Kept by question and version; there before anyone asks.',
    serve: serveApi,
  },
  {
    on: 'any',
    path: /^\/v1(?:\/openapi\.json|\/swagger)?$/,
    answered: 'live',
    why: 'Made of the code, without the database; it says what is, so no older one is given.',
    serve: serveApi,
  },
  {
    on: 'any',
    path: /^\/v1\//,
    answered: 'live',
    why: 'Single nouns and lists of them, questions with filters: too many to be kept ahead.',
    serve: serveApi,
  },
  {
    on: 'any',
    path: /^\/oembed$/,
    answered: 'static',
    why: 'Made of what is stored of the page that is asked for.',
    serve: serveOembed,
  },
  {
    on: 'any',
    path: /^\/a\//,
    answered: 'static',
    why: 'Archives of boundaries by the hash of their bytes.',
    serve: serveBoundaries,
  },
  {
    on: 'any',
    path: /^\/t\/points\//,
    answered: 'snapshot',
    why: 'Kept for good once made; else of a pack of the map that was made when it was published.',
    serve: serveRecords,
  },
  {
    on: 'any',
    path: /^\/t\/shapes\//,
    answered: 'live',
    why: 'Kept for good once made; lines and polygons are too large to be packed ahead.',
    serve: serveRecords,
  },
  {
    on: 'any',
    path: /^\/t\//,
    answered: 'static',
    why: 'Tiles cut from the archives of boundaries.',
    serve: serveBoundaries,
  },
  {
    on: 'hub',
    path: /^\/(?:robots\.txt|favicon\.ico|site\.webmanifest)$/,
    answered: 'static',
    why: 'A hub has a robots.txt, an icon and a web manifest of its own.',
    serve: serveStored,
  },
  { on: 'any', path: publicFile, answered: 'static', why: 'Files of the build.', serve: serveBuilt },
  {
    on: 'any',
    path: /^\/[ms]\//,
    answered: 'static',
    why: 'Media and short links by their address alone.',
    serve: serveMediaOrLink,
  },
  {
    on: 'hub',
    path: /^\/f\//,
    answered: 'static',
    why: 'Files beside stored pages, by the hash of their content, and pictures drawn of what they have.',
    serve: serveStored,
  },
  {
    on: 'hub',
    path: /^(?:\/[a-z]{2})?\/domains\/[\w-]+\/source\/[\w-]+\/data(?:\/|$)/,
    answered: 'snapshot',
    why: 'Tables of records: of their file of columns; of large sources the first pages, and else what is kept or refused.',
    serve: serveStored,
  },
  {
    on: 'hub',
    path: /^(?:\/[a-z]{2})?\/domains\/[\w-]+\/source\/[\w-]+\/report\/?$/,
    answered: 'static',
    why: 'The form by which an error is reported. What is sent by it takes the database; without it the text stays in the form.',
    serve: serveStored,
  },
  {
    on: 'hub',
    path: /^\//,
    answered: 'static',
    why: 'Stored pages, their 404, searches filled from the index, feeds, catalogues, embeds, pictures.',
    serve: serveStored,
  },
  {
    on: 'app',
    path: /^\/(?:login|signup|forgot_password|reset_password|confirmation|invite\/|hello)/,
    answered: 'live',
    why: 'Who someone is only the database knows.',
  },
  {
    on: 'app',
    path: /^\/(?:explore|api|core_api|export\/|$)/,
    answered: 'live',
    why: 'Screens of the workspace that everyone may see; hubs are the part that stays up.',
  },
]

const fits = (route: EdgeRoute, pathname: string, on: 'hub' | 'app') =>
  (route.on === 'any' || route.on === on) && route.path.test(pathname)

/** The route of a public path; null for one that is not public. */
export function findRoute(pathname: string, on: 'hub' | 'app'): EdgeRoute | null {
  return routes.find((route) => fits(route, pathname, on)) ?? null
}

/**
 * Answers a request by the first route that has an answer; null for what the Worker answers with the
 * database. `downloaded`: the source of a file that was downloaded from a hub, whole or its beginning.
 */
export async function answerByRoute(
  request: EdgeRequest,
  ports: EdgeServices,
): Promise<{ response: Response; downloaded: string | null } | null> {
  const { pathname } = request.url
  const on = request.site.mode === 'hub' ? 'hub' : 'app'
  for (const route of routes) {
    if (!route.serve || !fits(route, pathname, on)) continue
    const response = await route.serve(request, ports)
    if (!response) continue
    const isTaken = route.isDownload && request.placeId !== null && request.request.method === 'GET'
    const sourceId = isTaken && isBegun(response) ? route.path.exec(pathname)?.[1] : undefined
    return { response, downloaded: sourceId ?? null }
  }
  return null
}

const isBegun = ({ status, headers }: Response): boolean =>
  status === 200 || (status === 206 && (headers.get('content-range')?.startsWith('bytes 0-') ?? false))

/** Answers the search box of a hub from its search index; null for other queries and places without one. */
async function serveSearched(
  { request, env, settings, site }: EdgeRequest,
  { countEmptySearch }: EdgeServices,
): Promise<Response | null> {
  const { answerSearch, readSearchRequest } = await import('./search/search-api.ts')
  const searchRequest = readSearchRequest(request)
  if (!searchRequest || (site.mode === 'hub' && site.placeId !== searchRequest.placeId)) return null
  const [host = ''] = placeHostnames({ id: searchRequest.placeId, domains: [] }, settings)
  const snapshot = await readSnapshot(env.HUBS, host)
  if (!snapshot?.isHub) return null
  return answerSearch(request, searchRequest, snapshot, env.HUBS, readBody, countEmptySearch)
}

/** Answers oEmbed requests: pages of hubs from storage, insights from `/v1`. */
async function serveOembed(edgeRequest: EdgeRequest, ports: EdgeServices): Promise<Response> {
  const { request, env, settings, site } = edgeRequest
  const { serveOembed: serve } = await import('./hub/serve-oembed.ts')
  return serve(request, {
    hubs: env.HUBS,
    settings,
    find: (host) => readSnapshot(env.HUBS, host),
    async ask(path) {
      const url = new URL(path, site.origin)
      return serveApi({ ...edgeRequest, url, request: new Request(url) }, ports)
    },
  })
}

/** Tiles of records: cached ones are answered without the database. */
async function serveRecords(
  { request, env, settings, execution }: EdgeRequest,
  { makeTile }: EdgeServices,
): Promise<Response> {
  const { serveRecordTiles } = await import('./tiles/records.ts')
  return serveRecordTiles(request, {
    hubs: env.HUBS,
    cache: dataCentreCache(),
    origin: `${settings.scheme}://${settings.appHost}`,
    build,
    waitUntil: (work) => execution.waitUntil(work),
    ask: makeTile,
  })
}

/** Files of media libraries and short links. */
async function serveMediaOrLink({ request, env, settings }: EdgeRequest): Promise<Response | null> {
  const { serveMedia } = await import('./media/serve.ts')
  const { followLink } = await import('./media/follow-link.ts')
  const ports = {
    files: env.FILES,
    hubs: env.HUBS,
    ...settings,
    now: () => new Date(),
    fetchImage: settings.environment === 'production' ? fetch.bind(globalThis) : null,
  }
  return (await serveMedia(request, ports)) ?? followLink(request, env.HUBS, settings)
}

/** Stored pages and files of a hub. */
function serveStored(edgeRequest: EdgeRequest, ports: EdgeServices): Promise<Response> | null {
  const { request, url, env, settings, snapshot, execution } = edgeRequest
  return snapshot
    ? serveHub(request, snapshot, env.HUBS, {
        onEmptySearch: ports.countEmptySearch,
        rereadSnapshot: () => readSnapshotAgain(env.HUBS, url.host),
        later: (work) => execution.waitUntil(work),
        reports: { secrets: settings, storeReport: ports.receiveReport },
        figures: { tiles: env.TILES, basemap: settings.basemap, cache: dataCentreCache() },
        tables: {
          files: env.FILES,
          tiles: env.TILES,
          basemap: settings.basemap,
          origin: `${settings.scheme}://${url.host}`,
          ask: (path) => askForTable(path, edgeRequest, ports),
          workspace: `${settings.scheme}://${settings.appHost}`,
        },
      })
    : null
}

const tableLimit = new HubLimit(tableLimits, 'Too many questions of tables.')

/**
 * Requests `/v1` for a table, anonymously: of the reader's request only the network is passed, for rate
 * limits. Only answers that are not cached count against the table limit.
 */
function askForTable(path: string, edgeRequest: EdgeRequest, ports: EdgeServices): Promise<Response> {
  const url = new URL(path, edgeRequest.url)
  const ip = edgeRequest.request.headers.get('cf-connecting-ip')
  const request = new Request(url, ip === null ? {} : { headers: { 'cf-connecting-ip': ip } })
  const answer: EdgeServices['answer'] = (apiRequest, basis) =>
    tableLimit.run(edgeRequest.placeId ?? '', () => ports.answer(apiRequest, basis))
  return serveApi({ ...edgeRequest, url, request }, { ...ports, answer })
}

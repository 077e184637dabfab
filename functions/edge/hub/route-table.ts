/**
 * What a public route is answered from. `static`: stored bytes, never the database. `snapshot`: the database, or what
 * was kept, and when it does not answer within 1.5 s the last answer there is, with its date. `live`: the database; when
 * it is away 503 with a reason and `Retry-After`.
 */
export type Answered = 'static' | 'snapshot' | 'live'

export interface PublicRoute {
  /** On whose host: that of a hub, of the workspace, or both. */
  on: 'hub' | 'app' | 'any'
  path: RegExp
  answered: Answered
  why: string
}

const prepared = '(?:csv|xlsx|json|geojson|parquet)'

/** Every route that a stranger may read, the first that fits counts. A test walks the public routes and holds them to it. */
export const publicRoutes: readonly PublicRoute[] = [
  {
    on: 'any',
    path: /^\/a\//,
    answered: 'static',
    why: 'Archives of boundaries by the hash of their bytes.',
  },
  { on: 'any', path: /^\/t\/[0-9a-f]{12}\//, answered: 'static', why: 'Tiles cut from those archives.' },
  {
    on: 'any',
    path: /^\/t\/points\//,
    answered: 'snapshot',
    why: 'Kept for good once made; else of a pack of the map that was made when it was published.',
  },
  {
    on: 'any',
    path: /^\/t\/shapes\//,
    answered: 'live',
    why: 'Kept for good once made; lines and polygons are too large to be packed ahead.',
  },
  { on: 'any', path: /^\/e\//, answered: 'static', why: 'Prepared files by the state of their source.' },
  { on: 'any', path: /^\/[ms]\//, answered: 'static', why: 'Media and short links by their address alone.' },
  {
    on: 'any',
    path: new RegExp(`^/v1/(?:places/[^/]+/)?sources/[^/]+/export\\.${prepared}$`),
    answered: 'snapshot',
    why: 'The prepared file; made live only between a commit and its files, and for very large sources.',
  },
  {
    on: 'any',
    path: /^\/v1\/places\/[^/]+\/(?:dataTypes|sources|pages)$/,
    answered: 'snapshot',
    why: 'What the search box asks comes from the index of the hub; other lists are live.',
  },
  {
    on: 'any',
    path: /^\/v1\/(?:places\/[^/]+\/)?(?:sources|dataTypes)\/[^/]+\/(?:data(?:\/[^/]+)?|fields|values|analytics)$/,
    answered: 'snapshot',
    why: 'Kept by question and version; the first page and the fields are there before anyone asks.',
  },
  {
    on: 'any',
    path: /^\/v1\/places\/[^/]+\/insights\/[^/]+\/analytics$/,
    answered: 'snapshot',
    why: 'Kept by question and version; there before anyone asks.',
  },
  {
    on: 'any',
    path: /^\/v1(?:\/openapi\.json|\/swagger)?$/,
    answered: 'live',
    why: 'Made of the code, without the database; it says what is, so no older one is given.',
  },
  {
    on: 'any',
    path: /^\/v1\//,
    answered: 'live',
    why: 'Single nouns and lists of them, questions with filters: too many to be kept ahead.',
  },
  { on: 'any', path: /^\/(?:assets|hub|fonts)\//, answered: 'static', why: 'Files of the build.' },
  { on: 'any', path: /^\/favicon\.(?:ico|svg)$/, answered: 'static', why: 'Files of the build.' },
  {
    on: 'hub',
    path: /^\/f\//,
    answered: 'static',
    why: 'Files beside stored pages, by the hash of their content.',
  },
  {
    on: 'any',
    path: /^\/oembed$/,
    answered: 'static',
    why: 'Made of what is stored of the page that is asked for.',
  },
  { on: 'hub', path: /^\/beacon$/, answered: 'static', why: 'Counts in memory and answers nothing.' },
  {
    on: 'hub',
    path: /^\//,
    answered: 'static',
    why: 'Stored pages, their 404, searches filled from the index, feeds, catalogues, embeds, pictures.',
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

/** How a public path is answered; null for one that is nobody's to read unasked. */
export function routeOf(pathname: string, on: 'hub' | 'app'): PublicRoute | null {
  return (
    publicRoutes.find((route) => (route.on === 'any' || route.on === on) && route.path.test(pathname)) ?? null
  )
}

import type { RouteConfigEntry } from '@remix-run/route-config'
import routes from '#app/routes.ts'
import type { Module } from './modules.ts'

/** What a layer may import beside itself: layers, folders or files, as values unless marked `type:`. */
type Allowed = readonly string[]

/** What everything starts from: the ports, the errors, the settings, and what the runtime lacks. */
const platform = [
  'functions/platform',
  'functions/context.ts',
  'functions/errors.ts',
  'functions/settings.ts',
]
/** What knows no noun of the product. */
const engine = ['functions/engine', 'functions/shapes', ...platform]
/** What draws, in a browser too: of the endpoints it knows only what they answer. */
const drawing = [
  'functions/shapes',
  'functions/engine',
  'functions/platform/cache',
  'type:functions/v1',
  'type:functions/api',
]
/** What a screen needs beyond naming endpoints; never sent to a browser. */
const serverParts = ['app', 'functions/api', 'functions/v1', 'functions/domain', 'functions/edge', ...engine]

/**
 * The rule between layers, from the top down: a file belongs to the longest path that it stands below, and may import its own
 * layer and what stands here. Packages are free but for those of `guarded`. Below `app/routes` a file is one of three
 * (`layerOf`): a module that the route table names, a server part by its name, or a part that is drawn.
 */
const layers: Record<string, Allowed> = {
  scripts: ['*'],
  'functions/worker.ts': ['functions', 'db'],
  // Answers by the database, for the Worker and for the edge, which is handed it.
  'functions/live': ['functions', 'db'],
  'functions/jobs': ['functions', 'db'],
  'functions/api': ['functions/v1', 'functions/domain', ...engine, 'db'],
  'functions/v1': ['functions/api', 'functions/domain', ...engine],
  'functions/domain': [...engine, 'db'],
  // Answers without a database: it reads what the jobs have written.
  'functions/edge': engine,
  'functions/engine': ['functions/shapes', ...platform, 'db/unavailable.ts'],
  'functions/platform': ['functions/shapes', ...platform],
  'functions/context.ts': ['functions/shapes', ...platform, 'type:db/schema.ts'],
  'functions/errors.ts': ['functions/shapes'],
  'functions/settings.ts': platform,
  'functions/shapes': [],
  db: ['functions/domain', ...engine],
  'app/routes': ['app', 'functions/v1', ...engine],
  'app/routes/*.server': serverParts,
  'app/routes/*': ['app', ...drawing],
  'app/server': serverParts,
  app: drawing,
}

/** The rooms of `app/routes` that others may use: the frames around all screens. */
const sharedRooms = ['app/routes/modes']

/** Packages that only some layers may touch. */
const guarded: Record<string, readonly string[]> = {
  hono: ['functions/api/serve.ts', 'scripts'],
  kysely: ['functions/domain', 'functions/engine/query', 'functions/jobs/usage', 'db', 'scripts'],
  'better-auth': ['functions/domain/identity'],
  '@better-auth/passkey': ['functions/domain/identity'],
  react: ['app'],
}

interface Breach {
  file: string
  imports: string
  why: string
}

/** The files of the modules that a route table names. */
const filesOf = (entries: readonly RouteConfigEntry[]): string[] =>
  entries.flatMap(({ file, children }) => [`app/${file}`, ...filesOf(children ?? [])])

const screensOfApp: ReadonlySet<string> = new Set(filesOf(routes))

/**
 * Every import that the rule does not allow, as the syntax trees of the modules have them; empty when all stand by it. Tests
 * may import what they test. `screens` are the paths of the modules that the route table names.
 */
export function findBreaches(modules: ReadonlyMap<string, Module>, screens = screensOfApp): Breach[] {
  return [...modules.values()]
    .filter(({ path }) => codeFolder.test(path) && !untouched.test(path))
    .flatMap((module) => findBreachesOf(module, screens))
}

const codeFolder = /^(app|db|functions|scripts)\//
/** What may import whatever it tests. */
const untouched = /\.(test|test-d|walk)\.tsx?$|testing\.ts$|\.mjs$/

function findBreachesOf({ path: file, imports }: Module, screens: ReadonlySet<string>): Breach[] {
  const layer = layerOf(file, screens)
  const breaches = new Map<string, Breach>()
  for (const { from, isType, isPackage } of imports) {
    if (isPackage) {
      const name = Object.keys(guarded).find((name) => from === name || from.startsWith(`${name}/`))
      const isAllowed = !name || isType || guarded[name]?.some((place) => isInside(file, place))
      if (!isAllowed)
        breaches.set(from, { file, imports: from, why: `${name} is kept to ${guarded[name]?.join(', ')}` })
    } else if (layer === null) {
      breaches.set(from, { file, imports: from, why: 'this file stands in no layer of the table' })
    } else if (!isInside(from, layer) && !mayImport(layer, from, isType)) {
      breaches.set(from, { file, imports: from, why: `${layer} may not import it` })
    } else {
      const reason = whyNotInApp(file, from, isType, screens)
      if (reason) breaches.set(from, { file, imports: from, why: reason })
    }
  }
  return [...breaches.values()]
}

function mayImport(layer: string, path: string, isType: boolean): boolean {
  return (layers[layer] ?? []).some((entry) => {
    if (entry === '*') return true
    const isForTypes = entry.startsWith('type:')
    return isInside(path, isForTypes ? entry.slice('type:'.length) : entry) && (isType || !isForTypes)
  })
}

/**
 * Why an import within `app` is refused, null when it is not: a room of screens keeps its parts to itself, and what is drawn
 * in a browser loads no part of the server.
 */
function whyNotInApp(
  file: string,
  from: string,
  isType: boolean,
  screens: ReadonlySet<string>,
): string | null {
  if (!isInside(file, 'app')) return null
  const room = roomOfScreens(from)
  if (room && !sharedRooms.includes(room) && roomOfScreens(file) !== room)
    return `it is a part of ${room}; what several screens share stands in app/components or app/server`
  const runsOnServer = serverFile.test(file) || screens.has(file) || ofDocument.includes(file)
  return !isType && serverFile.test(from) && !runsOnServer && !isInside(file, 'app/server')
    ? 'what is drawn in a browser loads no part of the server'
    : null
}

/** What makes every document, and is taken apart for browsers as a screen is. */
const ofDocument = ['app/root.tsx', 'app/entry.server.tsx']

const serverFile = /\.server\.tsx?$/

/** The folder of `app/routes` that a file stands in, or the file itself where it lies on the floor; null elsewhere. */
const roomOfScreens = (path: string): string | null => /^app\/routes\/[^/]+/.exec(path)?.[0] ?? null

function layerOf(file: string, screens: ReadonlySet<string>): string | null {
  if (isInside(file, 'app/routes') && serverFile.test(file)) return 'app/routes/*.server'
  if (isInside(file, 'app/routes') && !screens.has(file)) return 'app/routes/*'
  const matches = Object.keys(layers).filter((layer) => isInside(file, layer))
  return matches.sort((a, b) => b.length - a.length)[0] ?? null
}

const isInside = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

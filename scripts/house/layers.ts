import type { RouteConfigEntry } from '@remix-run/route-config'
import routes from '#app/routes.ts'
import type { Module } from './modules.ts'

/** What a layer may import besides itself: layers, folders or files; as values unless marked `type:`. */
type AllowedImports = readonly string[]

/** The base of everything: ports, errors, settings, and polyfills of the runtime. */
const platform = [
  'functions/platform',
  'functions/context.ts',
  'functions/errors.ts',
  'functions/settings.ts',
]
/** Code without knowledge of the product's nouns. */
const engine = ['functions/engine', 'functions/shapes', ...platform]
/** Rendering code, which also runs in browsers: of the endpoints it knows only the types of their answers. */
const drawing = [
  'functions/shapes',
  'functions/engine',
  'functions/platform/cache',
  'type:functions/v1',
  'type:functions/api',
]
/** What a screen's server part may import besides the endpoints; never sent to a browser. */
const serverParts = ['app', 'functions/api', 'functions/v1', 'functions/domain', 'functions/edge', ...engine]

/**
 * The import rules between layers, from top to bottom: a file belongs to the longest matching path, and may
 * import its own layer and what is listed here. Packages are unrestricted except those in `guarded`. A file
 * below `app/routes` is one of three kinds (`findLayer`): a module of the route table, a server part by its
 * name, or a rendered part.
 */
const layers: Record<string, AllowedImports> = {
  scripts: ['*'],
  'functions/worker.ts': ['functions', 'db'],
  // Answers from the database, for the Worker and for the edge, which gets them passed in.
  'functions/live': ['functions', 'db'],
  'functions/jobs': ['functions', 'db'],
  'functions/api': ['functions/v1', 'functions/domain', ...engine, 'db'],
  'functions/v1': ['functions/api', 'functions/domain', ...engine],
  'functions/domain': [...engine, 'db'],
  // Answers without a database, from what the jobs have written.
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

/** The rooms of `app/routes` that others may import: the frames around all screens. */
const sharedRooms = ['app/routes/modes']

/** Packages that only some layers may import. */
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

/** Lists the files of the modules in a route table. */
const listRouteFiles = (entries: readonly RouteConfigEntry[]): string[] =>
  entries.flatMap(({ file, children }) => [`app/${file}`, ...listRouteFiles(children ?? [])])

const screensOfApp: ReadonlySet<string> = new Set(listRouteFiles(routes))

/**
 * Finds every import that breaks the rules, by the syntax trees of the modules; empty when there is none.
 * Tests may import what they test. `screens` are the paths of the modules in the route table.
 */
export function findBreaches(modules: ReadonlyMap<string, Module>, screens = screensOfApp): Breach[] {
  return [...modules.values()]
    .filter(({ path }) => codeFolder.test(path) && !untouched.test(path))
    .flatMap((module) => findModuleBreaches(module, screens))
}

const codeFolder = /^(app|db|functions|scripts)\//
/** Files that may import everything: tests and what they use. */
const untouched = /\.(test|test-d|walk)\.tsx?$|testing\.ts$|\.mjs$/

function findModuleBreaches({ path: file, imports }: Module, screens: ReadonlySet<string>): Breach[] {
  const layer = findLayer(file, screens)
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
      const reason = findAppViolation(file, from, isType, screens)
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
 * Returns why an import within `app` is forbidden, null when it is allowed: the parts of a room of screens
 * are private to it, and code rendered in a browser must not load server code.
 */
function findAppViolation(
  file: string,
  from: string,
  isType: boolean,
  screens: ReadonlySet<string>,
): string | null {
  if (!isInside(file, 'app')) return null
  const room = roomOfScreens(from)
  if (room && !sharedRooms.includes(room) && roomOfScreens(file) !== room)
    return `it is a part of ${room}; what several screens share stands in app/components or app/server`
  const runsOnServer = serverFile.test(file) || screens.has(file) || documentFiles.includes(file)
  return !isType && serverFile.test(from) && !runsOnServer && !isInside(file, 'app/server')
    ? 'what is drawn in a browser loads no part of the server'
    : null
}

/** The modules that render every document; like screens they are split for browsers. */
const documentFiles = ['app/root.tsx', 'app/entry.server.tsx']

const serverFile = /\.server\.tsx?$/

/**
 * The folder of `app/routes` that a file is in, or the file itself when it is directly in `app/routes`; null
 * elsewhere.
 */
const roomOfScreens = (path: string): string | null => /^app\/routes\/[^/]+/.exec(path)?.[0] ?? null

function findLayer(file: string, screens: ReadonlySet<string>): string | null {
  if (isInside(file, 'app/routes') && serverFile.test(file)) return 'app/routes/*.server'
  if (isInside(file, 'app/routes') && !screens.has(file)) return 'app/routes/*'
  const matches = Object.keys(layers).filter((layer) => isInside(file, layer))
  return matches.sort((a, b) => b.length - a.length)[0] ?? null
}

const isInside = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

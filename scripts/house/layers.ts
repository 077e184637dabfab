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

/**
 * The rule between layers, from the top down: a file belongs to the longest path that it stands below, and may import its own
 * layer and what stands here. Packages are free but for those of `guarded`.
 */
export const layers: Record<string, Allowed> = {
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
  'app/server': ['app', 'functions/api', 'functions/v1', 'functions/domain', 'functions/edge', ...engine],
  app: [
    'functions/shapes',
    'functions/engine',
    'functions/platform/cache',
    'type:functions/v1',
    'type:functions/api',
  ],
}

/** Packages that only some layers may touch. */
const guarded: Record<string, readonly string[]> = {
  hono: ['functions/api/serve.ts', 'scripts'],
  kysely: ['functions/domain', 'functions/engine/query', 'functions/jobs/usage', 'db', 'scripts'],
  'better-auth': ['functions/domain/identity'],
  '@better-auth/passkey': ['functions/domain/identity'],
  react: ['app'],
}

export interface Breach {
  file: string
  imports: string
  why: string
}

/**
 * Every import that the rule does not allow, as the syntax trees of the modules have them; empty when all stand by it. Tests
 * may import what they test.
 */
export function findBreaches(modules: ReadonlyMap<string, Module>): Breach[] {
  return [...modules.values()]
    .filter(({ path }) => codeFolder.test(path) && !untouched.test(path))
    .flatMap((module) => findBreachesOf(module))
}

const codeFolder = /^(app|db|functions|scripts)\//
/** What may import whatever it tests. */
const untouched = /\.(test|walk)\.tsx?$|testing\.ts$|\.mjs$/

function findBreachesOf({ path: file, imports }: Module): Breach[] {
  const layer = layerOf(file)
  const found = new Map<string, Breach>()
  for (const { from, isType, isPackage } of imports) {
    if (isPackage) {
      const name = Object.keys(guarded).find((name) => from === name || from.startsWith(`${name}/`))
      const isAllowed = !name || isType || guarded[name]?.some((place) => isInside(file, place))
      if (!isAllowed)
        found.set(from, { file, imports: from, why: `${name} is kept to ${guarded[name]?.join(', ')}` })
    } else if (layer === null) {
      found.set(from, { file, imports: from, why: 'this file stands in no layer of the table' })
    } else if (!isInside(from, layer) && !mayImport(layer, from, isType)) {
      found.set(from, { file, imports: from, why: `${layer} may not import it` })
    }
  }
  return [...found.values()]
}

function mayImport(layer: string, path: string, isType: boolean): boolean {
  return (layers[layer] ?? []).some((entry) => {
    if (entry === '*') return true
    const isForTypes = entry.startsWith('type:')
    return isInside(path, isForTypes ? entry.slice('type:'.length) : entry) && (isType || !isForTypes)
  })
}

function layerOf(file: string): string | null {
  const matches = Object.keys(layers).filter((layer) => isInside(file, layer))
  return matches.sort((a, b) => b.length - a.length)[0] ?? null
}

const isInside = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

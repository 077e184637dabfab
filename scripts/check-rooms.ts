import type { Module } from './house/modules.ts'

/** A room's arrows: the rooms (or packages) it may import, values unless marked `type:`. */
type Allowed = readonly string[]

/**
 * The rule between rooms. A file belongs to the longest matching room; it may import its own room, what stands
 * here, and the packages named here. Every room may import npm packages except the guarded ones below.
 */
export const rooms: Record<string, Allowed> = {
  scripts: ['*'],
  'functions/worker.ts': ['functions', 'db'],
  'functions/background.ts': ['functions', 'db/directory.ts'],
  'functions/standing.ts': ['functions'],
  // The mailbox of one machine.
  'functions/local-outbox.ts': ['functions'],
  'functions/hub-usage.ts': ['functions'],
  'functions/request-context.ts': ['functions', 'db/connect.ts', 'db/directory.ts'],
  'functions/request-place.ts': ['type:functions/context.ts'],
  'functions/every-database.ts': ['functions', 'db/directory.ts'],
  'functions/live.ts': [
    'functions/access/grants.ts',
    'functions/api/origin.ts',
    'functions/context.ts',
    'functions/domain/dataType/moved.ts',
    'functions/site/locales.ts',
  ],
  'functions/messages.ts': ['type:functions/context.ts'],
  'functions/limits.ts': ['functions/context.ts', 'functions/settings.ts'],
  'functions/build.ts': [],
  'functions/redacted.ts': [],
  'functions/auth-secrets.ts': ['functions/digest.ts'],
  'functions/settings.ts': ['functions/build.ts', 'functions/context.ts', 'type:functions/auth-secrets.ts'],
  'functions/context.ts': [
    'type:db/schema.ts',
    'type:functions/auth-secrets.ts',
    'type:functions/asked-before.ts',
    'type:functions/hosts/port.ts',
    'type:functions/shapes',
  ],
  'functions/errors.ts': ['functions/shapes'],
  'functions/digest.ts': [],
  'functions/bounded-text.ts': [],
  'functions/drain.ts': ['functions/api/body.ts'],
  'functions/bounded-memory.ts': [],
  'functions/single-flight.ts': [],
  'functions/bucket-sweep.ts': [],
  'functions/gathered.ts': ['type:functions/context.ts'],
  'functions/asked-before.ts': [
    'functions/bounded-memory.ts',
    'functions/gathered.ts',
    'type:functions/context.ts',
  ],
  'functions/dns.ts': ['functions/bounded-text.ts'],
  'functions/answers': [
    'functions/build.ts',
    'functions/bounded-memory.ts',
    'functions/single-flight.ts',
    'functions/bucket-sweep.ts',
    'functions/api',
    'functions/digest.ts',
    'functions/site/place-state.ts',
    'functions/site/stale.ts',
    'type:functions/context.ts',
  ],
  'functions/api': [
    'functions/digest.ts',
    'functions/bounded-text.ts',
    'functions/errors.ts',
    'functions/access',
    'functions/context.ts',
    'functions/shapes',
    'functions/v1',
    'functions/engine/query',
    'functions/media/disposition.ts',
    'db/unavailable.ts',
  ],
  'functions/v1': [
    'functions/api',
    'functions/domain',
    'functions/access',
    'functions/shapes',
    'functions/engine/query',
    'functions/identity',
    'functions/context.ts',
    'functions/errors.ts',
  ],
  // Who lets hosts of organisations in. Its port is all that the rest knows of it.
  'functions/hosts': ['functions/bounded-text.ts', 'type:functions/context.ts'],
  'functions/domain': [
    'functions/auth-secrets.ts',
    'functions/asked-before.ts',
    'functions/hosts/port.ts',
    'functions/digest.ts',
    'functions/gathered.ts',
    'functions/dns.ts',
    'functions/engine/export',
    'functions/bounded-text.ts',
    'functions/engine/query',
    'functions/engine/import',
    'functions/access',
    'functions/errors.ts',
    'functions/shapes',
    'functions/context.ts',
    'functions/settings.ts',
    'functions/site/urls.ts',
    'functions/media',
    'functions/engine/picture',
    'db/schema.ts',
    'db/asking.ts',
    'db/dataTable.ts',
    'db/dataTypeChange.ts',
    'db/unavailable.ts',
  ],
  'functions/engine/export': ['functions/digest.ts', 'functions/shapes'],
  'functions/edge/files': [
    'functions/engine/export',
    'functions/digest.ts',
    'functions/shapes',
    'functions/site/place-state.ts',
    'functions/site/stale.ts',
    'functions/tiles/range.ts',
  ],
  'functions/identity': [
    'functions/auth-secrets.ts',
    'functions/bounded-text.ts',
    'functions/digest.ts',
    'functions/dns.ts',
    // The guard that every request to another's address passes.
    'functions/engine/import/fetch',
    'functions/access',
    'functions/errors.ts',
    'functions/shapes',
    'functions/context.ts',
    'functions/settings.ts',
    'functions/domain',
    'functions/site',
    'db/schema.ts',
  ],
  // What is sealed with the product's secret, in all tables.
  'functions/rotation': [
    'functions/auth-secrets.ts',
    'functions/domain/sealed.ts',
    'functions/identity/library-secrets.ts',
    'functions/identity/recovery-codes.ts',
    'functions/shapes/jobStatus.ts',
    'type:functions/context.ts',
    'type:db/schema.ts',
  ],
  'functions/site': [
    'functions/asked-before.ts',
    'functions/bounded-memory.ts',
    'functions/single-flight.ts',
    'functions/bucket-sweep.ts',
    'functions/engine/export/xml.ts',
    'functions/api/canonical.ts',
    'functions/api/failure.ts',
    'functions/api/querystring.ts',
    'functions/digest.ts',
    'functions/domain',
    'functions/shapes',
    'functions/context.ts',
    'functions/errors.ts',
  ],
  // What is drawn is the same for a page and for a file; `functions/engine/chart` and `functions/engine/map` know no page, no React, no request.
  'functions/engine/picture': [
    'functions/engine/chart',
    'functions/engine/map',
    'functions/bounded-memory.ts',
    'functions/shapes',
  ],
  'functions/media': [
    'functions/auth-secrets.ts',
    'functions/digest.ts',
    'functions/errors.ts',
    'functions/context.ts',
    'functions/tiles/range.ts',
    'functions/site/snapshot.ts',
    'functions/site/urls.ts',
  ],
  'functions/tiles': [
    'functions/access/limitedAs.ts',
    'functions/errors.ts',
    'functions/single-flight.ts',
    'functions/answers',
    'functions/api',
    'functions/domain/dataset',
    'functions/site/place-state.ts',
    'functions/site/stale.ts',
    'type:functions/context.ts',
  ],
  'functions/usage': [
    'functions/access/limitedAs.ts',
    'functions/bounded-text.ts',
    'functions/shapes',
    'functions/site/locales.ts',
    'functions/site/manifest.ts',
    'type:functions/site/snapshot.ts',
    'functions/site/urls.ts',
    'type:functions/context.ts',
    'db/schema.ts',
  ],
  'functions/engine/import': [
    'functions/shapes',
    'functions/errors.ts',
    'functions/digest.ts',
    'functions/bounded-text.ts',
    'functions/dns.ts',
  ],
  'functions/engine/query': ['functions/shapes'],
  'functions/access': [
    'functions/asked-before.ts',
    'functions/gathered.ts',
    'functions/shapes',
    'functions/context.ts',
    'functions/errors.ts',
    'db/connect.ts',
    'db/schema.ts',
  ],
  'functions/shapes': [],
  'app/root.tsx': ['app', 'functions/shapes'],
  'app/root-error.tsx': ['app', 'functions/shapes'],
  'app/entry.server.tsx': ['app/components', 'app/theme', 'functions/shapes'],
  'app/entry.client.tsx': ['app/components'],
  'app/routes.ts': [],
  'app/routes': [
    'app',
    'functions/shapes',
    'functions/v1',
    'functions/errors.ts',
    'type:functions/context.ts',
  ],
  'app/server': [
    'app',
    'functions/api',
    'functions/asked-before.ts',
    'functions/bounded-memory.ts',
    'functions/v1',
    'functions/access',
    'functions/site',
    'functions/errors.ts',
    'functions/shapes',
    'functions/identity',
    'functions/domain',
    'functions/engine/picture',
    'type:functions/context.ts',
    // What stands in buckets and pages name: tiles, files, short addresses.
    'functions/tiles/manifest.ts',
    'functions/edge/files/manifest.ts',
    'functions/media/short-link.ts',
    'functions/media/presets.ts',
    'functions/engine/import/schedule.ts',
  ],
  // Hooks of the browser and the style sheet that the workspace's own components come with.
  'app/components': [
    'app/client',
    'app/styles',
    'functions/engine/chart',
    'functions/engine/map',
    'app/theme',
    'functions/shapes',
    'functions/access/allowed.ts',
    'functions/media/presets.ts',
  ],
  'app/islands': ['functions/engine/chart', 'functions/engine/map', 'functions/shapes', 'type:functions/v1'],
  'app/client': [
    'app/islands',
    'functions/engine/chart',
    'functions/engine/map',
    'functions/shapes',
    'type:functions/v1',
    'type:functions/api/endpoint.ts',
  ],
  'functions/engine/chart': ['functions/bounded-memory.ts', 'functions/shapes'],
  'functions/engine/map': ['functions/shapes'],
  'app/theme': [],
  'app/styles': [],
  db: [
    'functions/access',
    'functions/shapes',
    'functions/context.ts',
    'functions/errors.ts',
    'functions/domain',
    'functions/identity',
  ],
}

/** Packages that only some rooms may touch. */
const guarded: Record<string, readonly string[]> = {
  hono: ['functions/api/serve.ts', 'scripts'],
  kysely: [
    'functions/domain',
    'functions/engine/query',
    'functions/identity',
    'functions/access',
    'functions/usage',
    'functions/rotation',
    'db',
    'scripts',
  ],
  'better-auth': ['functions/identity'],
  '@better-auth/passkey': ['functions/identity'],
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
  const room = roomOf(file)
  const found = new Map<string, Breach>()
  for (const { from, isType, isPackage } of imports) {
    if (isPackage) {
      const name = Object.keys(guarded).find((name) => from === name || from.startsWith(`${name}/`))
      const isAllowed = !name || isType || guarded[name]?.some((place) => isInside(file, place))
      if (!isAllowed)
        found.set(from, { file, imports: from, why: `${name} is kept to ${guarded[name]?.join(', ')}` })
    } else if (room === null) {
      found.set(from, { file, imports: from, why: 'this file stands in no room of the table' })
    } else if (!isInside(from, room) && !mayImport(room, from, isType)) {
      found.set(from, { file, imports: from, why: `${room} may not import it` })
    }
  }
  return [...found.values()]
}

function mayImport(room: string, path: string, isType: boolean): boolean {
  return (rooms[room] ?? []).some((entry) => {
    if (entry === '*') return true
    const isForTypes = entry.startsWith('type:')
    return isInside(path, isForTypes ? entry.slice('type:'.length) : entry) && (isType || !isForTypes)
  })
}

function roomOf(file: string): string | null {
  const matches = Object.keys(rooms).filter((room) => isInside(file, room))
  return matches.sort((a, b) => b.length - a.length)[0] ?? null
}

const isInside = (path: string, room: string) => path === room || path.startsWith(`${room}/`)

import { fileURLToPath } from 'node:url'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Bundle {
  name: string
  files: string[]
  bytes: number
  gzip: number
}

/**
 * The sizes of what the built Worker loads: `public` is the entry with all its static imports (stored pages,
 * tiles, assets need no more); the others are what each dynamic import adds to it.
 */
export function bundles(): Bundle[] {
  const folder = join(root, 'build/server')
  const names = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('.js'))
  const texts = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  const reach = (start: string, visited = new Set<string>()): Set<string> => {
    if (visited.has(start) || !texts.has(start)) return visited
    visited.add(start)
    for (const next of staticImports(start, texts.get(start) ?? '')) reach(next, visited)
    return visited
  }
  const measure = (name: string, files: string[]): Bundle => {
    const all = files.map((file) => texts.get(file) ?? '').join('')
    return { name, files, bytes: Buffer.byteLength(all), gzip: gzipSync(all).length }
  }
  const atStart = reach('index.js')
  const later = [...texts.keys()].filter((name) => !atStart.has(name)).sort()
  return [measure('public path', [...atStart]), ...later.map((name) => measure(name, [name]))]
}

/** The size in bytes of the built script by which a hub page counts views, compressed by brotli. */
export function beaconBytes(): number {
  const folder = join(root, 'build/client/hub')
  const name = readdirSync(folder).find((file) => /^beacon-.*\.js$/.test(file))
  if (!name) throw new Error('The build has no beacon.')
  return brotliBytes(readFileSync(join(folder, name)))
}

/** The files that a chunk imports statically, relative to the root of the build. */
function staticImports(from: string, text: string): string[] {
  const unreached = [
    ...text.matchAll(/(?:^|[;\n}])\s*(?:import|export)(?:[^'"();]*?from)?\s*["'](\.[^"']+)["']/g),
  ]
  return unreached.map((match) => join(from, '..', match[1] ?? ''))
}

/** Bytes of a document and its style sheet as the edge would send them. */
export function brotliBytes(...parts: (string | Buffer)[]): number {
  return parts.reduce((sum, part) => sum + brotliCompressSync(part).length, 0)
}

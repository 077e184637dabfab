import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesBelow } from '../files-below.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Finds files that the project's Markdown refers to but that do not exist, as `where: path`. A path in
 * backquotes (`a/b.ts`) is resolved against the folder of the text and every folder above it; a name without
 * a folder matches anywhere. URL paths (`/robots.txt`), generated files (`.cache/…`) and patterns
 * (`00NN_noun.ts`) are ignored.
 */
export function findBrokenPaths(): string[] {
  const files = [...filesBelow(root)]
  const texts = files.filter((path) => path.endsWith('.md'))
  return texts.flatMap((text) => {
    const patterns = [
      ...readFileSync(join(root, text), 'utf8').matchAll(/`((?![/.]\w)[\w./-]+\.(?:tsx?|mjs|md|css))`/g),
    ]
    return [...new Set(patterns.map(([, path = '']) => path))]
      .filter((path) => !path.includes('NN') && !isThere(path, dirname(text), files))
      .map((path) => `${text}: ${path}`)
  })
}

function isThere(path: string, folder: string, files: readonly string[]): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(root, at, path)) || existsSync(join(root, at, 'functions', path))) return true
    if (at === '.') break
  }
  return !path.includes('/') && files.some((file) => file.endsWith(`/${path}`))
}

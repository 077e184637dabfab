import { findSubjectHash } from '#functions/engine/address/file-names.ts'
import type { Manifest, ManifestPage } from './manifest.ts'

/**
 * How long, in milliseconds, files of a replaced page are still served: a reader may already have the page,
 * or open it from the browser's cache.
 */
const leftMs = 3_600_000

/**
 * The files of a page's previous version that are still served after it was replaced, with their expiry
 * (milliseconds), for readers who have the old page. Only while the page shows the same figure in a newer
 * version, so that withdrawn ones disappear with their page. Undefined: none.
 */
export function earlierFiles(
  old: ManifestPage,
  files: readonly string[],
  now: number,
): Record<string, number> | undefined {
  const namesShown = new Set(files.map(findSubjectHash))
  const expiries = [
    ...Object.entries(old.earlier ?? {}),
    ...old.files.map((name) => [name, now + leftMs] as const),
  ]
  const rest = expiries.filter(([name, until]) => {
    const of = findSubjectHash(name)
    return of !== null && namesShown.has(of) && until > now && !files.includes(name)
  })
  return rest.length > 0 ? Object.fromEntries(rest) : undefined
}

interface Names {
  /** Files that the pages refer to, and those of previous versions with their expiry. */
  files: Set<string>
  earlier: Map<string, number>
  /** By file, the names of the pages that refer to it or did in their previous version. */
  pages: Map<string, string[]>
}
const namesByManifest = new WeakMap<Manifest, Names>()

/**
 * Whether a file may be served by this manifest. `now` in milliseconds. The names are collected once per
 * manifest.
 */
export function isAnswered(manifest: Manifest, name: string, now: number): boolean {
  const { files, earlier } = namesByManifest.get(manifest) ?? namesIn(manifest)
  return files.has(name) || (earlier.get(name) ?? 0) > now
}

/** Names of the pages that refer to a file, or did in their previous version. */
export function pagesNaming(manifest: Manifest, name: string): readonly string[] {
  return (namesByManifest.get(manifest) ?? namesIn(manifest)).pages.get(name) ?? []
}

function namesIn(manifest: Manifest): Names {
  const pages = Object.values(manifest.pages)
  const names = {
    files: new Set(pages.flatMap(({ files }) => files)),
    earlier: new Map<string, number>(),
    pages: new Map<string, string[]>(),
  }
  for (const [key, { files, earlier = {} }] of Object.entries(manifest.pages))
    for (const name of [...files, ...Object.keys(earlier)]) {
      const pageNames = names.pages.get(name)
      if (pageNames) pageNames.push(key)
      else names.pages.set(name, [key])
    }
  for (const { earlier = {} } of pages)
    for (const [name, until] of Object.entries(earlier))
      names.earlier.set(name, Math.max(until, names.earlier.get(name) ?? 0))
  namesByManifest.set(manifest, names)
  return names
}

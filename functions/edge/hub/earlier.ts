import { shownIn } from '#functions/engine/address/file-names.ts'
import type { Manifest, ManifestPage } from './manifest.ts'

/** Who was given a page asks for its drawings at once, or when it comes out of a browser's memory. */
const leftMs = 3_600_000

/**
 * What is still answered of a page's drawings, after it was made again with other ones: a page on its way to a reader names the
 * old. Only while the page shows the same figure in a newer drawing: what was closed goes with its page.
 */
export function earlierOf(
  old: ManifestPage,
  files: readonly string[],
  now: number,
): Record<string, number> | undefined {
  const shown = new Set(files.map(shownIn))
  const expiries = [
    ...Object.entries(old.earlier ?? {}),
    ...old.files.map((name) => [name, now + leftMs] as const),
  ]
  const left = expiries.filter(([name, until]) => {
    const of = shownIn(name)
    return of !== null && shown.has(of) && until > now && !files.includes(name)
  })
  return left.length > 0 ? Object.fromEntries(left) : undefined
}

interface Names {
  /** All that the pages name, and what some of them named, with its end. */
  files: Set<string>
  earlier: Map<string, number>
  /** By file the names of the pages that name it, or did until just now. */
  pages: Map<string, string[]>
}
const namesByManifest = new WeakMap<Manifest, Names>()

/** Whether a manifest lets a file be answered. Its names are gathered once. */
export function isAnswered(manifest: Manifest, name: string, now: number): boolean {
  const { files, earlier } = namesByManifest.get(manifest) ?? namesIn(manifest)
  return files.has(name) || (earlier.get(name) ?? 0) > now
}

/** The pages that name a file, or did until just now. */
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
      const known = names.pages.get(name)
      if (known) known.push(key)
      else names.pages.set(name, [key])
    }
  for (const { earlier = {} } of pages)
    for (const [name, until] of Object.entries(earlier))
      names.earlier.set(name, Math.max(until, names.earlier.get(name) ?? 0))
  namesByManifest.set(manifest, names)
  return names
}

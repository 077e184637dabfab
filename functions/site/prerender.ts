import { hex, sha256 } from '#functions/digest.ts'
import {
  fileKey,
  pageKey,
  readManifest,
  writeManifest,
  type Manifest,
  type ManifestPage,
} from './manifest.ts'

/** A page as the live renderer answered it, with what it was made of and the files it refers to. */
export interface Rendered {
  status: number
  type: string
  body: string
  tags: string[]
  files: { name: string; type: string; body: string }[]
}

export interface Job {
  placeId: string
  /** Every public path of the hub now, with the status its page must have. */
  paths: { path: string; status: number }[]
  /** The manifest served now; 0 for none. */
  current: number
  /** Gives the number of the manifest to write. */
  allocate(): Promise<number>
  /** Only pages made of one of these are rendered again; null: all. */
  changed: Set<string> | null
}

export interface Effects {
  hubs: R2Bucket
  log(line: string): void
}

/** How many pages are rendered at once: a chart keeps a core busy, the database answers the next page meanwhile. */
const atOnce = 4

/**
 * Makes the next manifest of a hub by visiting its pages, and gives its number; null when nothing changed.
 * Pages whose content is the same are not written again. Throws when a page does not answer as it must: the
 * site that is up stays up, for nothing points at an unfinished manifest.
 */
export async function prerender(
  job: Job,
  visit: (path: string) => Promise<Rendered>,
  { hubs, log }: Effects,
): Promise<number | null> {
  const before = await readManifest(hubs, job.placeId, job.current)
  const pages: Manifest['pages'] = {}
  const stale: Job['paths'] = []
  for (const { path, status } of job.paths) {
    const old = before?.pages[`en ${path}`]
    if (old && job.changed && !old.tags.some((tag) => job.changed?.has(tag))) pages[`en ${path}`] = old
    else stale.push({ path, status })
  }
  let done = 0
  const render = async ({ path, status }: Job['paths'][number]) => {
    const page = await visit(path)
    if (page.status !== status) throw new Error(`${path} answered ${page.status} instead of ${status}`)
    const stored = await store(hubs, job.placeId, page, before?.pages[`en ${path}`])
    pages[`en ${path}`] = stored
    done += 1
    log(`rendered ${job.placeId} ${path} (${done} of ${stale.length})`)
  }
  for (let i = 0; i < stale.length; i += atOnce) await Promise.all(stale.slice(i, i + atOnce).map(render))

  if (before && isSame(before.pages, pages)) return null
  const number = await job.allocate()
  await writeManifest(hubs, { placeId: job.placeId, number, pages })
  const gone = Object.keys(before?.pages ?? {}).filter((key) => !pages[key])
  for (const key of gone) log(`removed ${job.placeId} ${key.slice(3)}`)
  log(`${job.placeId}: ${stale.length} of ${job.paths.length} pages rendered, manifest ${number}`)
  return number
}

async function store(hubs: R2Bucket, placeId: string, page: Rendered, old: ManifestPage | undefined) {
  const hash = hex(await sha256(page.body))
  const httpMetadata = { contentType: page.type }
  if (old?.hash !== hash) await hubs.put(pageKey(placeId, hash), page.body, { httpMetadata })
  for (const file of page.files) {
    if (old?.files.includes(file.name)) continue
    await hubs.put(fileKey(placeId, file.name), file.body, { httpMetadata: { contentType: file.type } })
  }
  const { status, type, tags } = page
  const files = page.files.map((file) => file.name).sort()
  return { hash, status, type, styles: await styleHashes(page.body), tags: [...tags].sort(), files }
}

/** What a Content-Security-Policy needs to allow the inline styles of a document. */
async function styleHashes(html: string): Promise<string[]> {
  const styles = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map((match) => match[1] ?? '')
  return Promise.all([...new Set(styles)].map(async (text) => `sha256-${base64(await sha256(text))}`))
}

function isSame(a: Manifest['pages'], b: Manifest['pages']): boolean {
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]))
}

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))

import { allLanguages, type HubLanguages, type Locale } from '#functions/shapes/locale.ts'
import { ImmutableCache } from '#functions/platform/cache/immutable.ts'

/** One stored page of a hub. */
export interface ManifestPage {
  /** SHA-256 of the body in hexadecimal, which is the name of its file. */
  hash: string
  status: number
  type: string
  /** Hashes of the inline styles, for the page's Content-Security-Policy. */
  styles: string[]
  /** What the page depends on: it is rendered again when one of these changes. */
  tags: string[]
  /**
   * Insights and sources whose data the page shows, beyond their names (`insight:…`, `source:…`): it is
   * withheld when one is withdrawn.
   */
  shows?: string[]
  /** Names of the files that the page refers to (`{sha}.json` …). */
  files: string[]
  /** Files of the page's previous version, and until when (milliseconds) they are still served. */
  earlier?: Record<string, number>
  /**
   * The build that rendered it, to whose files it may refer; absent for builds from before this was stored.
   */
  build?: string
}

/** Everything that a hub serves at one time, by `pageName`. Immutable once written. */
export interface Manifest {
  placeId: string
  number: number
  /** The languages of its pages, the hub's default first; absent: all. */
  languages?: HubLanguages
  pages: Record<string, ManifestPage>
}

/** The languages of a manifest, the hub's default first. */
export const languagesIn = ({ languages }: Pick<Manifest, 'languages'>): HubLanguages =>
  languages ?? allLanguages

/** The name of a page in a manifest: `en /datastories`. */
export const pageName = (locale: Locale, path: string) => `${locale} ${path}`

/** The path of a story that shows a figure, without a language; undefined where none does. */
export function storyOfFigure({ pages }: Manifest, locale: Locale, figure: string): string | undefined {
  const [start, end] = [pageName(locale, '/embed/pages/'), `/${figure}`]
  const embed = Object.keys(pages).find((name) => name.startsWith(start) && name.endsWith(end))
  const id = embed?.slice(start.length, -end.length)
  return ['storytelling', 'blank']
    .map((type) => `/pages/${type}/${id}/preview`)
    .find((path) => id !== undefined && pages[pageName(locale, path)] !== undefined)
}

/** Prefix of all objects that hubs serve. */
export const hubsPrefix = 'hubs/'
const folder = (placeId: string) => `${hubsPrefix}${placeId}`
export const manifestName = (n: number) => `${n}.json`
export const manifestKey = (placeId: string, n: number) => `${folder(placeId)}/manifests/${manifestName(n)}`

/** The key of a stored body: content-addressed, so the same page is never written twice. */
export const pageKey = (placeId: string, hash: string) => `${folder(placeId)}/pages/${hash}`
export const fileKey = (placeId: string, name: string) => `${folder(placeId)}/files/${name}`

/** Whether bodies of a content type are stored as text; pictures are not. */
export const isText = (type: string) => !type.startsWith('image/')

/**
 * Manifests in memory, limited by their size in bytes: that of a hub with thousands of pages has megabytes.
 */
const manifests = new ImmutableCache<{ manifest: Manifest; bytes: number }>({
  cost: 16_000_000,
  estimateCost: ({ bytes }) => bytes,
})

/** Manifest `n` of a hub from memory; null where it is not there. */
export const rememberedManifest = (placeId: string, n: number): Manifest | null =>
  manifests.peek(manifestKey(placeId, n))?.manifest ?? null

/** Manifest `n` of a hub; null when there is none (0: never published). */
export async function readManifest(hubs: R2Bucket, placeId: string, n: number): Promise<Manifest | null> {
  if (n === 0) return null
  const key = manifestKey(placeId, n)
  const storedManifest = await manifests.read(key, async () => {
    const object = await hubs.get(key)
    return object && { manifest: await object.json<Manifest>(), bytes: object.size }
  })
  return storedManifest?.manifest ?? null
}

/**
 * Merges two concurrent changes of one manifest: `ours` with what `theirs` changed of `base`. Theirs wins,
 * because it includes later events, and events since then are processed again.
 */
export function mergePages(
  base: Manifest['pages'],
  ours: Manifest['pages'],
  theirs: Manifest['pages'],
): Manifest['pages'] {
  const pages = { ...ours }
  for (const name of new Set([...Object.keys(base), ...Object.keys(theirs)])) {
    const page = theirs[name]
    if (isSamePage(base[name], page)) continue
    if (page) pages[name] = page
    else delete pages[name]
  }
  return pages
}

/** Writes manifest `number`: two concurrent changes of `base`, merged. */
export async function mergeManifests(
  hubs: R2Bucket,
  placeId: string,
  { number, ...of }: { base: number; ours: number; theirs: number; number: number },
): Promise<void> {
  const [base, ours, theirs] = await Promise.all(
    [of.base, of.ours, of.theirs].map((n) => readManifest(hubs, placeId, n)),
  )
  // A change that only removes pages does not set languages; a full render of the hub does.
  const languages = ours?.languages
  const pages = mergePages(base?.pages ?? {}, ours?.pages ?? {}, theirs?.pages ?? {})
  await writeManifest(hubs, { placeId, number, ...(languages && { languages }), pages })
}

/**
 * The builds that rendered the pages of a manifest, sorted, '' for pages without one; null when the manifest
 * cannot be read.
 */
export async function buildsIn(hubs: R2Bucket, placeId: string, n: number): Promise<string[] | null> {
  const manifest = await readManifest(hubs, placeId, n)
  return manifest && [...new Set(Object.values(manifest.pages).map(({ build = '' }) => build))].sort()
}

/** Whether two entries are equal. */
export function isSamePage(a: ManifestPage | undefined, b: ManifestPage | undefined): boolean {
  return a === b || (a?.hash === b?.hash && JSON.stringify(a) === JSON.stringify(b))
}

/**
 * Stores a manifest under its number, and keeps it in memory, since the next stage starts from it: that of a large hub
 * has megabytes. It is served once the snapshot refers to it, and must not be mutated afterwards.
 */
export async function writeManifest(hubs: R2Bucket, manifest: Manifest): Promise<void> {
  const key = manifestKey(manifest.placeId, manifest.number)
  const text = JSON.stringify(manifest)
  await hubs.put(key, text, { httpMetadata: { contentType: 'application/json' } })
  manifests.put(key, { manifest, bytes: text.length })
}

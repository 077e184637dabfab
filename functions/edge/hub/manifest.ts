import { allLanguages, type HubLanguages, type Locale } from '#functions/shapes/locale.ts'
import { ImmutableCache } from '#functions/platform/cache/immutable.ts'

/** One stored page of a hub. */
export interface ManifestPage {
  /** SHA-256 of the body, hex: the name of its file. */
  hash: string
  status: number
  type: string
  /** Hashes of the inline styles, for the page's Content-Security-Policy. */
  styles: string[]
  /** What the page was made of: it is made again when one of these changes. */
  tags: string[]
  /** Of what it shows records or answers, and not only the name (`insight:…`, `source:…`): withheld when that is withdrawn. */
  shows?: string[]
  /** Names of the files the page refers to (`{sha}.json` …). */
  files: string[]
  /** Drawings that the page named until just now, and until when (ms) they are still answered. */
  earlier?: Record<string, number>
  /** The version of the code that made it, whose files it may name; absent: of code that did not say. */
  build?: string
}

/** Everything a hub serves at one moment, by `pageName`. Never changed once written. */
export interface Manifest {
  placeId: string
  number: number
  /** The languages that its pages are in, the hub's own first; absent: all. */
  languages?: HubLanguages
  pages: Record<string, ManifestPage>
}

/** The languages of a hub that is served, its own first. */
export const languagesIn = ({ languages }: Pick<Manifest, 'languages'>): HubLanguages =>
  languages ?? allLanguages

/** What a page is called in a manifest: `en /datastories`. */
export const pageName = (locale: Locale, path: string) => `${locale} ${path}`

/** Below it lies all that hubs serve. */
export const hubsPrefix = 'hubs/'
const folder = (placeId: string) => `${hubsPrefix}${placeId}`
export const manifestName = (n: number) => `${n}.json`
export const manifestKey = (placeId: string, n: number) => `${folder(placeId)}/manifests/${manifestName(n)}`

/** Where a stored body lies: content-addressed, so the same page is never written twice. */
export const pageKey = (placeId: string, hash: string) => `${folder(placeId)}/pages/${hash}`
export const fileKey = (placeId: string, name: string) => `${folder(placeId)}/files/${name}`

/** Whether a stored body of a content type is text; pictures are not. */
export const isText = (type: string) => !type.startsWith('image/')

/** Manifests in memory, by the bytes that each has in the bucket; a hub of thousands of pages has megabytes. */
const manifests = new ImmutableCache<{ manifest: Manifest; bytes: number }>({
  cost: 16_000_000,
  costOf: ({ bytes }) => bytes,
})

/** Manifest `n` of a hub, where memory has it; else null. */
export const rememberedManifest = (placeId: string, n: number): Manifest | null =>
  manifests.peek(manifestKey(placeId, n))?.manifest ?? null

/** Manifest `n` of a hub; null when there is none (a hub never published). */
export async function readManifest(hubs: R2Bucket, placeId: string, n: number): Promise<Manifest | null> {
  if (n === 0) return null
  const key = manifestKey(placeId, n)
  const known = await manifests.read(key, async () => {
    const object = await hubs.get(key)
    return object && { manifest: await object.json<Manifest>(), bytes: object.size }
  })
  return known?.manifest ?? null
}

/**
 * What two makers made of one manifest, as one: `mine` with what `theirs` changed of `base`. Theirs wins: what they made is
 * of a later moment than what was told to me, and whatever was told since is told again.
 */
export function mergePages(
  base: Manifest['pages'],
  mine: Manifest['pages'],
  theirs: Manifest['pages'],
): Manifest['pages'] {
  const pages = { ...mine }
  for (const name of new Set([...Object.keys(base), ...Object.keys(theirs)])) {
    const page = theirs[name]
    if (isSamePage(base[name], page)) continue
    if (page) pages[name] = page
    else delete pages[name]
  }
  return pages
}

/** Writes `number`: what two makers made of `base`, as one. */
export async function mergeManifests(
  hubs: R2Bucket,
  placeId: string,
  { number, ...of }: { base: number; mine: number; theirs: number; number: number },
): Promise<void> {
  const [base, mine, theirs] = await Promise.all(
    [of.base, of.mine, of.theirs].map((n) => readManifest(hubs, placeId, n)),
  )
  // Who only takes away changes no languages: whoever makes all of the hub does.
  const languages = mine?.languages
  const pages = mergePages(base?.pages ?? {}, mine?.pages ?? {}, theirs?.pages ?? {})
  await writeManifest(hubs, { placeId, number, ...(languages && { languages }), pages })
}

/** The builds that made the pages of a manifest, in order, '' for pages that do not say; null when it cannot be read. */
export async function buildsIn(hubs: R2Bucket, placeId: string, n: number): Promise<string[] | null> {
  const manifest = await readManifest(hubs, placeId, n)
  return manifest && [...new Set(Object.values(manifest.pages).map(({ build = '' }) => build))].sort()
}

/** Whether two entries say the same. */
export function isSamePage(a: ManifestPage | undefined, b: ManifestPage | undefined): boolean {
  return a === b || (a?.hash === b?.hash && JSON.stringify(a) === JSON.stringify(b))
}

/** Stores a manifest under its number. It is served only once the snapshot points at it. */
export async function writeManifest(hubs: R2Bucket, manifest: Manifest): Promise<void> {
  await hubs.put(manifestKey(manifest.placeId, manifest.number), JSON.stringify(manifest), {
    httpMetadata: { contentType: 'application/json' },
  })
}

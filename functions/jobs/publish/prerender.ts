import type { PageFailure } from '#functions/context.ts'
import { PageError } from './problem.ts'
import { tagIn } from '#functions/domain/outbox/events.ts'
import { hubMemory, pageMemory, type Memo } from '#functions/platform/cache/memo.ts'
import { forEachConcurrently } from '#functions/platform/concurrency.ts'
import { hex, sha256 } from '#functions/platform/digest.ts'
import { earlierFiles } from '#functions/edge/hub/earlier-files.ts'
import { getPagePath, type HubPath } from '#functions/edge/hub/hub-pages.ts'
import { allLanguages, type HubLanguages, type Locale } from '#functions/shapes/locale.ts'
import {
  fileKey,
  isSamePage,
  manifestName,
  pageKey,
  languagesIn,
  pageName,
  readManifest,
  writeManifest,
  type Manifest,
  type ManifestPage,
} from '#functions/edge/hub/manifest.ts'

/** A page in one language as the live renderer returned it, with its dependencies and the files it refers to. */
export interface PageRendering {
  locale: Locale
  status: number
  type: string
  /** The bytes of a picture, otherwise text. */
  body: string | Uint8Array<ArrayBuffer>
  tags: string[]
  files: { name: string; type: string; body: string }[]
  /** The questions that got no answer. */
  failures?: readonly PageFailure[]
  /** The build of its scripts and styles; absent in development, where nothing was built. */
  build?: string
}

export interface Job {
  placeId: string
  /** Every public path of the hub now, with the status its page must have. */
  paths: HubPath[]
  /** The number of the published manifest; 0 for none. */
  current: number
  /**
   * The languages of the hub, its own first; by default those that are published. Where they differ, everything is
   * rendered again.
   */
  languages?: HubLanguages
  /** Allocates the number of the manifest. */
  allocate(): Promise<number>
  /** The stale tags: only pages with one of these are rendered again; null: all. */
  staleTags: Set<string> | null
  /**
   * Names of objects that are missing in the bucket: pages that use one of them are rendered and stored again, even if
   * nothing else changed.
   */
  lost?: ReadonlySet<string>
  /** Whether a stored page is withheld from readers until it is rendered again, by its path without a language. */
  isWithheld?: (path: string, page: ManifestPage) => boolean
  /** Limits rendering to these paths; the others stay as they are published, or unpublished. */
  only?: (path: HubPath) => boolean
  /** Memoised answers of other pages of this run. */
  memo?: Memo['hub']
  /** Pages rendered for the same change in earlier steps, by `pageName`: they are not rendered again. Pages rendered now are added. */
  renderedPages?: Map<string, ManifestPage>
  /**
   * Where given, a page that fails (5xx) stays as it is published, and its error is added here by its path; a hub that
   * is not published yet, or with many failures, is handled as without it.
   */
  pageErrors?: Map<string, PageError>
  /** Whether the step's time is over. */
  isOver?: () => boolean
  /**
   * Where given, only published pages of other builds are rendered again. At the time limit the rendered pages are
   * published with the remaining old ones, so that the next step continues from there.
   */
  again?: { build: string; hasEnded: boolean }
}

/** The step's time was over before all pages were rendered; those that were are in `renderedPages`. */
export class OutOfTimeError extends Error {}

interface Effects {
  hubs: R2Bucket
  log(line: string): void
}

/**
 * How many pages are rendered concurrently, each with its files: a chart keeps a core busy while the database answers
 * the next page.
 */
const atOnce = 8
/** The same for pages that no reader waits for. */
const atOnceAgain = 2
/** How many pages may fail because a query takes too long. If more do, the database is the cause, and the whole step fails. */
const maxFailed = 20

/** Renders one path in each of some languages. */
type VisitPath = (
  path: string,
  /** Those to render. */
  locales: readonly Locale[],
  /** Those of the hub, its own first. */
  languages: HubLanguages,
  memo: Memo,
) => Promise<PageRendering[]>

/**
 * Builds the next manifest of a hub by visiting its pages, each in every language, and returns its number; null when
 * nothing changed. Pages with the same content are not written again. Throws when a page gives an unexpected response:
 * the published site is unaffected, because nothing refers to an unfinished manifest. Throws OutOfTimeError at the time
 * limit, but never before at least one page with its files is rendered.
 */
export async function prerender(job: Job, visit: VisitPath, { hubs, log }: Effects): Promise<number | null> {
  const before = await readManifest(hubs, job.placeId, job.current)
  const languages = job.languages ?? (before ? languagesIn(before) : allLanguages)
  const isInOthers = before !== null && languagesIn(before).join() !== languages.join()
  const staleTags = isInOthers ? null : job.staleTags
  const { renderedPages = new Map<string, ManifestPage>(), lost = new Set() } = job
  const { pages, stale } = splitFreshAndStale({ ...job, staleTags, renderedPages, lost }, before, languages)
  const writtenKeys = new Set<string>()
  let finished = 0
  const render = async (one: StalePath, memo: Memo) => {
    const { path, status, locales } = one
    const renderings = await visit(path, locales, languages, memo)
    const bad = renderings.find((page) => page.status !== status)
    if (bad) return retainServedPages(one, bad)
    const writes = renderings.map(async (page) => {
      const key = pageName(page.locale, path)
      const entry = await store(hubs, job.placeId, page, before?.pages[key], { writtenKeys, lost })
      pages[key] = entry
      renderedPages.set(key, entry)
    })
    await Promise.all(writes)
    finished += 1
    log(`rendered ${job.placeId} ${path} (${finished} of ${stale.length})`)
  }
  const retainServedPages = (one: StalePath, bad: PageRendering) => {
    const text = `${pageName(bad.locale, one.path)} answered ${bad.status} instead of ${one.status}`
    const { pageErrors } = job
    const error = new PageError(text, one.path, bad.failures ?? [])
    if (!pageErrors || !before || bad.status < 500 || pageErrors.size >= maxFailed) throw error
    pageErrors.set(one.path, error)
    for (const locale of one.locales) {
      const key = pageName(locale, one.path)
      const servedPage = before.pages[key]
      if (servedPage) pages[key] = servedPage
    }
    log(`${job.placeId}: ${text}, and stays as it is`)
  }
  const { memo = hubMemory() } = job
  let isBegun = false
  const most = job.again ? atOnceAgain : atOnce
  await forEachConcurrently(together(stale), most, async (paths) => {
    if (isBegun && job.isOver?.()) throw new OutOfTimeError()
    isBegun = true
    const own = pageMemory(memo)
    for (const one of paths) await render(one, own)
  }).catch((error: unknown) => {
    if (!job.again || !(error instanceof OutOfTimeError)) throw error
    job.again.hasEnded = true
    for (const { path, locales } of stale)
      for (const name of locales.map((locale) => pageName(locale, path))) {
        const servedPage = before?.pages[name]
        if (servedPage) pages[name] ??= servedPage
      }
  })

  if (before && !isInOthers && isSame(before.pages, pages) && !lost.has(manifestName(job.current)))
    return null
  const number = await job.allocate()
  await writeManifest(hubs, { placeId: job.placeId, number, languages, pages })
  const deleted = Object.keys(before?.pages ?? {}).filter((key) => !pages[key])
  const paths = new Set(deleted.map((key) => key.slice(key.indexOf(' ') + 1)))
  for (const path of paths) log(`removed ${job.placeId} ${path}`)
  log(`${job.placeId}: ${stale.length} of ${job.paths.length} pages rendered, manifest ${number}`)
  return number
}

/** A path to render, with its languages. */
type StalePath = HubPath & { locales: readonly Locale[] }

/** Splits the paths of a hub into pages that stay (as served, or as rendered in an earlier step) and paths to render. */
function splitFreshAndStale(
  {
    paths,
    again,
    only,
    isWithheld,
    staleTags,
    renderedPages,
    lost,
  }: Job & Required<Pick<Job, 'renderedPages' | 'lost'>>,
  before: Manifest | null,
  languages: HubLanguages,
): { pages: Manifest['pages']; stale: StalePath[] } {
  const pages: Manifest['pages'] = {}
  const stale: StalePath[] = []
  for (const one of paths) {
    const { path } = one
    const pageLocales = chooseLanguages(one, languages)
    const isShown = (page: ManifestPage) => isWithheld?.(path, page) !== true
    const findServedPage = (locale: Locale) => before?.pages[pageName(locale, path)]
    // Pages of another build are rendered again in all languages or in none.
    const isOfBuild = again && pageLocales.every((locale) => isFromBuild(again.build, findServedPage(locale)))
    const isLeft = isOfBuild === true || only?.(one) === false
    const isWhole = pageLocales.every(findServedPage)
    const missing: Locale[] = []
    for (const locale of pageLocales) {
      const name = pageName(locale, path)
      const servedPage = findServedPage(locale)
      const done = renderedPages.get(name)
      const isFresh =
        !again && isWhole && servedPage && isKept(servedPage, staleTags, lost, locale) && isShown(servedPage)
      if (isLeft || isFresh) {
        if (servedPage) pages[name] = servedPage
      } else if (done && isShown(done)) pages[name] = done
      else missing.push(locale)
    }
    if (missing.length > 0) stale.push({ ...one, locales: missing })
  }
  return { pages, stale }
}

/** Whether a page is published and of a build: one that the previous build did not have is rendered as well. */
const isFromBuild = (build: string, page: ManifestPage | undefined) => page?.build === build

/** Paths grouped by the page they belong to, in their order: each page comes before its files. */
function together(paths: StalePath[]): StalePath[][] {
  const groups = new Map<string, StalePath[]>()
  for (const one of paths) {
    const name = `${one.kind === 'page'} ${getPagePath(one.path)}`
    const group = groups.get(name)
    if (group) group.push(one)
    else groups.set(name, [one])
  }
  return [...groups.values()]
}

/** The languages to render a path in: pages for people in all of them, files for programs only in the hub's own. */
const chooseLanguages = ({ kind }: HubPath, languages: HubLanguages) =>
  kind === 'file' ? [languages[0]] : languages

const isKept = (
  { hash, files, tags }: ManifestPage,
  staleTags: Set<string> | null,
  lost: ReadonlySet<string>,
  locale: Locale,
) =>
  staleTags !== null &&
  ![hash, ...files].some((name) => lost.has(name)) &&
  !tags.some((tag) => staleTags.has(tag) || staleTags.has(tagIn(locale, tag)))

/**
 * The prefix of tags for rows whose content is shown (`shows` in functions/platform/cache/depends.ts), in addition to
 * the dependency tags.
 */
const showsPrefix = 'shows:'

/**
 * Stores what has changed or was lost of a page; `writtenKeys` has the names of files stored by this job: languages
 * share most of them.
 */
async function store(
  hubs: R2Bucket,
  placeId: string,
  page: PageRendering,
  old: ManifestPage | undefined,
  { writtenKeys, lost }: { writtenKeys: Set<string>; lost: ReadonlySet<string> },
) {
  const bytes = typeof page.body === 'string' ? new TextEncoder().encode(page.body) : page.body
  const hash = hex(await sha256(bytes))
  const httpMetadata = { contentType: page.type }
  if (old?.hash !== hash || lost.has(hash)) await hubs.put(pageKey(placeId, hash), bytes, { httpMetadata })
  for (const file of page.files) {
    const isThere = old?.files.includes(file.name) === true && !lost.has(file.name)
    if (isThere || writtenKeys.has(file.name)) continue
    writtenKeys.add(file.name)
    await hubs.put(fileKey(placeId, file.name), file.body, { httpMetadata: { contentType: file.type } })
  }
  const { status, type, build } = page
  const shows = page.tags
    .filter((tag) => tag.startsWith(showsPrefix))
    .map((tag) => tag.slice(showsPrefix.length))
  const tags = page.tags.filter((tag) => !tag.startsWith(showsPrefix))
  const files = page.files.map((file) => file.name).sort()
  const earlier = old?.hash === hash ? old.earlier : old && earlierFiles(old, files, Date.now())
  return {
    hash,
    status,
    type,
    styles: typeof page.body === 'string' ? await styleHashes(page.body) : [],
    tags: tags.sort(),
    ...(shows.length > 0 ? { shows: shows.sort() } : {}),
    files,
    ...(earlier ? { earlier } : {}),
    ...(build === undefined ? {} : { build }),
  }
}

/** The hashes of recent styles: all pages of a hub have the same. Compared as text, which is faster than hashing. */
const hashed: { text: string; hash: string }[] = []
const maxHashed = 8

/** The hashes for a Content-Security-Policy that allow the inline styles of a document. */
async function styleHashes(html: string): Promise<string[]> {
  const hashes: string[] = []
  for (let at = html.indexOf('<style'); at >= 0; at = html.indexOf('<style', at)) {
    const from = html.indexOf('>', at) + 1
    const end = html.indexOf('</style>', from)
    if (from === 0 || end < 0) break
    hashes.push(await hashStyle(html.slice(from, end)))
    at = end
  }
  return [...new Set(hashes)]
}

async function hashStyle(text: string): Promise<string> {
  const existing = hashed.find((each) => each.text === text)
  if (existing) return existing.hash
  const hash = `sha256-${base64(await sha256(text))}`
  hashed.unshift({ text, hash })
  hashed.length = Math.min(hashed.length, maxHashed)
  return hash
}

function isSame(a: Manifest['pages'], b: Manifest['pages']): boolean {
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => isSamePage(a[key], b[key]))
}

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))

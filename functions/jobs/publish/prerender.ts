import type { PageFailure } from '#functions/context.ts'
import { PageError } from './problem.ts'
import { tagIn } from '#functions/domain/outbox/events.ts'
import { hubMemory, pageMemory, type Memo } from '#functions/platform/cache/memo.ts'
import { hex, sha256 } from '#functions/platform/digest.ts'
import { earlierOf } from '#functions/edge/hub/earlier.ts'
import { pageOf, type HubPath } from '#functions/edge/hub/hub-pages.ts'
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

/** A page in one language as the live renderer answered it, with what it was made of and the files it refers to. */
export interface Rendered {
  locale: Locale
  status: number
  type: string
  /** Bytes of a picture, else text. */
  body: string | Uint8Array<ArrayBuffer>
  tags: string[]
  files: { name: string; type: string; body: string }[]
  /** What it could not ask. */
  failures?: readonly PageFailure[]
  /** The version of the code that made it, whose files are kept; absent: of code that was not built. */
  build?: string
}

export interface Job {
  placeId: string
  /** Every public path of the hub now, with the status its page must have. */
  paths: HubPath[]
  /** The manifest served now; 0 for none. */
  current: number
  /** The languages of the hub, its own first; absent: those that are served. Where they differ from these, all is made again. */
  languages?: HubLanguages
  /** Gives the number of the manifest to write. */
  allocate(): Promise<number>
  /** Only pages made of one of these are rendered again; null: all. */
  changed: Set<string> | null
  /** Names of objects that are not in the bucket any more: what has one is made again and stored, whatever it was before. */
  lost?: ReadonlySet<string>
  /** Whether a stored page is kept from readers until it is made again, by its path without a language. */
  isWithheld?: (path: string, page: ManifestPage) => boolean
  /** Of what is to be rendered only this is, now; the rest stays as it is served, or unserved. */
  only?: (path: HubPath) => boolean
  /** What was asked already for pages of this hub, at this moment. */
  memo?: Memo['hub']
  /** What was made for this very change before, by `pageName`: it is not made again. What is made now is added. */
  made?: Map<string, ManifestPage>
  /**
   * Where it is given, a page that cannot be made now (5xx) stays as it is served, and why is added here by its path; a hub
   * that is not served yet, and one of which many pages fail, is as without.
   */
  failed?: Map<string, PageError>
  /** Whether the step's time is over. */
  isOver?: () => boolean
  /**
   * Where it is given, what is served and not of this build is made again instead, and nothing else is. When time is over,
   * what was made is served beside what was not, so that the next step has only the rest to make.
   */
  again?: { build: string; hasEnded: boolean }
}

/** A step's time is over before all was made; what was is in `made`. */
export class OutOfTime extends Error {}

interface Effects {
  hubs: R2Bucket
  log(line: string): void
}

/**
 * How many pages are rendered at once, each with all that belongs to it: a chart keeps a core busy, the database answers the
 * next page meanwhile.
 */
const atOnce = 8
/** Of pages that nobody waits for. */
const atOnceAgain = 2
/** So many pages may fail of what is not the hub's own fault: a question that takes too long. More are the database's. */
const mostFailed = 20

/** Renders one path in each of some languages. */
type VisitPath = (
  path: string,
  /** Those to render. */
  wanted: readonly Locale[],
  /** Those of the hub, its own first. */
  languages: HubLanguages,
  memo: Memo,
) => Promise<Rendered[]>

/**
 * Makes the next manifest of a hub by visiting its pages, each in every language, and gives its number; null when nothing
 * changed. Pages whose content is the same are not written again. Throws when a page does not answer as it must: the
 * site that is up stays up, for nothing points at an unfinished manifest. Throws OutOfTime when time is over; at least one
 * page and what belongs to it is made before.
 */
export async function prerender(job: Job, visit: VisitPath, { hubs, log }: Effects): Promise<number | null> {
  const before = await readManifest(hubs, job.placeId, job.current)
  const languages = job.languages ?? (before ? languagesIn(before) : allLanguages)
  const isInOthers = before !== null && languagesIn(before).join() !== languages.join()
  const changed = isInOthers ? null : job.changed
  const { made = new Map<string, ManifestPage>(), lost = new Set() } = job
  const { pages, stale } = takeFresh({ ...job, changed, made, lost }, before, languages)
  const written = new Set<string>()
  let done = 0
  const render = async (one: StalePath, memo: Memo) => {
    const { path, status, locales } = one
    const rendered = await visit(path, locales, languages, memo)
    const bad = rendered.find((page) => page.status !== status)
    if (bad) return keep(one, bad)
    const stored = rendered.map(async (page) => {
      const key = pageName(page.locale, path)
      const entry = await store(hubs, job.placeId, page, before?.pages[key], { written, lost })
      pages[key] = entry
      made.set(key, entry)
    })
    await Promise.all(stored)
    done += 1
    log(`rendered ${job.placeId} ${path} (${done} of ${stale.length})`)
  }
  const keep = (one: StalePath, bad: Rendered) => {
    const text = `${pageName(bad.locale, one.path)} answered ${bad.status} instead of ${one.status}`
    const { failed } = job
    const error = new PageError(text, one.path, bad.failures ?? [])
    if (!failed || !before || bad.status < 500 || failed.size >= mostFailed) throw error
    failed.set(one.path, error)
    for (const locale of one.locales) {
      const key = pageName(locale, one.path)
      const served = before.pages[key]
      if (served) pages[key] = served
    }
    log(`${job.placeId}: ${text}, and stays as it is`)
  }
  const { memo = hubMemory() } = job
  let isBegun = false
  const most = job.again ? atOnceAgain : atOnce
  await inTurn(together(stale), most, async (paths) => {
    if (isBegun && job.isOver?.()) throw new OutOfTime()
    isBegun = true
    const own = pageMemory(memo)
    for (const one of paths) await render(one, own)
  }).catch((error: unknown) => {
    if (!job.again || !(error instanceof OutOfTime)) throw error
    job.again.hasEnded = true
    for (const { path, locales } of stale)
      for (const name of locales.map((locale) => pageName(locale, path))) {
        const served = before?.pages[name]
        if (served) pages[name] ??= served
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

/** A path that is to be rendered, and in which languages. */
type StalePath = HubPath & { locales: readonly Locale[] }

/** What of a hub stays as it is served or was made before, and the paths that are to be rendered. */
function takeFresh(
  { paths, again, only, isWithheld, changed, made, lost }: Job & Required<Pick<Job, 'made' | 'lost'>>,
  before: Manifest | null,
  languages: HubLanguages,
): { pages: Manifest['pages']; stale: StalePath[] } {
  const pages: Manifest['pages'] = {}
  const stale: StalePath[] = []
  for (const one of paths) {
    const { path } = one
    const spoken = languagesOf(one, languages)
    const isShown = (page: ManifestPage) => isWithheld?.(path, page) !== true
    const servedIn = (locale: Locale) => before?.pages[pageName(locale, path)]
    // Pages of another build are made again in all languages, or in none.
    const isOfBuild = again && spoken.every((locale) => isOf(again.build, servedIn(locale)))
    const isLeft = isOfBuild === true || only?.(one) === false
    const isWhole = spoken.every(servedIn)
    const missing: Locale[] = []
    for (const locale of spoken) {
      const name = pageName(locale, path)
      const served = servedIn(locale)
      const done = made.get(name)
      const isFresh = !again && isWhole && served && isKept(served, changed, lost, locale) && isShown(served)
      if (isLeft || isFresh) {
        if (served) pages[name] = served
      } else if (done && isShown(done)) pages[name] = done
      else missing.push(locale)
    }
    if (missing.length > 0) stale.push({ ...one, locales: missing })
  }
  return { pages, stale }
}

/** Whether a page is served and is of a build: one that the build before did not know is made as well. */
const isOf = (build: string, page: ManifestPage | undefined) => page?.build === build

/** Paths by the page that they are of, in their order; pages come before what belongs to them. */
function together(paths: StalePath[]): StalePath[][] {
  const groups = new Map<string, StalePath[]>()
  for (const one of paths) {
    const name = `${one.kind === 'page'} ${pageOf(one.path)}`
    const group = groups.get(name)
    if (group) group.push(one)
    else groups.set(name, [one])
  }
  return [...groups.values()]
}

/** Does all of them, some at once; begins none after one has failed, and throws when those that were begun have ended. */
async function inTurn<One>(all: One[], most: number, work: (one: One) => Promise<void>): Promise<void> {
  const next = all.values()
  let isFailing = false
  const worker = async () => {
    for (const one of next) {
      if (isFailing) return
      await work(one).catch((error: unknown) => {
        isFailing = true
        throw error
      })
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: most }, worker))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}

/** What people see is made in every language; what programs read is the same in all and stands once, with the hub's own. */
const languagesOf = ({ kind }: HubPath, languages: HubLanguages) =>
  kind === 'file' ? [languages[0]] : languages

const isKept = (
  { hash, files, tags }: ManifestPage,
  changed: Set<string> | null,
  lost: ReadonlySet<string>,
  locale: Locale,
) =>
  changed !== null &&
  ![hash, ...files].some((name) => lost.has(name)) &&
  !tags.some((tag) => changed.has(tag) || changed.has(tagIn(locale, tag)))

/** What answers note of what they show, beside what they are made of (`shows` in functions/platform/cache/depends.ts). */
const showsPrefix = 'shows:'

/** Stores what is new of a page, or was lost; `written` knows the files that this job has stored: languages share most of them. */
async function store(
  hubs: R2Bucket,
  placeId: string,
  page: Rendered,
  old: ManifestPage | undefined,
  { written, lost }: { written: Set<string>; lost: ReadonlySet<string> },
) {
  const bytes = typeof page.body === 'string' ? new TextEncoder().encode(page.body) : page.body
  const hash = hex(await sha256(bytes))
  const httpMetadata = { contentType: page.type }
  if (old?.hash !== hash || lost.has(hash)) await hubs.put(pageKey(placeId, hash), bytes, { httpMetadata })
  for (const file of page.files) {
    const isThere = old?.files.includes(file.name) === true && !lost.has(file.name)
    if (isThere || written.has(file.name)) continue
    written.add(file.name)
    await hubs.put(fileKey(placeId, file.name), file.body, { httpMetadata: { contentType: file.type } })
  }
  const { status, type, build } = page
  const shows = page.tags
    .filter((tag) => tag.startsWith(showsPrefix))
    .map((tag) => tag.slice(showsPrefix.length))
  const tags = page.tags.filter((tag) => !tag.startsWith(showsPrefix))
  const files = page.files.map((file) => file.name).sort()
  const earlier = old?.hash === hash ? old.earlier : old && earlierOf(old, files, Date.now())
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

/** The last few styles: those of a hub stand in each of its pages. Compared as they are, which is sooner done than by a name. */
const hashed: { text: string; hash: string }[] = []
const mostHashed = 8

/** What a Content-Security-Policy needs to allow the inline styles of a document. */
async function styleHashes(html: string): Promise<string[]> {
  const hashes: string[] = []
  for (let at = html.indexOf('<style'); at >= 0; at = html.indexOf('<style', at)) {
    const from = html.indexOf('>', at) + 1
    const end = html.indexOf('</style>', from)
    if (from === 0 || end < 0) break
    hashes.push(await hashOf(html.slice(from, end)))
    at = end
  }
  return [...new Set(hashes)]
}

async function hashOf(text: string): Promise<string> {
  const known = hashed.find((each) => each.text === text)
  if (known) return known.hash
  const hash = `sha256-${base64(await sha256(text))}`
  hashed.unshift({ text, hash })
  hashed.length = Math.min(hashed.length, mostHashed)
  return hash
}

function isSame(a: Manifest['pages'], b: Manifest['pages']): boolean {
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => isSamePage(a[key], b[key]))
}

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))

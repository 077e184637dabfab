import type { Locale } from '#functions/engine/address/locales.ts'
import { formatCitations } from '#functions/engine/catalogue/cite.ts'
import { listVersions, readVersion, type VersionFile } from '#functions/engine/catalogue/version-file.ts'
import { formatValue } from '#functions/engine/chart/format.ts'
import { fileKey } from '#functions/engine/export/prepared/manifest.ts'
import { escapeHtml } from '#functions/shapes/html-text.ts'
import { languages } from '#functions/shapes/language/index.ts'
import { findLicence } from '#functions/shapes/licences.ts'
import { formatTag } from '#functions/shapes/locale.ts'
import { readLastPlaceState } from './place-state.ts'
import type { TableContent } from './serve-table.ts'

/** The permanent path of a source's version, or of the list of versions. */
interface VersionAddress {
  /** The path of the source's page. */
  source: string
  sourceId: string
  /** Null for the list. */
  version: number | null
  /** The rest of the path after that of the source. */
  rest: string
}

const versionPath = /^(\/domains\/[\w-]+\/source\/([\w-]{1,64}))(\/versions(?:\/([1-9]\d{0,8}))?)$/

/** Parses the path of a version; null for other paths. */
export function versionIn(path: string): VersionAddress | null {
  const [, source, sourceId, rest, version] = versionPath.exec(path) ?? []
  return source === undefined || sourceId === undefined || rest === undefined
    ? null
    : { source, sourceId, rest, version: version === undefined ? null : Number(version) }
}

/**
 * The page of a public source's version, or the list of versions: changes, checksum, rows while its files exist, and the metadata of
 * that time. From stored files, without the database. 404 for a version that was never published.
 */
export async function versionContent(
  { source, sourceId, version }: VersionAddress,
  params: URLSearchParams,
  {
    name,
    sourcePath,
    placeId,
    locale,
  }: { name: string; sourcePath: string; placeId: string; locale: Locale },
  { hubs, files, origin }: { hubs: R2Bucket; files: R2Bucket; origin: string },
): Promise<TableContent> {
  const w = languages[locale].trust
  if (version === null) {
    const state = await readLastPlaceState(hubs, placeId)
    const reading = { locale, timeZone: state?.timeZone ?? 'UTC' }
    return versionList(files, { sourceId, name, sourcePath, page: Number(params.get('page')) }, reading)
  }
  const [state, file] = await Promise.all([
    readLastPlaceState(hubs, placeId),
    readVersion(files, sourceId, version),
  ])
  const number = String(version)
  if (!file) return { status: 404, html: '', title: w.cite.missing(number), isWhole: false }
  const hasRows = file.state !== null && (await files.head(fileKey(sourceId, file.state, 'csv'))) !== null
  const newest =
    state && Object.hasOwn(state.sources, sourceId) ? state.sources[sourceId]?.version : undefined
  const reading = { locale, timeZone: state?.timeZone ?? 'UTC' }
  const url = `${origin}${source}/versions/${number}`
  return {
    status: 200,
    title: w.cite.pageTitle(name, number),
    // Not indexed: search engines find the newest version by the source's page, and others repeat it with
    // older rows.
    isWhole: false,
    html: renderPage(file, { sourceId, sourcePath, url, hasRows, isNewest: newest === version }, reading),
  }
}

/** Versions per page of the list; the file of each is read separately. */
const versionsPerPage = 25

/** The published versions, newest first, paged. A page number out of range is clamped. */
async function versionList(
  files: R2Bucket,
  {
    sourceId,
    name,
    sourcePath,
    page: number,
  }: { sourceId: string; name: string; sourcePath: string; page: number },
  reading: { locale: Locale; timeZone: string },
): Promise<TableContent> {
  const { trust: w, edge } = languages[reading.locale]
  const n = (value: number) => escapeHtml(new Intl.NumberFormat(formatTag(reading.locale)).format(value))
  const numbers = await listVersions(files, sourceId)
  const pages = Math.max(1, Math.ceil(numbers.length / versionsPerPage))
  const page = Number.isInteger(number) ? Math.min(Math.max(number, 1), pages) : 1
  const pageNumbers = numbers.slice((page - 1) * versionsPerPage, page * versionsPerPage)
  const read = await Promise.all(pageNumbers.map((number) => readVersion(files, sourceId, number)))
  const items = read.flatMap((file) => {
    if (!file) return []
    const changes = renderChanges(file, n, w)
    const href = `${sourcePath}/versions/${file.version}`
    return [
      `<li><h2><a href="${escapeHtml(href)}">${escapeHtml(`${w.version} ${file.version}`)}</a></h2><p>${timeHtml(file.at, reading)} · ${escapeHtml(w.cite.records)}: ${n(file.records)}</p>${changes === null ? '' : `<p class="muted">${changes}</p>`}</li>`,
    ]
  })
  const to = (number: number, text: string) =>
    number < 1 || number > pages
      ? ''
      : `<li><a href="${escapeHtml(`${sourcePath}/versions?page=${number}`)}">${escapeHtml(text)}</a></li>`
  const ways =
    pages === 1
      ? ''
      : `<nav class="search-pages" aria-label="${escapeHtml(w.cite.all)}"><ul>${to(page - 1, edge.search.previous)}<li>${escapeHtml(
          edge.search.page.replace('{n}', String(page)).replace('{of}', String(pages)),
        )}</li>${to(page + 1, edge.search.next)}</ul></nav>`
  const list =
    items.length > 0 ? `<ol class="version-list">${items.join('')}</ol>` : `<p>${escapeHtml(w.cite.none)}</p>`
  return { status: 200, title: w.cite.listTitle(name), isWhole: false, html: `${list}${ways}` }
}

function timeHtml(iso: string, { locale, timeZone }: { locale: Locale; timeZone: string }): string {
  const reading = { locale: formatTag(locale), timeZone }
  const text = formatValue(iso, { name: '', type: 'date', precision: 'minute' }, reading)
  return `<time datetime="${escapeHtml(iso)}">${escapeHtml(text)}</time>`
}

interface VersionContext {
  sourceId: string
  sourcePath: string
  /** The permanent address, in the hub's default language. */
  url: string
  hasRows: boolean
  isNewest: boolean
}

function renderPage(
  file: VersionFile,
  { sourceId, sourcePath, url, hasRows, isNewest }: VersionContext,
  { locale, timeZone }: { locale: Locale; timeZone: string },
): string {
  const { trust: w, hub } = languages[locale]
  const tag = formatTag(locale)
  const n = (value: number) => escapeHtml(new Intl.NumberFormat(tag).format(value))
  const time = (iso: string) => timeHtml(iso, { locale, timeZone })
  const link = (name: string, href: string | null) =>
    href === null
      ? `<bdi>${escapeHtml(name)}</bdi>`
      : `<a href="${escapeHtml(href)}" dir="auto">${escapeHtml(name)}</a>`
  const { metadata } = file
  const licence = findLicence(metadata.licence, metadata.licenceUrl)
  const csv = `/e/${sourceId}/${file.state}/data.csv`
  const facts: [term: string, html: string | null][] = [
    [hub.updated, time(file.at)],
    [w.cite.published, time(file.publishedAt)],
    [w.cite.records, n(file.records)],
    [w.version, renderChanges(file, n, w)],
    [
      w.quality,
      file.refused === null ? null : file.refused === 0 ? w.noneRefused : w.refused(n(file.refused)),
    ],
    [hub.attribution, metadata.attribution && link(metadata.attribution, metadata.attributionUrl)],
    [w.publisher, metadata.publisher && link(metadata.publisher, metadata.publisherUrl)],
    [hub.licence, licence && link(licence.title, licence.url)],
    [
      w.cite.checksum,
      file.sha256 === null ? escapeHtml(w.cite.noChecksum) : `<code>${escapeHtml(file.sha256)}</code>`,
    ],
    [
      w.cite.rows,
      hasRows
        ? `<a href="${escapeHtml(csv)}">${escapeHtml(hub.download('CSV'))}</a>`
        : escapeHtml(w.cite.rowsGone),
    ],
  ]
  const list = facts
    .flatMap(([term, html]) =>
      html === null ? [] : [`<div><dt>${escapeHtml(term)}</dt><dd>${html}</dd></div>`],
    )
    .join('')
  const state = isNewest
    ? `<p>${escapeHtml(w.cite.isNewest)}</p>`
    : `<p><a href="${escapeHtml(sourcePath)}">${escapeHtml(w.cite.toNewest)}</a></p>`
  const all = `<p><a href="${escapeHtml(`${sourcePath}/versions`)}">${escapeHtml(w.cite.all)}</a></p>`
  const description = metadata.description
    ? `<section><h2>${escapeHtml(w.cite.description)}</h2><p class="facts-notes" dir="auto">${escapeHtml(metadata.description)}</p></section>`
    : ''
  return `${state}${all}<dl class="facts-list version-facts">${list}</dl><p class="muted">${escapeHtml(w.cite.kept)}</p>${description}${citationsHtml(file, url, { locale, timeZone })}`
}

/** Citations of the version: as text, and in machine-readable formats. */
function citationsHtml(
  { version, at, metadata }: VersionFile,
  url: string,
  { locale, timeZone }: { locale: Locale; timeZone: string },
): string {
  const w = languages[locale].trust
  const about = {
    author: metadata.attribution,
    publisher: metadata.publisher ?? '',
    title: metadata.title,
    url,
  }
  const { text, bibtex, ris } = formatCitations(about, { version, at }, { words: w, timeZone })
  const forms = [
    [w.cite.text, text],
    ['BibTeX', bibtex],
    ['RIS', ris],
  ] as const
  const items = forms.map(
    ([name, text]) => `<h3>${escapeHtml(name)}</h3><pre dir="auto">${escapeHtml(text)}</pre>`,
  )
  return `<section class="cite" id="cite"><h2>${escapeHtml(w.cite.title)}</h2>${items.join('')}</section>`
}

/** The changes of the version as HTML; null where they were not counted. `n` formats numbers. */
function renderChanges(
  { since, created, updated, removed, fieldsChanged }: VersionFile,
  n: (value: number) => string,
  w: (typeof languages)[Locale]['trust'],
): string | null {
  if (since === 0) return escapeHtml(w.firstVersion)
  const changes = [
    ...(created > 0 ? [w.created(n(created))] : []),
    ...(updated > 0 ? [w.updated(n(updated))] : []),
    ...(removed > 0 ? [w.removed(n(removed))] : []),
    ...(fieldsChanged ? [w.fieldsChanged] : []),
  ]
  return changes.length === 0 ? null : escapeHtml(`${w.sinceVersion(n(since))}: ${changes.join(', ')}`)
}

import type { Locale } from '#functions/engine/address/locales.ts'
import { citationsOf } from '#functions/engine/catalogue/cite.ts'
import { readVersion, type VersionFile } from '#functions/engine/catalogue/versionFile.ts'
import { formatValue } from '#functions/engine/chart/format.ts'
import { fileKey } from '#functions/engine/export/prepared/manifest.ts'
import { escapeHtml } from '#functions/shapes/htmlText.ts'
import { languages } from '#functions/shapes/language/index.ts'
import { licenceOf } from '#functions/shapes/licences.ts'
import { formatTag } from '#functions/shapes/locale.ts'
import { lastPlaceState } from './place-state.ts'
import type { TableContent } from './serve-table.ts'

/** A version of a source, by the path of the page that stays. */
export interface VersionAddress {
  /** The path of the page of its source. */
  source: string
  sourceId: string
  version: number
  /** What follows the path of the source. */
  rest: string
}

const versionPath = /^(\/domains\/[\w-]+\/source\/([\w-]{1,64}))(\/versions\/([1-9]\d{0,8}))$/

/** What version of a source a path is of; null for other paths. */
export function versionIn(path: string): VersionAddress | null {
  const [, source, sourceId, rest, version] = versionPath.exec(path) ?? []
  return source === undefined || sourceId === undefined || rest === undefined
    ? null
    : { source, sourceId, rest, version: Number(version) }
}

/**
 * A version of a public source as a page: what it changed, its checksum, its rows while there are files of it, and what was said of the
 * source then. Made of what is kept beside the files, without the database. 404 where the version was never published.
 */
export async function versionContent(
  { source, sourceId, version }: VersionAddress,
  {
    name,
    sourcePath,
    placeId,
    locale,
  }: { name: string; sourcePath: string; placeId: string; locale: Locale },
  { hubs, files, origin }: { hubs: R2Bucket; files: R2Bucket; origin: string },
): Promise<TableContent> {
  const w = languages[locale].trust
  const [known, file] = await Promise.all([
    lastPlaceState(hubs, placeId),
    readVersion(files, sourceId, version),
  ])
  const number = String(version)
  if (!file) return { status: 404, html: '', title: w.cite.missing(number), isWhole: false }
  const hasRows = file.state !== null && (await files.head(fileKey(sourceId, file.state, 'csv'))) !== null
  const newest =
    known && Object.hasOwn(known.sources, sourceId) ? known.sources[sourceId]?.version : undefined
  const reading = { locale, timeZone: known?.timeZone ?? 'UTC' }
  const url = `${origin}${source}/versions/${number}`
  return {
    status: 200,
    title: w.cite.pageTitle(name, number),
    // Robots find the newest by the page of the source: the others say the same of older rows.
    isWhole: false,
    html: pageOf(file, { sourceId, sourcePath, url, hasRows, isNewest: newest === version }, reading),
  }
}

interface Around {
  sourceId: string
  sourcePath: string
  /** The address that stays, in the hub's own language. */
  url: string
  hasRows: boolean
  isNewest: boolean
}

function pageOf(
  file: VersionFile,
  { sourceId, sourcePath, url, hasRows, isNewest }: Around,
  { locale, timeZone }: { locale: Locale; timeZone: string },
): string {
  const { trust: w, hub } = languages[locale]
  const tag = formatTag(locale)
  const n = (value: number) => escapeHtml(new Intl.NumberFormat(tag).format(value))
  const time = (iso: string) => {
    const text = formatValue(iso, { name: '', type: 'date', precision: 'minute' }, { locale: tag, timeZone })
    return `<time datetime="${escapeHtml(iso)}">${escapeHtml(text)}</time>`
  }
  const named = (name: string, href: string | null) =>
    href === null
      ? `<bdi>${escapeHtml(name)}</bdi>`
      : `<a href="${escapeHtml(href)}" dir="auto">${escapeHtml(name)}</a>`
  const { metadata } = file
  const licence = licenceOf(metadata.licence, metadata.licenceUrl)
  const csv = `/e/${sourceId}/${file.state}/data.csv`
  const facts: [term: string, html: string | null][] = [
    [hub.updated, time(file.at)],
    [w.cite.published, time(file.publishedAt)],
    [w.cite.records, n(file.records)],
    [w.version, changesOf(file, n, w)],
    [
      w.quality,
      file.refused === null ? null : file.refused === 0 ? w.noneRefused : w.refused(n(file.refused)),
    ],
    [hub.attribution, metadata.attribution && named(metadata.attribution, metadata.attributionUrl)],
    [w.publisher, metadata.publisher && named(metadata.publisher, metadata.publisherUrl)],
    [hub.licence, licence && named(licence.title, licence.url)],
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
  const description = metadata.description
    ? `<section><h2>${escapeHtml(w.cite.description)}</h2><p class="facts-notes" dir="auto">${escapeHtml(metadata.description)}</p></section>`
    : ''
  return `${state}<dl class="facts-list version-facts">${list}</dl><p class="muted">${escapeHtml(w.cite.kept)}</p>${description}${citationsHtml(file, url, { locale, timeZone })}`
}

/** How the version is quoted: in words, and in the forms that programs read. */
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
  const { text, bibtex, ris } = citationsOf(about, { version, at }, { words: w, timeZone })
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

/** What it changed, as HTML; null where nobody counted. `n` writes numbers. */
function changesOf(
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

import { searchPath } from '#functions/engine/address/urls.ts'
import { languages } from '#functions/shapes/language/index.ts'
import type { ResultTexts } from '#functions/shapes/language/edge.ts'
import { escapeHtml, unescapeText } from '#functions/shapes/html-text.ts'
import { getTextDirection, formatTag, type HubLanguages, type Locale } from '#functions/shapes/locale.ts'
import { cadences } from '#functions/shapes/metadata.ts'
import { topicSlug } from '#functions/shapes/topic.ts'
import { plural } from '#functions/shapes/plural.ts'
import { localePath } from '#functions/engine/address/locales.ts'
import {
  facetNames,
  searchKinds,
  searchSorts,
  yearsIn,
  type FacetChoice,
  type FacetName,
  type SearchEntry,
  type SearchQuestion,
  type SearchResult,
  type SearchSort,
} from './index.ts'
import { valueIn } from './value.ts'

/** Placeholders in the stored page for the search and its results. React leaves these texts unescaped. */
export const slots = {
  query: '[[query]]',
  /** The query string, for links to the same search in other languages. */
  asked: '[[asked]]',
  heading: '[[heading]]',
  /** Everything below the heading. */
  found: '[[found]]',
} as const

/** Results per page. */
export const pageSize = 50
/** Maximum number of choices per facet. */
const maxChoices = 10
/** Maximum lengths of a search text and of a choice, in characters. */
const [longestText, longestChoice] = [200, 100]

/** The attribute of the stored page with the URL of the index. */
export const indexAttribute = 'data-search-index'

/** The state of a results page: search, sort order, page and language. */
export interface SearchShown extends SearchQuestion {
  sort: SearchSort
  page: number
  locale: Locale
  /** Those of the hub, its own first. */
  languages: HubLanguages
}

/** Parses the query in the URL of a results page. An unknown kind and an unknown period are ignored. */
export function questionIn(params: URLSearchParams): Omit<SearchShown, 'locale' | 'languages'> {
  const findChoice = (name: FacetName) => params.get(name)?.slice(0, longestChoice) || null
  const kind = searchKinds.find((each) => each === params.get('kind')) ?? null
  const period = findChoice('period')
  const page = Number(/^\d{1,4}$/.exec(params.get('page') ?? '')?.[0] ?? 1)
  return {
    text: params.get('search')?.trim().slice(0, longestText) ?? '',
    ...{
      kind,
      topic: findChoice('topic'),
      domain: findChoice('domain'),
      format: findChoice('format'),
      place: findChoice('place'),
    },
    cadence: cadences.find((each) => each === params.get('cadence')) ?? null,
    period: period !== null && yearsIn(period) ? period : null,
    sort: searchSorts.find((each) => each === params.get('sort')) ?? 'relevance',
    page: Math.max(1, page),
  }
}

/** What an attribute of the stored page says; null where it is missing. */
export function findAttribute(page: string, name: string): string | null {
  const text = new RegExp(`\\s${name}="([^"]*)"`).exec(page)?.[1]
  return text === undefined ? null : unescapeText(text)
}

/** Whether a search has neither text nor choices. */
const isEmpty = (question: SearchQuestion) =>
  question.text === '' && facetNames.every((name) => question[name] === null)

/** Fills the stored page with the results of a search. Escapes all text. */
export function fillResults(page: string, query: SearchShown, match: SearchResult): string {
  const fill: Record<keyof typeof slots, string> = {
    query: escapeHtml(query.text),
    asked: escapeHtml(buildSearchUrl(query).replace(/^[^?]*/, '')),
    heading: escapeHtml(getHeading(query)),
    found: renderResults(query, match),
  }
  return page.replace(/\[\[(query|asked|heading|found)\]\]/g, (_all, name: keyof typeof slots) => fill[name])
}

function getHeading({ text, kind, locale }: SearchShown): string {
  const { hub } = languages[locale]
  if (text !== '') return hub.resultsFor(text)
  return kind === 'indicator' ? hub.allIndicators : hub.searchButton
}

function renderResults(query: SearchShown, match: SearchResult): string {
  const { results, meant: suggestion, isPartial } = match
  const { search, results: resultCount, none } = languages[query.locale].edge
  const tag = formatTag(query.locale)
  const count = results.length === 0 ? none : plural(resultCount, results.length, tag)
  const instead =
    suggestion === null
      ? ''
      : `<p class="search-meant"><a rel="nofollow" href="${href({ ...query, text: suggestion, page: 1 })}">${escapeHtml(
          search.meant.replace('{text}', () => suggestion),
        )}</a></p>`
  const pages = Math.max(1, Math.ceil(results.length / pageSize))
  const at = Math.min(query.page, pages)
  const items = results
    .slice((at - 1) * pageSize, at * pageSize)
    .map((entry) => renderItem(entry, query, suggestion ?? query.text))
  // Without a search the page offers choices, and no result count.
  const hasQuery = !isEmpty(query)
  return [
    hasQuery ? `<p class="lede" role="status">${escapeHtml(count)}</p>` : '',
    instead,
    isPartial ? `<p>${escapeHtml(search.partial)}</p>` : '',
    renderChoices(query, match),
    hasQuery && items.length > 0 ? `<ul class="results">${items.join('')}</ul>` : '',
    hasQuery && pages > 1 ? renderPageLinks(query, search, at, pages) : '',
  ].join('')
}

/** A result: kind, title, note, and a link to the matching records. */
function renderItem(
  entry: SearchEntry,
  { locale, languages: hubLanguages }: SearchShown,
  text: string,
): string {
  const { kinds, search } = languages[locale].edge
  const { kind, title, note, original = [] } = entry
  const [own] = hubLanguages
  const direction =
    getTextDirection(own) === getTextDirection(locale) ? '' : ` dir="${getTextDirection(own)}"`
  const language = (of: 'title' | 'note') => (original.includes(of) ? ` lang="${own}"${direction}` : '')
  const facts = formatFacts(entry, locale).map((fact) => `<li><bdi>${escapeHtml(fact)}</bdi></li>`)
  const value = entry.hasTable ? valueIn(entry, text) : null
  const params = value && new URLSearchParams({ [`is.${value.key}`]: value.code })
  const records =
    value && params
      ? `<p class="result-records"><a rel="nofollow" href="${escapeHtml(
          `${localePath(locale, entry.href, hubLanguages)}/data?${params.toString()}`,
        )}">${escapeHtml(
          search.records.replace('{name}', () => value.name).replace('{value}', () => value.value),
        )}</a></p>`
      : ''
  return (
    `<li><span class="tag">${escapeHtml(kinds[kind])}</span>` +
    `<a class="result-title"${language('title')} href="${escapeHtml(localePath(locale, entry.href, hubLanguages))}">${escapeHtml(title)}</a>` +
    (note ? `<p class="muted"${language('note')}>${escapeHtml(note)}</p>` : '') +
    records +
    (facts.length > 0 ? `<ul class="result-facts">${facts.join('')}</ul>` : '') +
    '</li>'
  )
}

/** The facts of a result in one line: topic, period, records, date and frequency of updates, formats. */
function formatFacts(
  { kind, topic, years, count, updated, cadence, formats = [] }: SearchEntry,
  locale: Locale,
): string[] {
  const { hub, trust } = languages[locale]
  return [
    ...(topic === undefined || kind === 'topic' ? [] : [topic]),
    ...(years ? [[...new Set(years)].join('–')] : []),
    ...(count === undefined ? [] : [hub.records(count)]),
    ...(updated === undefined ? [] : [hub.dataDate(formatDay(updated, locale))]),
    ...(cadence === undefined ? [] : [`${trust.cadence}: ${trust.cadences[cadence]}`]),
    ...(formats.length > 0 ? [formats.join(', ')] : []),
  ]
}

/** Formats a date: 20 November 2026. */
const formatDay = (isoDay: string, locale: Locale) =>
  new Intl.DateTimeFormat(formatTag(locale), { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${isoDay}T00:00:00Z`),
  )

const sortLabels = {
  ...{ relevance: 'relevance', name: 'name', updated: 'updated', records: 'mostRecords' },
} as const satisfies Record<SearchSort, keyof ResultTexts>

const labels: Record<FacetName, keyof ResultTexts> = {
  kind: 'byKind',
  topic: 'byTopic',
  domain: 'byDomain',
  format: 'byFormat',
  place: 'byPlace',
  period: 'byPeriod',
  cadence: 'byCadence',
}

/** Links that filter and sort the results: kinds and order directly, the other facets in a disclosure. */
function renderChoices(query: SearchShown, { facets, results }: SearchResult): string {
  const { locale, sort } = query
  const { search, kinds } = languages[locale].edge
  const { cadences: cadencesIn } = languages[locale].trust
  const number = new Intl.NumberFormat(formatTag(locale))
  const link = (change: Partial<SearchShown>, name: string, isChosen: boolean, count?: number) =>
    `<li><a rel="nofollow" href="${href({ ...query, page: 1, ...change })}"${isChosen ? ' aria-current="true"' : ''}>` +
    `<bdi>${escapeHtml(name)}</bdi>${count === undefined ? '' : ` <span class="count">${number.format(count)}</span>`}</a></li>`
  const group = (label: string, links: string[]) =>
    `<div class="search-choices"><h2>${escapeHtml(label)}</h2><ul>${links.join('')}</ul></div>`
  const facet = (name: FacetName) => {
    const filterValue = query[name]
    const isWanted = (value: string) =>
      value === filterValue ||
      (name === 'topic' && filterValue !== null && topicSlug(value) === topicSlug(filterValue))
    const chosenValue = facets[name].find(({ value }) => isWanted(value))?.value ?? filterValue
    const getChoiceName = (choice: FacetChoice) =>
      name === 'kind'
        ? kinds[choice.value as keyof typeof kinds]
        : name === 'cadence'
          ? cadencesIn[choice.value as keyof typeof cadencesIn]
          : choice.name
    const offers = facets[name].filter(({ value }, i) => i < maxChoices || value === chosenValue)
    const isOffered = chosenValue === null || offers.some(({ value }) => value === chosenValue)
    const all = isOffered ? offers : [...offers, { value: chosenValue, name: chosenValue, count: 0 }]
    // A single choice is left out.
    if (chosenValue === null && all.length < 2) return ''
    return group(search[labels[name]], [
      link({ [name]: null }, search.all, chosenValue === null),
      ...all.map((choice) =>
        link({ [name]: choice.value }, getChoiceName(choice), choice.value === chosenValue, choice.count),
      ),
    ])
  }
  const others = facetNames.filter((name) => name !== 'kind')
  const more = others.map(facet).join('')
  const isOpen = others.some((name) => query[name] !== null)
  const isOrder = (each: SearchSort) => query.text === '' && sort === 'relevance' && each === 'name'
  const order =
    results.length > 1 && !isEmpty(query)
      ? group(
          search.sort,
          searchSorts
            // Without text there is no relevance; results are then sorted by name.
            .filter((each) => query.text !== '' || each !== 'relevance')
            .map((each) => link({ sort: each }, search[sortLabels[each]], each === sort || isOrder(each))),
        )
      : ''
  const all =
    facet('kind') +
    order +
    (more === ''
      ? ''
      : `<details class="search-narrow"${isOpen || isEmpty(query) ? ' open' : ''}><summary>${escapeHtml(search.narrow)}</summary>${more}</details>`)
  return all === '' ? '' : `<nav class="search-facets" aria-label="${escapeHtml(search.narrow)}">${all}</nav>`
}

/** Links to the previous and next page. */
function renderPageLinks(query: SearchShown, search: ResultTexts, at: number, pages: number): string {
  const number = new Intl.NumberFormat(formatTag(query.locale))
  const text = search.page.replace('{n}', number.format(at)).replace('{of}', number.format(pages))
  const link = (page: number, rel: string, name: string) =>
    `<li><a rel="${rel} nofollow" href="${href({ ...query, page })}">${escapeHtml(name)}</a></li>`
  const links = [
    ...(at > 1 ? [link(at - 1, 'prev', search.previous)] : []),
    `<li aria-current="page">${escapeHtml(text)}</li>`,
    ...(at < pages ? [link(at + 1, 'next', search.next)] : []),
  ]
  return `<nav class="search-pages" aria-label="${escapeHtml(text)}"><ul>${links.join('')}</ul></nav>`
}

const href = (query: SearchShown) => escapeHtml(buildSearchUrl(query))

/** The URL of a results page. */
export function buildSearchUrl({
  text,
  sort,
  page,
  locale,
  languages: hubLanguages,
  ...filters
}: SearchShown): string {
  const params = new URLSearchParams({ search: text })
  for (const name of facetNames) if (filters[name] !== null) params.set(name, filters[name])
  if (sort !== 'relevance') params.set('sort', sort)
  if (page > 1) params.set('page', String(page))
  return `${localePath(locale, searchPath, hubLanguages)}?${params.toString()}`
}

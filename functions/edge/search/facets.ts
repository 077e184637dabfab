import { cadences } from '#functions/shapes/metadata.ts'
import { groupByTopic, topicSlug } from '#functions/shapes/topic.ts'
import type { SearchEntry, SearchIndex, SearchQuestion, SearchResult } from './index.ts'

export const searchKinds = ['domain', 'topic', 'indicator', 'story', 'map'] as const
export type SearchKind = (typeof searchKinds)[number]

/** The filters of search results. */
export const facetNames = ['kind', 'topic', 'domain', 'format', 'place', 'period', 'cadence'] as const
export type FacetName = (typeof facetNames)[number]

/** A value of a facet, and the number of results with it. */
export interface FacetChoice {
  value: string
  name: string
  count: number
}

/** Parses a period into years; null if invalid. */
export function yearsIn(period: string): [from: number, to: number] | null {
  const [, from, to] = /^(\d{4})(?:-(\d{4}))?$/.exec(period) ?? []
  return from === undefined ? null : [Number(from), Number(to ?? from)]
}

const overlap = ([a, b]: [number, number], [from, to]: [number, number]) => a <= to && from <= b

/** Cache of slugs, of topics in open hubs and in URLs; cleared when it is full. */
const slugs = new Map<string, string>()
function toSlug(topic: string): string {
  const slug = slugs.get(topic) ?? topicSlug(topic)
  if (slugs.size >= 5000) slugs.clear()
  slugs.set(topic, slug)
  return slug
}

/** Whether an entry matches a choice. */
function matchesChoice(entry: SearchEntry, name: FacetName, value: string): boolean {
  switch (name) {
    case 'kind':
      return entry.kind === value
    case 'topic':
      // Compares slugs, as facets offer the most frequent of several spellings.
      return entry.topic !== undefined && (entry.topic === value || toSlug(entry.topic) === toSlug(value))
    case 'cadence':
      return entry.cadence === value
    case 'domain':
      return entry.domain === value
    case 'format':
      return entry.formats?.includes(value) ?? false
    case 'place':
      return entry.places?.includes(value) ?? false
    case 'period': {
      const years = yearsIn(value)
      return years !== null && entry.years !== undefined && overlap(entry.years, years)
    }
  }
}

/** The entries that match all choices, and for each facet the counts of its values with the other choices applied. */
export function narrow(
  { entries, domains }: SearchIndex,
  question: SearchQuestion,
  scores: Float32Array,
  isShown: (entry: SearchEntry) => boolean = () => true,
): { hits: number[]; facets: SearchResult['facets'] } {
  const hits: number[] = []
  const choices = facetNames.flatMap((name) => {
    const value = question[name]
    return value === null ? [] : [{ name, value }]
  })
  const counts = new Map(facetNames.map((name) => [name, new Map<string, number>()]))
  const spans: [number, number][] = []
  const count = (name: FacetName, value: string) => {
    const of = counts.get(name)
    of?.set(value, (of.get(value) ?? 0) + 1)
  }
  scores.forEach((score, at) => {
    const entry = score > 0 ? entries[at] : undefined
    if (!entry || !isShown(entry)) return
    const misses = choices.filter(({ name, value }) => !matchesChoice(entry, name, value))
    if (misses.length > 1) return
    if (misses.length === 0) hits.push(at)
    for (const name of facetNames) {
      if (misses[0] && misses[0].name !== name) continue
      if (name === 'period') {
        if (entry.years) spans.push(entry.years)
      } else for (const value of getFacetValues(entry, name)) count(name, value)
    }
  })
  const facets = Object.fromEntries(
    facetNames.map((name): [FacetName, FacetChoice[]] => {
      if (name === 'period') return [name, buildPeriodChoices(spans)]
      if (name === 'topic') return [name, topicsIn(counts.get(name) ?? new Map<string, number>())]
      const choices = [...(counts.get(name) ?? [])].map(([value, of]) => {
        return { value, name: name === 'domain' ? (domains[value] ?? value) : value, count: of }
      })
      const inOrder: readonly string[] | null =
        name === 'kind' ? searchKinds : name === 'cadence' ? cadences : null
      const sortedChoices = choices.sort((a, b) =>
        inOrder
          ? inOrder.indexOf(a.value) - inOrder.indexOf(b.value)
          : b.count - a.count || (a.name < b.name ? -1 : 1),
      )
      return [name, sortedChoices]
    }),
  ) as SearchResult['facets']
  return { hits, facets }
}

/** Topics with their counts, different spellings merged, those with the most results first. */
function topicsIn(counts: ReadonlyMap<string, number>): FacetChoice[] {
  const rows = [...counts].map(([text, count]) => ({ text, count }))
  return groupByTopic(rows, ({ text }) => text)
    .map(({ rows: spellings }): FacetChoice => {
      const most = spellings.reduce((best, row) => (row.count > best.count ? row : best))
      return {
        value: most.text,
        name: most.text,
        count: spellings.reduce((sum, row) => sum + row.count, 0),
      }
    })
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
}

function getFacetValues(
  { kind, topic, domain, formats = [], places = [], cadence }: SearchEntry,
  name: FacetName,
): readonly string[] {
  if (name === 'kind') return [kind]
  if (name === 'format') return formats
  if (name === 'place') return places
  const one = name === 'topic' ? topic : name === 'cadence' ? cadence : domain
  return one === undefined || one === null ? [] : [one]
}

/** Years, or decades if there are too many years, the latest first. */
function buildPeriodChoices(spans: readonly [number, number][]): FacetChoice[] {
  if (spans.length === 0) return []
  const first = Math.min(...spans.map(([from]) => from))
  const last = Math.max(...spans.map(([, to]) => to))
  const length = last - first < 12 ? 1 : 10
  const choices: FacetChoice[] = []
  for (let from = last - (last % length); from + length > first && choices.length < 40; from -= length) {
    const to = from + length - 1
    const count = spans.filter((span) => overlap(span, [from, to])).length
    const value = length === 1 ? String(from) : `${from}-${to}`
    if (count > 0) choices.push({ value, name: value.replace('-', '–'), count })
  }
  return choices
}

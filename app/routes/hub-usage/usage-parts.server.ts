import { formatNumber } from '#app/components/list/number-format.ts'
import type { TableData } from '#app/components/hub/data-table.tsx'
import { measures, type Measure, type Rating } from '#functions/shapes/speed.ts'
import type { HubUsage, Part, Speed, TimedPart } from '#functions/shapes/usage-hub.ts'

/** The usage of a hub as tables of texts; empty ones are left out. */
export interface UsageTable extends TableData {
  title: string
  /** A note on the table; '' for none. */
  note: string
}

export interface SpeedRow {
  measure: string
  /** A sentence about what it measures. */
  what: string
  value: string
  rating: Rating
  loads: string
}

const formatCount = (n: number) => formatNumber(n)

/** The usage of a hub in words. Formatted on the server, so that hydration matches. */
export function usageParts(hub: HubUsage): { speed: SpeedRow[]; views: UsageTable[]; others: UsageTable[] } {
  const views = [
    timePart('Pages', 'Page', hub.pages, (path) => (path === '404' ? 'Not found (404)' : path)),
    visitTable('Referrers', 'Host', hub.referrers, (host) => host || 'None said (typed, bookmarked, app)'),
    timePart('Countries', 'Country', hub.countries, countryName),
    timePart('Devices', 'Device', hub.devices, (device) => `${device[0]?.toUpperCase()}${device.slice(1)}`),
    visitTable('Languages', 'Language', hub.locales, languageName),
  ]
  const files = hub.downloads.map(({ name, times }) => [name ?? 'All others', formatCount(times)])
  const searches = hub.searches.map(({ name, times }) => [name ?? 'All others', formatCount(times)])
  const others = [
    table('Files taken', ['Source', 'Times'], files),
    table(
      'Searches without results',
      ['Words', 'Times'],
      searches,
      'Only words that came three times or more in a day.',
    ),
  ]
  const isFull = ({ rows }: UsageTable) => rows.length > 0
  return { speed: speedRows(hub.speed), views: views.filter(isFull), others: others.filter(isFull) }
}

function table(title: string, [name = '', ...numbers]: string[], rows: string[][], note = ''): UsageTable {
  const columns = [{ label: name }, ...numbers.map((label) => ({ label, isNumber: true }))]
  return { title, note, columns, rows }
}

const getPartName = (name: string | null, words: (name: string) => string) =>
  name === null ? 'All others' : words(name)

function visitTable(title: string, head: string, parts: Part[], words: (name: string) => string): UsageTable {
  const rows = parts.map(({ name, views, visits }) => [
    getPartName(name, words),
    formatCount(views),
    formatCount(visits),
  ])
  return table(title, [head, 'Views', 'Visits'], rows)
}

function timePart(
  title: string,
  head: string,
  parts: TimedPart[],
  words: (name: string) => string,
): UsageTable {
  const rows = parts.map(({ name, views, visits, speed: { lcp } }) => [
    getPartName(name, words),
    formatCount(views),
    formatCount(visits),
    lcp ? `${valueText('lcp', lcp.p75)}, ${lcp.rating}` : '–',
  ])
  return table(title, [head, 'Views', 'Visits', 'Painted in'], rows)
}

const measureWords: Record<Measure, { measure: string; what: string }> = {
  lcp: { measure: 'Painted (LCP)', what: 'until the largest part of the page was there' },
  inp: { measure: 'Answered (INP)', what: 'until the page answered a touch, click or key' },
  cls: { measure: 'Moved (CLS)', what: 'how much of the page moved by itself' },
  ttfb: { measure: 'First byte (TTFB)', what: 'until the first byte of the page came' },
}

function speedRows(speed: Speed): SpeedRow[] {
  return measures.flatMap((measure) => {
    const measured = speed[measure]
    if (!measured) return []
    const { p75, rating, loads } = measured
    return [{ ...measureWords[measure], value: valueText(measure, p75), rating, loads: formatCount(loads) }]
  })
}

/** Formats a measure: 1,340 ms is '1.34 s', below a second '340 ms'; `cls` has no unit. */
function valueText(measure: Measure, value: number): string {
  if (measure === 'cls') return String(value)
  return value < 1000 ? `${value} ms` : `${(value / 1000).toFixed(value < 10_000 ? 2 : 1)} s`
}

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' })

function countryName(code: string): string {
  return code === 'XX' ? 'Not known' : (countries.of(code) ?? code)
}

function languageName(code: string): string {
  return languages.of(code) ?? code
}

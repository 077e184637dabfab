import { fileURLToPath } from 'node:url'
import { cellsOfCsv, get } from './demo-files.ts'
import { checkMap, checkLayers, type MapChecking } from './demo-map.ts'
import { readPage, type HubPage, type PageFigure, type PageTable } from './demo-page.ts'
import { checkTable, isCell } from './demo-table.ts'
import { compareAnswer, type GivenAnswer } from './oracle-answer.ts'
import { wallTime } from './oracle-clock.ts'
import { demoSources, type DemoSource } from './oracle-demo.ts'
import { listFacts, isWrittenAs, type Figure } from './oracle-meaning.ts'
import { listGroupNames, namesOfText, normalizeText } from './oracle-names.ts'
import { numbersIn } from './oracle-reader.ts'
import { checkSentence } from './oracle-rules.ts'
import {
  openOracle,
  type Cell,
  type Column,
  type Coverage,
  type Expression,
  type Oracle,
  type Question,
} from './oracle.ts'
import { getOracleLanguage } from './oracle-language.ts'

/** The result of comparing the demo's hubs with the files: what was compared, and the differences. */
export interface DemoCheck {
  pages: number
  figures: number
  sentences: number
  cells: number
  /** The number of records counted in tiles and clusters of maps. */
  records: number
  /** Figures of pages without a saved question. */
  unknown: string[]
  differences: string[]
}

interface Hub {
  placeId: string
  host: string
}

const folder = fileURLToPath(new URL('../../node_modules/vega-datasets/data', import.meta.url))

/** Reads every page of the demo's hubs as a reader does, and compares all figures with the source files. */
export async function checkDemo(port: number, hubs: Hub[], log: (line: string) => void): Promise<DemoCheck> {
  const oracle = await openOracle()
  const check: DemoCheck = {
    pages: 0,
    figures: 0,
    sentences: 0,
    cells: 0,
    records: 0,
    unknown: [],
    differences: [],
  }
  try {
    for (const [id, { sql }] of Object.entries(demoSources))
      await oracle.define(id, sql.replaceAll('{folder}', folder))
    const tiles = new Set<string>()
    for (const hub of hubs) {
      const savedQuestions = await readSavedQuestions(port, hub, oracle, check)
      const sources = await readSources(hub, oracle)
      for (const path of await findPagePaths(port, hub)) {
        const page = readPage(await get(port, hub.host, path))
        check.pages += 1
        const differ = (why: string) => check.differences.push(`${hub.host}${path}: ${why}`)
        await checkPage(page, { port, hub, oracle, savedQuestions, sources, check, differ, path, tiles })
      }
      log(
        `  ${hub.host}: ${check.pages} pages, ${check.figures} figures, ${check.differences.length} differences`,
      )
    }
  } finally {
    oracle.close()
  }
  check.unknown = [...new Set(check.unknown)]
  return check
}

/** A saved question of a hub with its correct answer. */
interface SavedQuestion {
  id: string
  /** Whether the order of its rows is determined. */
  isOrdered: boolean
  figure: Figure
}

export interface CountedSource extends DemoSource {
  id: string
  count: number
  /** The points of its records as `longitude latitude`; null for a record without one. */
  places: (string | null)[]
  coverage: Coverage | null
}

interface CheckContext {
  /** Addresses of tiles that were already counted. */
  tiles: Set<string>
  port: number
  hub: Hub
  oracle: Oracle
  savedQuestions: Map<string, SavedQuestion>
  sources: CountedSource[]
  check: DemoCheck
  path: string
  differ(problem: string): void
}

interface Insight {
  id: string
  name: string
  sourceId: string | null
  query: Question
  visualization: { type: string; settings?: Record<string, string> }
}

async function readSavedQuestions(
  port: number,
  hub: Hub,
  oracle: Oracle,
  check: DemoCheck,
): Promise<Map<string, SavedQuestion>> {
  const root = `/v1/places/${hub.placeId}/insights`
  const list = JSON.parse(await get(port, hub.host, `${root}?limit=200&maxVisibility=public`)) as {
    results: Insight[]
  }
  const figures = new Map<string, SavedQuestion>()
  for (const { id, name, sourceId, query, visualization } of list.results) {
    const source = demoSources[sourceId ?? '']
    if (!source || sourceId === null) throw new Error(`The oracle knows no source ${String(sourceId)}.`)
    const { columns, groups } = await oracle.answer(sourceId, source.fields, query, source.zone)
    const response = JSON.parse(await get(port, hub.host, `${root}/${id}.json`)) as {
      results: GivenAnswer['results']
      meta: { total: number; summary: string }
      output: { total?: number }
    }
    const { total: cutTotal } = response.output
    const answer = {
      ...{ results: response.results, total: response.meta.total },
      ...(cutTotal !== undefined && { cutTotal }),
    }
    const { findings, visibleGroups } = compareAnswer(answer, { columns, groups }, query, source.zone)
    const coverage = source.primary
      ? {
          [source.primary.key]: await oracle.coverage(
            sourceId,
            source.fields,
            source.primary.key,
            source.zone,
          ),
        }
      : {}
    const figure: Figure = {
      ...{ title: name, type: visualization.type, settings: visualization.settings ?? {}, question: query },
      ...{ columns, groups, visibleGroups, zone: source.zone, coverage },
    }
    const summaryFindings = checkSentence(response.meta.summary, 'en', figure).findings
    for (const { rule, why } of [...findings, ...summaryFindings])
      check.differences.push(`/v1 ${id}: ${rule}: ${why} (“${response.meta.summary}”)`)
    check.sentences += 1
    figures.set(normalizeText(name), { id, isOrdered: true, figure })
  }
  return figures
}

async function readSources({ placeId }: Hub, oracle: Oracle): Promise<CountedSource[]> {
  const own = Object.entries(demoSources).filter(([, source]) => source.placeId === placeId)
  return Promise.all(
    own.map(async ([id, source]) => ({
      ...source,
      id,
      count: await oracle.count(id),
      places: await readPlaces(id, source, oracle),
      coverage: source.primary
        ? await oracle.coverage(id, source.fields, source.primary.key, source.zone)
        : null,
    })),
  )
}

async function readPlaces(id: string, { fields }: DemoSource, oracle: Oracle): Promise<(string | null)[]> {
  const [key] = Object.entries(fields).find(([, { kind }]) => kind === 'point') ?? []
  if (key === undefined) return []
  const rows = await oracle.rows(`select "${key}" as place from "${id}"`)
  return rows.map(({ place }) => (typeof place === 'string' ? place : null))
}

/** Finds every page of a hub that is linked from its pages, in every language. */
async function findPagePaths(port: number, { host }: Hub): Promise<string[]> {
  const paths = new Set(['/', '/es', '/fr', '/ar'])
  for (const path of paths) {
    const { links } = readPage(await get(port, host, path))
    for (const link of links) {
      const { pathname, host: to } = new URL(link, `http://${host}:${port}${path}`)
      const isPage = !/^\/(v1|assets|media|embed|l)\//.test(pathname) && !/\.\w+$/.test(pathname)
      if (to === `${host}:${port}` && isPage && !pathname.includes('/search')) paths.add(pathname)
    }
  }
  return [...paths]
}

async function checkPage(page: HubPage, checking: CheckContext): Promise<void> {
  const { savedQuestions, sources, check, path, differ, port, hub, tiles } = checking
  const locale = page.lang.split('-')[0] ?? 'en'
  const source = sources.find(({ id }) => path.endsWith(`/source/${id}`))
  const counts = new Set([...sources.map(({ count }) => count), ...computeTotals(sources)])
  const map: MapChecking = { port, hub, sources, check, path, locale, tiles, differ }
  const isOfPlace = page.switches.length > 0
  if (isOfPlace) {
    const insights = [...savedQuestions.values()].map((one) => one.figure)
    const unshown = await checkLayers(page, insights, map)
    if (unshown !== undefined) counts.add(unshown)
  }
  for (const figure of page.figures) {
    const isWhole = await checkMap(
      figure,
      savedQuestions.get(normalizeText(figure.title))?.figure,
      source,
      map,
    )
    if (isWhole || isOfPlace) continue
    const match =
      savedQuestions.get(normalizeText(figure.title)) ??
      (source && (await findSuggestedQuestion(figure, source, checking)))
    if (!match) {
      check.unknown.push(`${path.replace(/^\/(es|fr|ar)(?=\/|$)/, '')}: ${figure.title}`)
      continue
    }
    check.figures += 1
    for (const length of [match.figure.visibleGroups.length, match.figure.groups.length]) counts.add(length)
    const { sentence, wrong: untrueRest } = withoutOthers(
      figure.sentence.replace(outside, ''),
      locale,
      match.figure,
    )
    if (untrueRest !== null) differ(`${figure.title}: ${untrueRest} (“${figure.sentence}”)`)
    if (sentence !== '') {
      check.sentences += 1
      for (const { rule, why } of checkSentence(sentence, locale, match.figure).findings)
        differ(`${figure.title}: ${rule}: ${why} (“${figure.sentence}”)`)
    }
    const { cells, wrong } = checkTable(figure, match.figure, locale)
    check.cells += cells
    for (const problem of wrong) differ(`${figure.title}: ${problem}`)
    if (figure.csvHref !== null && locale === 'en') await checkFile(figure.csvHref, match, checking)
  }
  for (const { label, value } of page.numbers) {
    const [number] = numbersIn(normalizeText(value), locale)
    const match = savedQuestions.get(normalizeText(label))
    const truths = match ? listFacts(match.figure).map((fact) => fact.value) : computeTotals(sources)
    check.cells += 1
    if (!number || !truths.some((truth) => isWrittenAs(number, truth)))
      differ(`${label}: ${value}, in the files ${truths.join()}`)
  }
  if (source) {
    if (page.extent !== '') for (const problem of checkExtent(page.extent, source, locale)) differ(problem)
    for (const table of page.tables) await checkRecords(table, source, locale, checking)
  }
  // The stated number of records, rows or indicators, anywhere on the page.
  const statedCounts = [...normalizeText(page.text).matchAll(/([\d,]*\d) (?:records|rows|indicators)\b/g)]
  for (const [text, count = ''] of locale === 'en' ? statedCounts : []) {
    check.cells += 1
    if (!counts.has(Number(count.replaceAll(',', '')))) differ(`“${text}” is no number of the files`)
  }
}

/**
 * Reconstructs the question of a source's default figure, which is not saved: how often the values of a field
 * occur, or where they are. The figure's table tells which.
 */
async function findSuggestedQuestion(
  { title, columns, csvHref, rows }: PageFigure,
  source: CountedSource,
  { oracle, port, hub, path }: CheckContext,
): Promise<SavedQuestion | undefined> {
  const findFieldKey = (label: string | undefined) =>
    Object.entries(source.fields).find(([, { name }]) => name === label)?.[0]
  const [first, second] = columns.map(findFieldKey)
  if (columns.length !== 2 || first === undefined || csvHref === null) return undefined
  const isMap = second !== undefined && source.fields[second]?.kind === 'point'
  if (source.fields[first]?.kind !== 'text' || (second !== undefined && !isMap)) return undefined
  const { pathname } = new URL(csvHref, `http://${hub.host}:${port}${path}`)
  const length = cellsOfCsv(await get(port, hub.host, pathname)).length - 1
  const value: Expression = isMap ? { field: `data.${second}` } : { function: 'count' }
  const question: Question = {
    aggregations: [
      { alias: 'first', name: columns[0] ?? '', value: { field: `data.${first}` } },
      { alias: 'second', name: columns[1] ?? '', value },
    ],
    groupings: [{ field: 'first' }, ...(isMap ? [{ field: 'second' }] : [])],
    orderings: [{ value: { field: isMap ? 'first' : 'second' }, direction: isMap ? 'asc' : 'desc' }],
    ...(isMap ? { filters: { [`data.${second}`]: { $ne: null } } } : {}),
  }
  const answer = await oracle.answer(source.id, source.fields, question, source.zone)
  const namesFor = ([name = null, place = null]: readonly Cell[]) =>
    (name === null ? ['–'] : namesOfText(String(name), { name: columns[0] ?? '' })).map((text) =>
      [text, ...(isMap ? [formatPlace(String(place))] : [])].map(normalizeText).join('|'),
    )
  const byName = new Map(
    answer.groups.flatMap((group) => namesFor(group.cells).map((name) => [name, group] as const)),
  )
  // Among equal values any order is allowed: those in the table first, then the others.
  const toldGroups = rows.flatMap(
    (row) =>
      byName.get(
        row
          .slice(0, isMap ? 2 : 1)
          .map(normalizeText)
          .join('|'),
      ) ?? [],
  )
  const most = [...answer.groups].sort((a, b) => Number(b.cells[1]) - Number(a.cells[1]))
  const acceptable = [
    ...toldGroups,
    ...(isMap ? answer.groups : most).filter((group) => !toldGroups.includes(group)),
  ].slice(0, length)
  const type = isMap ? 'map' : 'bar'
  const figure: Figure = {
    ...{
      title,
      type,
      settings: {},
      question,
      ...answer,
      visibleGroups: acceptable,
      zone: source.zone,
      coverage: {},
    },
  }
  return { id: `${source.id} ${type}`, isOrdered: !isMap, figure }
}

/** Formats `longitude latitude` as a table does. */
const formatPlace = (point: string) =>
  point
    .split(' ')
    .reverse()
    .map((degrees) => Number(degrees).toFixed(5))
    .join(', ')

/** Compares the first records of a source, as listed on its page, with the file. */
async function checkRecords(
  { columns, rows, caption }: PageTable,
  source: CountedSource,
  locale: string,
  { oracle, check, differ }: CheckContext,
): Promise<void> {
  const numbers = numbersIn(normalizeText(caption), locale).map(({ value }) => value)
  if (!numbers.includes(source.count) || !numbers.includes(rows.length))
    differ(`“${caption}”: ${rows.length} rows of ${source.count}`)
  const keys = Object.keys(source.fields).filter((key) => source.fields[key]?.kind !== 'point')
  const question: Question = {
    aggregations: keys.map((key) => ({
      alias: key,
      name: source.fields[key]?.name ?? key,
      value: { field: `data.${key}` },
    })),
    groupings: keys.map((field) => ({ field })),
    filters: { 'data.id': { $in: rows.map(([id = '']) => id) } },
  }
  const answer = await oracle.answer(source.id, source.fields, question, source.zone)
  const byId = new Map(answer.groups.map((group) => [group.cells[0], group.cells]))
  const located = answer.columns.map(({ name }) =>
    columns.findIndex((label) => label === name || label.startsWith(`${name} (`)),
  )
  for (const row of rows)
    for (const [i, column] of answer.columns.entries()) {
      const at = located[i] ?? -1
      if (at < 0) continue
      check.cells += 1
      const truth = byId.get(row[0] ?? '')?.[i] ?? null
      if (!isCell(row[at] ?? '', truth, column, locale, source.zone))
        differ(`record ${row[0]}, ${column.name}: ${row[at]}, in the file ${String(truth)}`)
    }
}

/** The totals that a hub states: its sources and their records. */
const computeTotals = (sources: CountedSource[]) => [
  sources.length,
  sources.reduce((sum, { count }) => sum + count, 0),
]

/** Checks a text like "1,461 records, January 1, 2012 – December 31, 2015". */
function checkExtent(
  extent: string,
  { count, coverage, primary, zone }: CountedSource,
  locale: string,
): string[] {
  const text = normalizeText(extent)
  const wrong: string[] = []
  const [number] = numbersIn(text, locale)
  if (number?.value !== count) wrong.push(`“${text}”: ${count} records in the file`)
  if (!coverage || !primary) return wrong
  const { key, span } = primary
  const column: Column = {
    alias: key,
    name: key,
    kind: 'wall',
    isGroup: true,
    ...(span === 'day' ? { span } : {}),
  }
  for (const wall of [coverage.from, coverage.to]) {
    const { whole } = listGroupNames(wall, column, locale, zone)
    if (!whole.some((name) => text.includes(name))) wrong.push(`“${text}”: ${wall} in the file`)
  }
  return wrong
}

/** The statement of how many points are outside of a picture, which no question to a file can answer. */
const outside =
  /[^.]*(?:outside of this picture|fuera de esta imagen|en dehors de cette image|خارج هذه الصورة)[^.]*\./

/** Compares the downloadable file of a figure with the source file. */
async function checkFile(
  href: string,
  { figure, isOrdered }: SavedQuestion,
  { port, hub, differ, check, path }: CheckContext,
): Promise<void> {
  const { pathname, search } = new URL(href, `http://${hub.host}:${port}${path}`)
  const [head = [], ...rows] = cellsOfCsv(await get(port, hub.host, pathname + search))
  if (rows.length !== figure.visibleGroups.length)
    differ(`${pathname}: ${rows.length} rows of ${figure.visibleGroups.length}`)
  for (const [i, column] of figure.columns.entries()) {
    const at = head.findIndex(
      (name) => name === column.alias || name === column.name || name.startsWith(`${column.name} (`),
    )
    if (at < 0 || column.kind === 'point' || !isOrdered) continue
    for (const [r, row] of rows.entries()) {
      check.cells += 1
      const truth = figure.visibleGroups[r]?.cells[i] ?? null
      if (!isInFile(row[at] ?? '', truth, column))
        differ(`${pathname}: row ${r + 1}, ${column.name}: ${row[at]}, in the source ${String(truth)}`)
    }
  }
}

/**
 * Returns whether a cell of a CSV file has the value of the source: numbers in the written precision, dates
 * by their start.
 */
function isInFile(text: string, truth: Cell, { kind }: Column): boolean {
  if (truth === null) return text === ''
  if (kind === 'text') return text === truth
  if (kind === 'number') {
    const decimals = /\.(\d+)/.exec(text)?.[1]?.length ?? 0
    return (
      text !== '' &&
      isWrittenAs(
        { is: 'number', from: 0, to: 0, value: Number(text), decimals, isPercent: false },
        Number(truth),
      )
    )
  }
  if (kind === 'instant') return Date.parse(text) === truth
  // `2012-05` and `2012` mean their first day; a file may also contain the time of the zone.
  const begin = `${text.slice(0, 10)}-01-01`.slice(0, 10)
  return wallTime(begin) === wallTime(String(truth).slice(0, 10))
}

/**
 * Returns a sentence without its statement about the others together; `wrong` when that statement differs
 * from the file.
 */
function withoutOthers(
  text: string,
  locale: string,
  figure: Figure,
): { sentence: string; wrong: string | null } {
  const stated = normalizeText(text).trim()
  const [rest] = getOracleLanguage(locale).othersTogether.exec(stated) ?? []
  if (rest === undefined) return { sentence: stated, wrong: null }
  const [count, sum] = numbersIn(rest.replace(/(です。|\.)$/, ''), locale)
  const measure = figure.columns.findIndex(({ isGroup }) => !isGroup)
  const others = figure.visibleGroups.slice(figure.visibleGroups.length - (count?.value ?? 0))
  const truth = others.reduce((all, { cells }) => all + Number(cells[measure] ?? 0), 0)
  const isTrue = count && sum && others.length < figure.visibleGroups.length && isWrittenAs(sum, truth)
  return {
    sentence: stated.slice(0, -rest.length).trim(),
    wrong: isTrue ? null : `the others of the file come to ${truth}`,
  }
}

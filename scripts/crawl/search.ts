import { allLanguages } from '#functions/shapes/locale.ts'
import { brotliCompressSync } from 'node:zlib'
import type { FigureReporter } from '../figures-proof.ts'
import { toSearchQuestion, find, parseIndex, type SearchFile } from '#functions/edge/search/index.ts'
import { fillResults, slots, type SearchShown } from '#functions/edge/search/search-page.ts'
import { suggest } from '#functions/edge/search/suggest.ts'
import { writeIndex, type SearchDocument } from '#functions/edge/search/write.ts'

const common =
  'rain water permits building budget crime fire traffic transit school library park tree census income housing health hospital clinic emission energy electric solar wind river lake flood storm temperature humidity pressure quality bike pedestrian crossing signal collision injury license business restaurant inspection score violation noise complaint request service response median average count annual monthly daily north south east west district ward precinct zone neighborhood county state national survey employment unemployment wage payroll vendor contract payment revenue tax property parcel land zoning assessment value sale rent eviction shelter food market farm crop soil'.split(
    ' ',
  )
const texts =
  'rain;rian;watr qualty;a;s;median income;neighborhod;permit;zzzzz;unemploymnt rate;city bu;housng evicton;hospital clinic;wind solar energy;reservor'.split(
    ';',
  )

/** A deterministic pseudo-random generator (mulberry32). */
function numbers(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let hash = Math.imul(state ^ (state >>> 15), 1 | state)
    hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash
    return ((hash ^ (hash >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Makes a hub's index of so many entries: titles of common and rare words, typical ids, columns with their
 * values, stories with summaries and texts.
 */
function makeIndex(count: number): SearchFile {
  const next = numbers(7)
  const pickOne = (from: string | readonly string[], at = next()) => from[Math.floor(at * from.length)] ?? ''
  const rare = () => Array.from({ length: 3 }, () => pickOne('bcdfglmnprstv') + pickOne('aeiou')).join('')
  const word = () => (next() < 0.15 ? rare() : pickOne(common, next() * next()))
  const generateWords = (n: number) => Array.from({ length: n }, word).join(' ')
  const id = () => Array.from({ length: 24 }, () => pickOne('abcdefghijklmnopqrstuvwxyz0123456789')).join('')
  const domains = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`domain-${i}`, generateWords(3)]))
  const ids = Object.keys(domains)
  const entries = Array.from({ length: count }, (_, i): SearchDocument => {
    const title = generateWords(2 + Math.floor(next() * 4))
    const domain = ids[i % ids.length] ?? ''
    if (i % 10 === 0)
      return {
        kind: 'story',
        title,
        href: `/pages/storytelling/${id()}/preview`,
        note: generateWords(25),
        domain: null,
        text: generateWords(300),
      }
    const href = `/domains/${domain}/source/${id()}`
    const columns = Array.from({ length: 4 }, (_each, at): [string, string, string[]] => [
      ...([
        `column-${at}`,
        generateWords(2),
        Array.from({ length: 3 }, () => generateWords(1 + (i % 3))),
      ] as const),
    ])
    const from = 1950 + Math.floor(next() * 70)
    return {
      ...{
        kind: 'indicator',
        title,
        href,
        note: generateWords(12),
        domain,
        columns,
        names: [domains[domain] ?? ''],
      },
      ...{
        topic: common[i % 20] ?? '',
        formats: ['CSV', 'XLSX', 'JSON'],
        places: [pickOne(common), pickOne(common)],
      },
      ...{ years: [from, from + Math.floor(next() * 20)], hasTable: true },
    }
  })
  return writeIndex(entries, { domains, rows: '/f/0123456789abcdef0123456789abcdef.json' })
}

/**
 * The processor time of this process so far, in ms: what a Worker is billed by, and what other load on the
 * machine does not lengthen.
 */
function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Measures the processor time of each search of an index of 5,000 entries, in ms, the results page included;
 * also returns the index as it is stored.
 */
export function measureSearches(rounds: number) {
  const json = JSON.stringify(makeIndex(5000))
  const open: number[] = []
  for (let i = 0; i < 10; i += 1) {
    const startMs = cpuTime()
    parseIndex(JSON.parse(json) as SearchFile)
    open.push(cpuTime() - startMs)
  }
  const index = parseIndex(JSON.parse(json) as SearchFile)
  const shell = `<html>${Object.values(slots).join('<p>')}${'x'.repeat(20_000)}</html>`
  const [searches, suggestions]: [number[], number[]] = [[], []]
  for (let i = 0; i < rounds; i += 1)
    for (const text of texts) {
      const searchAnswer: SearchShown = {
        ...{
          ...toSearchQuestion(text),
          kind: i % 3 ? null : 'indicator',
          period: i % 4 ? null : '2010-2019',
        },
        ...{ sort: i % 5 ? 'relevance' : 'name', page: 1, locale: 'en', languages: allLanguages },
      }
      let startMs = cpuTime()
      fillResults(shell, searchAnswer, find(index, searchAnswer, searchAnswer))
      searches.push(cpuTime() - startMs)
      startMs = cpuTime()
      suggest(index, text, { locale: 'en' })
      suggestions.push(cpuTime() - startMs)
    }
  return { json, open, searches, suggestions }
}

/** Reports the size of the index of 5,000 entries, and the time of a search. */
export async function searchSuite(reporter: FigureReporter): Promise<void> {
  const { json, open, searches, suggestions } = measureSearches(40)
  reporter.log(`  the index of 5,000 entries, as it is stored: ${(json.length / 1e6).toFixed(2)} MB`)
  reporter.most('index of 5,000 entries, brotli', brotliCompressSync(json).length / 1000, 1100, 'kB')
  reporter.log(`  opening the index, once an isolate: ${share(open, 0.5).toFixed(1)} ms`)
  reporter.log(`  a search, median: ${share(searches, 0.5).toFixed(2)} ms`)
  reporter.most('a search of 5,000 entries, 95 of 100', share(searches, 0.95), 20, 'ms')
  reporter.most('suggestions of 5,000 entries, 95 of 100', share(suggestions, 0.95), 20, 'ms')
}

/** The quantile of some values: `part` of them are below it. */
export const share = (values: number[], part: number) =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? NaN

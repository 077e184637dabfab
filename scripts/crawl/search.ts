import { allLanguages } from '#functions/shapes/locale.ts'
import { brotliCompressSync } from 'node:zlib'
import type { Say } from '../figures-proof.ts'
import {
  find,
  indexOf,
  type Findable,
  type SearchFile,
  type SearchQuestion,
} from '#functions/edge/search/index.ts'
import { fillResults, slots } from '#functions/edge/search/search-page.ts'

const common =
  'rain water permits building budget crime fire traffic transit school library park tree census income housing health hospital clinic emission energy electric solar wind river lake flood storm temperature humidity pressure quality bike pedestrian crossing signal collision injury license business restaurant inspection score violation noise complaint request service response median average count annual monthly daily north south east west district ward precinct zone neighborhood county state national survey employment unemployment wage payroll vendor contract payment revenue tax property parcel land zoning assessment value sale rent eviction shelter food market farm crop soil'.split(
    ' ',
  )
const texts =
  'rain;rian;watr qualty;a;s;median income;neighborhod;permit;zzzzz;unemploymnt rate;city bu;housng evicton;hospital clinic;wind solar energy;reservor'.split(
    ';',
  )

/** The same numbers each time (mulberry32). */
function numbers(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A hub of so many entries: titles of common and rare words, ids as they are made, stories with summaries. */
function makeIndex(count: number): SearchFile {
  const next = numbers(7)
  const one = (from: string | readonly string[], at = next()) => from[Math.floor(at * from.length)] ?? ''
  const rare = () => Array.from({ length: 3 }, () => one('bcdfglmnprstv') + one('aeiou')).join('')
  const word = () => (next() < 0.15 ? rare() : one(common, next() * next()))
  const some = (n: number) => Array.from({ length: n }, word).join(' ')
  const id = () => Array.from({ length: 24 }, () => one('abcdefghijklmnopqrstuvwxyz0123456789')).join('')
  const domains = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`domain-${i}`, some(3)]))
  const ids = Object.keys(domains)
  const entries = Array.from({ length: count }, (_, i): Findable => {
    const title = some(2 + Math.floor(next() * 4))
    const domain = ids[i % ids.length] ?? ''
    if (i % 10 === 0)
      return {
        kind: 'story',
        title,
        href: `/pages/storytelling/${id()}/preview`,
        note: some(25),
        domain: null,
      }
    const href = `/domains/${domain}/source/${id()}`
    return { kind: 'indicator', title, href, note: domains[domain] ?? '', domain }
  })
  return { domains, entries, rows: '/f/0123456789abcdef0123456789abcdef.json' }
}

/** How large the index of 5,000 entries is, and how long a search of it takes, the page of results included. */
export async function searchSuite(say: Say): Promise<void> {
  const json = JSON.stringify(makeIndex(5000))
  say.most('index of 5,000 entries, brotli', brotliCompressSync(json).length / 1000, 300, 'kB')
  const open: number[] = []
  for (let i = 0; i < 20; i += 1) {
    const began = performance.now()
    indexOf(JSON.parse(json) as SearchFile)
    open.push(performance.now() - began)
  }
  say.log(`  opening the index, once an isolate: ${share(open, 0.5).toFixed(1)} ms`)
  const index = indexOf(JSON.parse(json) as SearchFile)
  const shell = `<html>${Object.values(slots).join('<p>')}${'x'.repeat(20_000)}</html>`
  const times: number[] = []
  for (let i = 0; i < 40; i += 1)
    for (const text of texts) {
      const asked: SearchQuestion = { text, kind: i % 3 ? null : 'indicator', domain: null }
      const began = performance.now()
      fillResults(
        shell,
        { ...asked, page: 1, locale: 'en', languages: allLanguages },
        find(index, asked, 'en'),
      )
      times.push(performance.now() - began)
    }
  say.log(`  a search, median: ${share(times, 0.5).toFixed(2)} ms`)
  say.most('a search of 5,000 entries, 95 of 100', share(times, 0.95), 60, 'ms')
}

const share = (values: number[], part: number) =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? NaN

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourceInPath } from '#functions/shapes/hub-picture.ts'
import { readManifest } from '#functions/edge/hub/manifest.ts'
import { readSnapshot } from '#functions/edge/hub/snapshot.ts'
import { createRequester } from '../crawl/crawler.ts'
import { findFreePort, openDatabase, openWorker } from '../local.ts'
import { publishHubs } from '../publish-hub.ts'
import { start } from '../start.ts'
import { openBrowser } from '../walks/browser.ts'
import { openEdge, trivialPath } from './edge.ts'
import { categories, runLighthouse, computeMedianReport, type LighthouseReport } from './lighthouse.ts'
import { makeReportLine, type Line } from './measure.ts'
import { runCount, type Scale } from './scale.ts'

const root = new URL('../../', import.meta.url).pathname
/** The hub of the demo that is measured. Its folder is kept, so that the next run starts at once. */
const placeId = 'usa'
const folder = join(root, '.cache/bench/demo')
/** The size of the first round trip in kB: ten segments of 1,460 bytes. */
const firstRoundTrip = 14.6
/**
 * Total blocking time in milliseconds from which Lighthouse deducts a point from a page that paints as fast
 * as ours.
 */
const maxBlocked = 100
/** Single records (which may be about people) and search results are marked `noindex`. */
const unlisted = ['a record', 'search']
const findings = join(root, '.cache/bench/lighthouse.json')

/**
 * Measures the demo's hub with Lighthouse's simulated phone: its home page, the longest of its stories and
 * sources, that source's table with its first record, and a search; against an empty page of the same server.
 * Failed audits are printed and written to `.cache/bench/lighthouse.json`.
 */
export async function benchBrowser({ rows }: Scale): Promise<Line[]> {
  await seeded()
  const edge = await openEdge()
  const database = await openDatabase(folder)
  const port = await findFreePort()
  const host = `localhost:${edge.port}`
  const vars = { APP_HOST: host, PUBLIC_HOST: host }
  const { worker, miniflare, close } = await openWorker({ env: database.env, port, folder, vars })
  edge.to(port)
  const debugging = await findFreePort()
  const browser = await openBrowser([`--remote-debugging-port=${debugging}`])
  try {
    // Pages contain their own address, and the port changes with each run.
    await publishHubs(worker, database.env, [placeId])
    const hubs = (await miniflare.getR2Bucket('HUBS')) as unknown as R2Bucket
    const pages = { 'a trivial page': trivialPath, ...(await choosePages(hubs, edge.port)) }
    const runs = new Map(Object.keys(pages).map((name) => [name, [] as LighthouseReport[]]))
    const site = `http://${placeId}.localhost:${edge.port}`
    for (let run = 0; run < runCount(rows); run += 1)
      for (const [name, path] of Object.entries(pages))
        runs
          .get(name)
          ?.push(await runLighthouse(site + path, { port: debugging, isUnlisted: unlisted.includes(name) }))
    return toLines(pages, new Map([...runs].map(([name, samples]) => [name, computeMedianReport(samples)])))
  } finally {
    await browser.close()
    await close()
    await database.close()
    await edge.close()
  }
}

/** Seeds the demo in the folder unless it is already there. */
async function seeded() {
  const log = (text: string) => {
    // Prints only the steps: there is also a line for every rendered page.
    if (/^[…✓]/.test(text)) console.log(`    ${text}`)
  }
  const { close } = await start({ port: await findFreePort(), folder, log })
  await close()
}

/** The measured paths by name. */
async function choosePages(hubs: R2Bucket, port: number): Promise<Record<string, string>> {
  const snapshot = await readSnapshot(hubs, `${placeId}.localhost`)
  const manifest = await readManifest(hubs, placeId, snapshot?.manifest ?? 0)
  const ask = createRequester(port, `${placeId}.localhost`)
  const longest = async (name: string, isOne: (path: string) => boolean) => {
    const english = Object.keys(manifest?.pages ?? {}).filter((name) => name.startsWith('en '))
    const paths = english.map((name) => name.slice(3)).filter(isOne)
    const pagesBySize = await Promise.all(
      paths.map(async (path) => ({ path, size: (await ask(path)).body.length })),
    )
    const [first] = pagesBySize.sort((a, b) => b.size - a.size)
    if (!first) throw new Error(`The hub of ${placeId} has no ${name}.`)
    return first.path
  }
  const source = await longest('source', (path) => sourceInPath(path) !== null)
  const table = `${source}/data`
  const [, record] = new RegExp(`href="(${table}/[^"/?]+)"`).exec((await ask(table)).body.toString()) ?? []
  if (!record) throw new Error(`${table} leads to no record.`)
  return {
    home: '/',
    'a story': await longest('story', (path) => path.startsWith('/pages/storytelling/')),
    'a source': source,
    'a table': table,
    'a record': record,
    search: '/search?search=income',
  }
}

/** Builds the lines of the table; prints and writes the failed audits. */
function toLines(pages: Record<string, string>, results: Map<string, LighthouseReport>): Line[] {
  const all = Object.entries(pages).map(([name, path]) => ({ name, path, ...results.get(name) }))
  mkdirSync(join(root, '.cache/bench'), { recursive: true })
  writeFileSync(findings, `${JSON.stringify(all, null, 2)}\n`)
  const lines: Line[] = []
  const trivial = results.get('a trivial page')
  for (const [
    name,
    { scores, lcp, cls, tbt, textBytes, documentBytes, scriptBytes, failed: failedAudits },
  ] of results) {
    for (const { audit, category, score, weight, title, value, at } of failedAudits) {
      console.log(`    ${name}: ${category} ${audit} ${score} (weight ${weight}): ${title} ${value}`)
      for (const each of at) console.log(`      ${each}`)
    }
    const about = { area: 'browser', rows: null }
    const limit = (subject: string, unit: Line['unit'], ours: number, most: number) =>
      makeReportLine({
        ...about,
        work: `${name}: ${subject}`,
        unit,
        ours,
        peer: 'the limit',
        theirs: most,
        most: 1,
      })
    for (const each of categories)
      lines.push(
        makeReportLine({
          ...about,
          work: `${name}: ${each}`,
          unit: 'points',
          ours: Math.round(scores[each] * 100),
          peer: 'all there are',
          theirs: 100,
          ...(name !== 'a trivial page' && { least: 1 }),
        }),
      )
    if (name === 'a trivial page') continue
    lines.push(
      makeReportLine({
        ...{ ...about, work: `${name}: largest paint`, unit: 'ms', ours: lcp },
        ...{ peer: 'a trivial page', theirs: trivial?.lcp ?? NaN, most: 1.3 },
      }),
      limit('main thread blocked', 'ms', tbt, maxBlocked),
      limit('the document with its headers, brotli', 'kB', documentBytes / 1000, firstRoundTrip),
      limit('HTML and CSS, brotli', 'kB', textBytes / 1000, 45),
      limit('scripts before interaction, brotli', 'kB', scriptBytes / 1000, 35),
      makeReportLine({
        ...{ ...about, work: `${name}: layout shift, thousandths`, unit: 'points', ours: cls * 1000 },
        ...{ peer: 'the limit', theirs: 20, most: 1 },
      }),
    )
  }
  return lines
}

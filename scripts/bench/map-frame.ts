import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../build.ts'
import { findFreePort, openDatabase, openWorker } from '../local.ts'
import { publishHubs } from '../publish-hub.ts'
import { start } from '../start.ts'
import { openBrowser, type Browser } from '../walks/browser.ts'
import { brotli, openEdge } from './edge.ts'
import { makeReportLine, type Line } from './measure.ts'

const root = new URL('../../', import.meta.url).pathname
/** The demo, in the same folder as `browser`, which is kept. */
const folder = join(root, '.cache/bench/demo')
const hubs = [
  { placeId: 'seattle-wa', name: 'Seattle', host: 'data.seattle.localhost' },
  { placeId: 'usa', name: 'the United States', host: 'usa.localhost' },
]
/** The limits in kB: of the static picture in the page, and of a live map without MapLibre's own files. */
const [mostPicture, mostFrame] = [60, 250]
/** The map counts as loaded after so many milliseconds without a request. */
const quietMs = 2000

/** A response that was sent, with its size. */
interface SentResponse {
  path: string
  bytes: number
}

/**
 * Measures what readers of the demo's hubs download for a map: the static picture, and, after it is touched,
 * everything until the live map is idle. Compressed as by the edge and without MapLibre's own files; prints
 * the rest by kind.
 */
export async function benchMapFrame(): Promise<Line[]> {
  await build(console.log)
  await seeded()
  const requests: SentResponse[] = []
  const edge = await openEdge((path, bytes) => void requests.push({ path, bytes }))
  const database = await openDatabase(folder)
  const port = await findFreePort()
  const host = `localhost:${edge.port}`
  const vars = { APP_HOST: host, PUBLIC_HOST: host }
  const { worker, close } = await openWorker({ env: database.env, port, folder, vars })
  edge.to(port)
  const browser = await openBrowser()
  try {
    // Pages contain their own address, and the port changes with each run.
    await publishHubs(
      worker,
      database.env,
      hubs.map(({ placeId }) => placeId),
    )
    const lines: Line[] = []
    for (const hub of hubs) {
      requests.length = 0
      const picture = await touchMap(browser, `http://${hub.host}:${edge.port}/map`, requests)
      lines.push(...buildLines(hub.name, picture, requests))
    }
    return lines
  } finally {
    await browser.close()
    await close()
    await database.close()
    await edge.close()
  }
}

async function seeded() {
  const { close } = await start({ port: await findFreePort(), folder, log: () => {} })
  await close()
}

/**
 * Opens a page with a map, waits until its picture is drawn, forgets the responses so far, and touches the
 * picture. Returns the bytes of the picture.
 */
async function touchMap(browser: Browser, address: string, requests: SentResponse[]): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(address, { waitUntil: 'networkidle' })
  const picture = await page
    .locator('[data-map] [data-plot] svg')
    .first()
    .evaluate((svg) => svg.outerHTML)
  requests.length = 0
  await page.locator('[data-map] [data-explore]').click()
  await page.locator('figure.is-live canvas.maplibregl-canvas').waitFor({ timeout: 60_000 })
  for (let before = -1; before !== requests.length;) {
    before = requests.length
    await page.waitForTimeout(quietMs)
  }
  await page.close()
  return Buffer.byteLength(picture)
}

const measureMaplibreBytes = (file: string) =>
  brotli(readFileSync(join(root, 'node_modules/maplibre-gl/dist', file))).length

function buildLines(name: string, picture: number, requests: SentResponse[]): Line[] {
  const all = requests.reduce((sum, { bytes }) => sum + bytes, 0)
  // MapLibre is bundled with the product's code: subtracting its files leaves the size of the product's own
  // part.
  const maplibre =
    measureMaplibreBytes('maplibre-gl.mjs') +
    measureMaplibreBytes('maplibre-gl-worker.mjs') +
    measureMaplibreBytes('maplibre-gl.css')
  const kinds = new Map<string, SentResponse[]>()
  for (const each of requests)
    kinds.set(getRequestKind(each.path), [...(kinds.get(getRequestKind(each.path)) ?? []), each])
  const parts = [...kinds].map(([kind, each]) => {
    const bytes = each.reduce((sum, part) => sum + part.bytes, 0) - (kind === 'code' ? maplibre : 0)
    return { kind, count: each.length, bytes }
  })
  parts.sort((a, b) => b.bytes - a.bytes)
  for (const { kind, count, bytes } of parts)
    console.log(`    ${name}: ${kind}: ${(bytes / 1000).toFixed(1)} kB in ${count} answers`)
  const about = { area: 'map', rows: null, unit: 'kB' as const, most: 1 }
  const limit = { ...about, peer: 'what is promised' }
  const note = parts.map(({ kind, bytes }) => `${kind} ${(bytes / 1000).toFixed(0)}`).join(', ')
  return [
    makeReportLine({
      ...limit,
      work: `${name}: the picture in its page`,
      ours: picture / 1000,
      theirs: mostPicture,
    }),
    makeReportLine({
      ...{ ...limit, work: `${name}: the live map on its ground, without MapLibre’s own files` },
      ...{ ours: (all - maplibre) / 1000, theirs: mostFrame, note: `${note} kB` },
    }),
  ]
}

function getRequestKind(path: string): string {
  if (/^\/t\/(?:points|shapes)\//.test(path)) return 'tiles of records'
  if (path.startsWith('/t/') || path.startsWith('/a/')) return 'ground and regions'
  if (/\.(?:js|css)(?:\?|$)/.test(path)) return 'code'
  if (/\.woff2?(?:\?|$)/.test(path)) return 'faces'
  return path.includes('/hub/') || path.endsWith('.json') ? 'data of the map' : 'others'
}

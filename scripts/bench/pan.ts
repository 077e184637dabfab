import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build as bundle } from 'esbuild'
import type { StyleSpecification } from 'maplibre-gl'
import { Pool } from 'pg'
import { startProxy } from '#db/embedded/proxy.ts'
import { toServerAddress } from '#db/embedded/tls.ts'
import { system } from '#functions/context.ts'
import type { MapData } from '#app/islands/map-data.ts'
import { findFreePort, openWorker } from '../local.ts'
import { publishHubs } from '../publish-hub.ts'
import { folderStore, uploadTiles } from '../tile-store.ts'
import { makeTiles } from '../tiles.ts'
import { openBrowser, type Page } from '../walks/browser.ts'
import { seedBoundaries } from '../seed/boundaries.ts'
import { contextOver, kyselyOver } from './context.ts'
import { placeId } from './corpus.ts'
import { askDatabase, type BenchDatabase } from './database.ts'
import { makeReportLine, median, type Line } from './measure.ts'

const root = new URL('../../', import.meta.url).pathname
/**
 * How often each map is moved, the steps of a move, and the pixels of each step of the pointer; one round
 * moves there and back.
 */
const [rounds, steps, stride] = [7, 40, 8]

/**
 * Moves the map of a hub with all records of the corpus by the pointer and measures the frames per second of
 * the browser, against a page that contains only MapLibre with the same style and tiles.
 */
export async function benchPan({ rows, app, owner }: BenchDatabase): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-pan-'))
  const proxy = await startProxy(toServerAddress(app))
  const env = { DATABASE_URL: app.href, DB_PROXY: proxy.address }
  const port = await findFreePort()
  const { miniflare, worker, close } = await openWorker({ env, port, folder })
  const browser = await openBrowser()
  try {
    await openHub(owner)
    const tiles = folderStore(join(folder, 'tiles'))
    await uploadTiles(tiles, await makeTiles(tiles, () => {}), await miniflare.getR2Bucket('TILES'))
    await publishHubs(worker, env, [placeId])
    const origin = `http://${placeId}.localhost:${port}`
    const ours = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    const coming = ours.waitForResponse(
      async (response) => isMapData(await response.text().catch(() => '')),
      { timeout: 120_000 },
    )
    // A failure before the promise is awaited is reported elsewhere.
    coming.catch(() => {})
    await ours.goto(`${origin}/map`, { waitUntil: 'networkidle' })
    await ours.locator('[data-map] [data-explore]').click()
    await ours.locator('figure.is-live canvas.maplibregl-canvas').waitFor({ timeout: 60_000 })
    const data = (await (await coming).json()) as MapData
    const box = await measureMapBox(ours)
    const bare = await openBare(data, origin, box)
    try {
      const theirs = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      await theirs.goto(bare.address)
      await theirs.locator('canvas.maplibregl-canvas').waitFor()
      const frames = { ours: [] as number[], theirs: [] as number[] }
      // The first round loads the tiles and does not count.
      for (let round = 0; round <= rounds; round += 1)
        for (const [name, page] of Object.entries({ ours, theirs }) as ['ours' | 'theirs', Page][]) {
          const tileCount = await countMovedTiles(page)
          if (round > 0) frames[name].push(tileCount)
        }
      return [
        makeReportLine({
          ...{ area: 'pan', work: 'the map of a hub moved by the pointer: frames a second', rows },
          ...{ ours: median(frames.ours), peer: 'MapLibre alone with the same tiles' },
          ...{ theirs: median(frames.theirs), unit: 'frames/s', least: 0.9 },
        }),
      ]
    } finally {
      await bare.close()
    }
  } finally {
    await browser.close()
    await close()
    await proxy.close()
    await closeHub(owner)
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Makes the place of the corpus a hub of the United States: a place has a map when it has a boundary to draw.
 */
async function openHub(owner: URL) {
  const pool = new Pool({ connectionString: owner.href, max: 1 })
  const db = kyselyOver(pool)
  await seedBoundaries(
    contextOver(db, { actor: system, transaction: (run) => db.transaction().execute(run) }),
    () => {},
  )
  await db.destroy()
  await askDatabase(owner, (client) =>
    client.query(`update place set is_hub = true, boundary_id = 'us-nation' where id = $1`, [placeId]),
  )
}

const closeHub = (owner: URL) =>
  askDatabase(owner, async (client) => {
    await client.query('update place set is_hub = false, boundary_id = null where id = $1', [placeId])
    await client.query('delete from boundary')
  })

const isMapData = (text: string) => text.startsWith('{"style":{') || text.includes('"darkStyle":{')

async function measureMapBox(page: Page) {
  const box = await page.locator('canvas.maplibregl-canvas').boundingBox()
  if (!box) throw new Error('The map is not to be seen.')
  return box
}

/** Moves a map to the left and back; returns the frames per second that the browser drew meanwhile. */
async function countMovedTiles(page: Page): Promise<number> {
  await page.bringToFront()
  await page.locator('canvas.maplibregl-canvas').scrollIntoViewIfNeeded()
  const { x, y, width, height } = await measureMapBox(page)
  const [from, at] = [x + width / 2 + (steps * stride) / 4, y + Math.min(height, 600) / 2]
  // A method, because the transpiler wraps functions in a helper that does not exist in the page.
  await page.evaluate(() => {
    const count = {
      ...{ frames: 0, began: performance.now(), isOver: false },
      next() {
        if (count.isOver) return
        count.frames += 1
        requestAnimationFrame(count.next)
      },
    }
    Object.assign(window, { count })
    requestAnimationFrame(count.next)
  })
  await page.mouse.move(from, at)
  await page.mouse.down()
  for (const sign of [-1, 1])
    for (let step = 1; step <= steps; step += 1) {
      const position = sign < 0 ? step : steps - step
      await page.mouse.move(from - position * (stride / 2), at)
      await page.waitForTimeout(16)
    }
  await page.mouse.up()
  const tileCount = await page.evaluate(() => {
    const { count } = window as unknown as {
      count: { frames: number; began: number; isOver: boolean }
    }
    count.isOver = true
    return (count.frames * 1000) / (performance.now() - count.began)
  })
  await page.waitForTimeout(1500)
  return tileCount
}

/** Opens a page that only contains a map of this style, as large as ours. */
async function openBare(data: MapData, origin: string, { width, height }: { width: number; height: number }) {
  const { outputFiles } = await bundle({
    stdin: {
      contents: `import { addProtocol, Map, setWorkerUrl } from 'maplibre-gl'
        import { Protocol } from 'pmtiles'
        setWorkerUrl('/maplibre-gl-worker.mjs')
        addProtocol('pmtiles', new Protocol({ metadata: true }).tile)
        fetch('/data.json').then((response) => response.json()).then(({ style, bounds }) =>
          new Map({ container: 'map', style, bounds, fitBoundsOptions: { padding: 16 } }))`,
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
  })
  const dist = (file: string) => readFileSync(join(root, 'node_modules/maplibre-gl/dist', file))
  const page = `<!doctype html><link rel="stylesheet" href="/maplibre-gl.css"><link rel="icon" href="data:,">
    <div id="map" style="width:${width}px;height:${height}px"></div><script type="module" src="/bare.js"></script>`
  const style = JSON.stringify({ style: absolute(data.style, origin), bounds: data.bounds })
  const files: Record<string, [type: string, body: string | Buffer]> = {
    '/': ['text/html', page],
    '/bare.js': ['text/javascript', outputFiles[0]?.text ?? ''],
    '/data.json': ['application/json', style],
    '/maplibre-gl.css': ['text/css', dist('maplibre-gl.css')],
    '/maplibre-gl-worker.mjs': ['text/javascript', dist('maplibre-gl-worker.mjs')],
    '/maplibre-gl-shared.mjs': ['text/javascript', dist('maplibre-gl-shared.mjs')],
  }
  const server = createServer(({ url }, answer) => {
    const [type, body] = files[url ?? ''] ?? ['text/plain', '']
    answer.writeHead(files[url ?? ''] ? 200 : 404, { 'content-type': type }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Makes the paths of tiles and archives in a style absolute, for a page of another host. */
function absolute(style: StyleSpecification, origin: string): StyleSpecification {
  const sources = Object.entries(style.sources).map(([name, source]) => {
    if ('url' in source && typeof source.url === 'string')
      return [name, { ...source, url: source.url.replace(/^pmtiles:\/\/\//, `pmtiles://${origin}/`) }]
    if (!('tiles' in source) || !source.tiles) return [name, source]
    return [
      name,
      { ...source, tiles: source.tiles.map((path) => (path.startsWith('/') ? origin + path : path)) },
    ]
  })
  return { ...style, sources: Object.fromEntries(sources) as StyleSpecification['sources'] }
}

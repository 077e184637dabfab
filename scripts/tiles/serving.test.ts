import { fileURLToPath } from 'node:url'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { gunzipSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { PMTiles } from 'pmtiles'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ArchiveWriter } from '#functions/engine/tile/archive-writer.ts'

// functions/edge/tiles in workerd, on a bucket of its own
const hash = '0123456789ab'
const missing = 'ba9876543210'
const geojson = '{"type":"FeatureCollection","features":[]}'
let worker: Miniflare
let origin: URL
let archive: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  const writer = new ArchiveWriter()
  writer.add(0, 0, 0, new Uint8Array(gzipSync('the world')))
  for (let x = 0; x < 64; x++) {
    for (let y = 0; y < 40; y++)
      writer.add(6, x, y, new Uint8Array(gzipSync(`6/${x}/${y} ${Math.sin(x * 64 + y)}`)))
  }
  const bounds: [number, number, number, number] = [-180, -85, 180, 85]
  archive = await writer.finish({ bounds, minZoom: 0, maxZoom: 6, metadata: { name: 'test' } })
  const bundle = await build({
    stdin: {
      contents: `import { serveTiles } from './functions/edge/tiles/serve.ts'
        export default { fetch: async (request, env) =>
          (await serveTiles(request, env.TILES)) ?? new Response('elsewhere', { status: 418 }) }`,
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    write: false,
  })
  worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'index.js', contents: bundle.outputFiles[0]?.text ?? '' }],
    compatibilityDate: '2026-04-01',
    r2Buckets: ['TILES'],
  })
  origin = await worker.ready
  const bucket = await worker.getR2Bucket('TILES')
  await bucket.put(`archives/${hash}.pmtiles`, archive.buffer)
  await bucket.put('boundaries/us-states.geojson', geojson)
})

afterAll(() => worker.dispose())

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Sends a request over plain HTTP, so that nothing is decoded or added on the way. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(new URL(path, origin), { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

const file = `/a/${hash}.pmtiles`

test('a whole archive has the headers that caches and maps of other sites need', async () => {
  const { status, headers, body } = await ask(file)
  expect(status).toBe(200)
  expect(Buffer.compare(body, archive)).toBe(0)
  expect(headers).toMatchObject({
    'content-type': 'application/vnd.pmtiles',
    'content-length': String(archive.length),
    'accept-ranges': 'bytes',
    'cache-control': 'public, max-age=31536000, immutable, no-transform',
    'access-control-allow-origin': '*',
    etag: `"${hash}"`,
  })
  expect(headers['content-encoding']).toBeUndefined()
})

test.each([
  ['bytes=0-126', 0, 127],
  ['bytes=1000-', 1000, Infinity],
  ['bytes=-100', -100, Infinity],
  ['bytes=0-99999999', 0, Infinity],
])('answers %s with that part', async (range, from, to) => {
  const { status, headers, body } = await ask(file, { range })
  const part = archive.slice(from, to === Infinity ? undefined : to)
  const start = from < 0 ? archive.length + from : from
  expect(status).toBe(206)
  expect(Buffer.compare(body, part)).toBe(0)
  expect(headers['content-range']).toBe(`bytes ${start}-${start + part.length - 1}/${archive.length}`)
  expect(headers['content-length']).toBe(String(part.length))
})

test('answers 416 past the end, and the whole archive for ranges it does not support or whose tag differs', async () => {
  const past = await ask(file, { range: `bytes=${archive.length}-` })
  expect([past.status, past.headers['content-range']]).toEqual([416, `bytes */${archive.length}`])
  for (const range of ['bytes=0-1,5-6', 'bytes=5-2', 'rows=1-2']) {
    const { status, body } = await ask(file, { range })
    expect([status, body.length], range).toEqual([200, archive.length])
  }
  expect((await ask(file, { range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200)
  expect((await ask(file, { range: 'bytes=0-9', 'if-range': `"${hash}"` })).status).toBe(206)
})

test('HEAD, 304, 404 and 405', async () => {
  const head = await ask(file, {}, 'HEAD')
  expect([head.status, head.headers['content-length'], head.body.length]).toEqual([
    200,
    String(archive.length),
    0,
  ])
  expect((await ask(file, { 'if-none-match': `"x", "${hash}"` })).status).toBe(304)
  const rejection = await ask(file, {}, 'POST')
  expect([rejection.status, rejection.headers.allow]).toEqual([405, 'GET, HEAD'])
  const tile = `/t/${hash}/6/1/1.mvt`
  for (const path of [
    `/a/${missing}.pmtiles`,
    `/a/${hash.toUpperCase()}.pmtiles`,
    '/a/..%2Fmanifest.pmtiles',
    `/t/${missing}/0/0/0.mvt`,
    `/t/${hash}/7/0/0.mvt`,
    `/t/${hash}/6/64/0.mvt`,
    `/t/${hash}/6/0/-1.mvt`,
    `/t/${hash}/06/0/1.mvt`,
    '/a/boundaries/nowhere.geojson',
    '/a/boundaries/..%2F..%2Fmanifest.geojson',
  ]) {
    expect((await ask(path)).status, path).toBe(404)
  }
  for (const path of ['/', '/a/other', '/t/points/x@1/1/0/0.mvt', `${tile}/x`]) {
    expect((await ask(path)).status, path).toBe(418)
  }
})

test('sends a tile as stored, or decompressed for clients without gzip', async () => {
  const path = `/t/${hash}/6/10/12.mvt`
  const expected = `6/10/12 ${Math.sin(10 * 64 + 12)}`
  const compressedTile = await ask(path, { 'accept-encoding': 'br, gzip' })
  expect([compressedTile.status, compressedTile.headers['content-encoding']]).toEqual([200, 'gzip'])
  expect(gunzipSync(compressedTile.body).toString()).toBe(expected)
  expect(compressedTile.headers['content-type']).toBe('application/vnd.mapbox-vector-tile')
  for (const encodings of ['identity', 'gzip;q=0']) {
    const plain = await ask(path, { 'accept-encoding': encodings })
    expect([plain.headers['content-encoding'], plain.body.toString()]).toEqual([undefined, expected])
  }
  const notModified = await ask(path, { 'if-none-match': String(compressedTile.headers.etag) })
  expect([notModified.status, notModified.body.length]).toEqual([304, 0])
  expect((await ask(path, {}, 'HEAD')).status).toBe(200)
  const empty = await ask(`/t/${hash}/6/10/50.mvt`)
  expect([empty.status, empty.body.length]).toEqual([204, 0])
  expect((await ask(`/t/${hash}/3/0/0.mvt`)).status).toBe(204)
})

test('concurrent requests share directories, but not each other’s answers', async () => {
  const paths = [...Array(60).keys()].map((i) => `/t/${hash}/6/${i}/${i % 40}.mvt`)
  const answers = await Promise.all(paths.map((path) => ask(path, { 'accept-encoding': 'gzip' })))
  expect(answers.map(({ body }) => gunzipSync(body).toString().split(' ')[0])).toEqual(
    paths.map((path) => path.slice(`/t/${hash}/`.length, -'.mvt'.length)),
  )
})

test('the PMTiles reader reads the archive through byte ranges', async () => {
  const reader = new PMTiles({
    getKey: () => file,
    getBytes: async (offset, length) => {
      const headers = { range: `bytes=${offset}-${offset + length - 1}` }
      const answer = await worker.dispatchFetch(new URL(file, origin).href, { headers })
      expect(answer.status).toBe(206)
      return { data: await answer.arrayBuffer(), etag: answer.headers.get('etag') ?? undefined }
    },
  })
  expect(await reader.getMetadata()).toEqual({ name: 'test' })
  const tile = await reader.getZxy(6, 63, 39)
  expect(new TextDecoder().decode(tile?.data)).toMatch(/^6\/63\/39 /)
  expect(await reader.getZxy(6, 63, 40)).toBeUndefined()
})

test('a boundary file is revalidated each time and not sent twice', async () => {
  const path = '/a/boundaries/us-states.geojson'
  const first = await ask(path)
  expect([first.status, first.body.toString()]).toEqual([200, geojson])
  expect(first.headers).toMatchObject({
    'content-type': 'application/geo+json',
    'cache-control': 'public, max-age=0, must-revalidate',
    'access-control-allow-origin': '*',
  })
  const again = await ask(path, { 'if-none-match': String(first.headers.etag) })
  expect([again.status, again.body.length]).toEqual([304, 0])
  const head = await ask(path, {}, 'HEAD')
  expect([head.status, head.headers['content-length']]).toEqual([200, String(geojson.length)])
})

import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFile, flaky, internet, type Internet } from './testing.ts'

// The same in the production runtime: its fetch, its streams, its error messages.
let worker: Miniflare
let settings: ConstructorParameters<typeof Miniflare>[0]
let at: URL
let net: Internet

beforeAll(async () => {
  const bundle = await build({
    stdin: {
      contents: `import { open } from './functions/engine/import/fetch/open.ts'
        export default { async fetch(request) {
          const { port, caps, ...asked } = await request.json()
          const slept = []
          const ports = {
            fetch: (url, init) => {
              const { pathname, search } = new URL(url)
              return fetch('http://127.0.0.1:' + port + pathname + search, init)
            },
            now: () => new Date(Date.now() + slept.reduce((a, b) => a + b, 0)),
            sleep: async (ms) => { slept.push(ms) },
            resolve: async () => ['93.184.216.34'],
            random: () => 1,
            isSecretName: () => false,
          }
          try {
            const { bytes, url, length, validator } = await open(ports, asked, { caps, signal: request.signal })
            const hash = new crypto.DigestStream('SHA-256')
            const writer = hash.getWriter()
            for await (const chunk of bytes) await writer.write(chunk)
            await writer.close()
            const digest = [...new Uint8Array(await hash.digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
            return Response.json({ digest, slept, url, length, validator })
          } catch (error) {
            return Response.json({ code: error.code, message: error.message, stack: error.stack, slept })
          }
        } }`,
      resolveDir: fileURLToPath(new URL('../../../..', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    write: false,
  })
  settings = {
    modules: [{ type: 'ESModule', path: 'index.js', contents: bundle.outputFiles[0]?.text ?? '' }],
    compatibilityDate: '2026-04-01',
    compatibilityFlags: ['nodejs_compat'],
  }
  worker = new Miniflare(settings)
  at = await worker.ready
})
afterAll(() => worker.dispose())
beforeEach(() => (net = internet()))
afterEach(() => net.close())

const origin = 'http://data.example.org'
const ask = async (caps = {}, request = {}): Promise<unknown> => {
  const body = JSON.stringify({ port: net.findPort(origin), url: `${origin}/file`, caps, ...request })
  return (await fetch(at, { method: 'POST', body })).json()
}
const hashFile = (file: Uint8Array) => createHash('sha256').update(file).digest('hex')
const file = createFile(900_000)

test.each([
  ['with ranges', { etag: '"v1"', takesRanges: true, cuts: [0, 100_000, 4096, 300_000] }],
  ['without', { cuts: [100_000, 4096, 500_000, 899_999] }],
  ['in chunks', { cuts: [100_000, 500_000], isChunked: true }],
])('A connection that is lost, %s', async (_, flaws) => {
  const requests = await net.serve(origin, flaky({ file, ...flaws }))
  expect(await ask()).toMatchObject({ digest: hashFile(file) })
  expect(requests.length).toBe(flaws.cuts.length + 1)
  expect(requests[0]?.headers['accept-encoding']).toBe('identity')
  expect(requests.at(-1)?.headers.range !== undefined).toBe('takesRanges' in flaws)
})

test('A wrong content-length never gives a truncated file', async () => {
  await net.serve(origin, (_, response) => {
    response.writeHead(200, { 'content-length': 1_000_000 })
    response.write(file, () => response.socket?.destroySoon())
  })
  expect(await ask({ attempts: 2 })).toMatchObject({ code: 'lost', slept: [1000] })
})

test('Timeouts before the response and in the body', async () => {
  await net.serve(origin, () => {})
  expect(await ask({ attempts: 2, answerMs: 300 })).toMatchObject({ code: 'timeout', slept: [1000] })
  await net.serve(origin, (_, response) => response.writeHead(200, { 'content-length': 9 }).write('x'))
  expect(await ask({ attempts: 2, idleMs: 300 })).toMatchObject({ code: 'timeout', slept: [1000] })
})

test('Compressed bodies: valid, damaged, truncated, a bomb', async () => {
  let packed = gzipSync(file)
  const serve = (body: Buffer, length = body.length) =>
    net.serve(origin, (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': length })
      response.write(body, () => response.socket?.destroySoon())
    })
  await serve(packed)
  expect(await ask()).toMatchObject({ digest: hashFile(file), length: null })
  await serve(Buffer.from('not gzip at all'))
  expect(await ask()).toMatchObject({ code: 'damaged', slept: [] })
  await serve(packed.subarray(0, 500_000), packed.length)
  expect(await ask({ attempts: 2 })).toMatchObject({ code: 'lost' })
  packed = gzipSync(Buffer.alloc(64 * 2 ** 20))
  await serve(packed)
  expect(await ask()).toMatchObject({
    code: 'tooLarge',
    message: expect.stringContaining('200 to 1') as string,
  })
})

test('Redirects are followed manually, with cookies', async () => {
  const requests = await net.serve(origin, ({ url }, response) => {
    if (url !== '/file') return response.end(file)
    response.setHeader('set-cookie', ['a=1', 'b=2; Path=/'])
    return response.writeHead(302, { location: Buffer.from('/café').toString('latin1') }).end()
  })
  expect(await ask()).toMatchObject({ digest: hashFile(file), url: `${origin}/caf%C3%A9` })
  expect(requests[1]?.headers.cookie).toBe('a=1; b=2')
  await net.serve(origin, (_, response) => response.writeHead(302, { location: 'http://[::1]/' }).end())
  expect(await ask()).toMatchObject({ code: 'refused', slept: [] })
})

test('Retry-After and connection errors', async () => {
  const requests = await net.serve(origin, (_, response) => {
    if (requests.length < 3) response.writeHead(429, { 'retry-after': '5' }).end()
    else response.end(file)
  })
  expect(await ask()).toMatchObject({ digest: hashFile(file), slept: [5000, 5000] })
  const port = net.findPort(origin)
  await net.close()
  // workerd has the same message for a refused connection and for a lost one.
  expect(await ask({ attempts: 2 }, { port })).toMatchObject({ code: 'lost', slept: [1000] })
})

test('A network restricted to public addresses stops a name that resolves to a private one after it was checked', async () => {
  const walled = new Miniflare({
    ...settings,
    outboundService: { network: { allow: ['public'] } },
    // It logs what it rejects.
    handleRuntimeStdio: (...outputs: Readable[]) => outputs.forEach((output) => output.resume()),
  })
  at = await walled.ready
  const requests = await net.serve(origin, (_, response) => response.end('inside'))
  // The guard gets a public address; the connection goes to this machine.
  expect(await ask({ attempts: 2 })).toMatchObject({
    code: expect.stringMatching(/^(lost|connect)$/) as string,
  })
  expect(requests.length).toBe(0)
  at = await worker.ready
  await walled.dispose()
})

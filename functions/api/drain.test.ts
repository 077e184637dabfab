import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'

// The Worker's own entry in workerd, which ends a connection whose body nobody has read.
let worker: Miniflare
let port: number

beforeAll(async () => {
  const bundle = await build({
    stdin: {
      contents: `export { default } from './functions/worker.ts'`,
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*', 'cloudflare:*', 'virtual:*'],
    loader: { '.css': 'empty', '.wasm': 'empty', '.woff': 'empty' },
    define: { __BUILD__: 'null' },
    write: false,
    logLevel: 'error',
  })
  worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'index.js', contents: bundle.outputFiles[0]?.text ?? '' }],
    compatibilityDate: '2026-04-01',
    compatibilityFlags: ['nodejs_compat'],
    r2Buckets: ['FILES', 'TILES', 'HUBS'],
    bindings: {
      ...{ ENVIRONMENT: 'test', APP_HOST: 'app.localhost', PUBLIC_HOST: 'hubs.localhost', SCHEME: 'http' },
      AUTH_SECRET: 'a secret that only tests know, long enough',
      ...{ MAIL_FROM: 'hub@example.com', SUPPORT_URL: 'https://support.test' },
      DATABASE_URL: 'postgres://a:b@db.test/c',
    },
  })
  port = Number((await worker.ready).port)
})
afterAll(() => worker?.dispose())

interface TestRequest {
  method: string
  path: string
  host: string
  headers?: Record<string, string>
  body?: Buffer
}

/** What comes back over a connection that is kept alive: the status, or the error by its code. */
function send(
  agent: Agent,
  { method, path, host, headers = {}, body }: TestRequest,
): Promise<number | string> {
  return new Promise((resolve) => {
    const length = body ? { 'content-length': String(body.length) } : {}
    const options = { port, host: '127.0.0.1', agent, method, path }
    const sending = request({ ...options, headers: { host, ...length, ...headers } }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
      answer.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
    })
    sending.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
    sending.end(body)
  })
}

const upload = '/m/0b9c7f52-2f6c-4a3e-9a51-7d3f0f5a1c11'

test.each<[string, Omit<TestRequest, 'method' | 'body'> & { method?: string }, number, number]>([
  ['a host that is nobody’s', { host: 'nowhere.test', path: '/' }, 100, 404],
  ['a large body to it', { host: 'nowhere.test', path: '/' }, 2_000_000, 404],
  ['an address of the API that is not there', { host: 'app.localhost', path: '/v1/nothing' }, 5000, 404],
  [
    'a body beyond what a rewritten GET may have',
    { host: 'app.localhost', path: '/v1/sources', headers: { 'x-http-method-override': 'GET' } },
    1_500_000,
    413,
  ],
  [
    'an upload to an address that takes none',
    { host: 'app.localhost', path: upload, method: 'PUT' },
    300_000,
    405,
  ],
])('the next request after %s is answered', async (_what, requestOptions, size, status) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const post: TestRequest = { method: 'POST', ...requestOptions, body: Buffer.alloc(size, 'x') }
  const answers: (number | string)[] = []
  for (let i = 0; i < 10; i += 1) {
    answers.push(await send(agent, post))
    answers.push(await send(agent, { method: 'GET', host: 'nowhere.test', path: '/' }))
  }
  agent.destroy()
  expect(answers).toEqual(Array.from({ length: 10 }, () => [status, 404]).flat())
})

test('a body whose length nobody says is read to where it is refused, and no further', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { host: 'app.localhost', 'transfer-encoding': 'chunked', 'x-http-method-override': 'GET' }
  const post = { method: 'POST', path: '/v1/sources', headers }
  const answers: (number | string)[] = []
  for (let i = 0; i < 3; i += 1) {
    const postStatus = await new Promise<number>((resolve, reject) => {
      const sending = request({ port, host: '127.0.0.1', agent, ...post }, (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
      })
      sending.on('error', reject)
      for (let n = 0; n < 15; n += 1) sending.write(Buffer.alloc(100_000, 'x'))
      sending.end()
    })
    answers.push(postStatus, await send(agent, { method: 'GET', host: 'nowhere.test', path: '/' }))
  }
  agent.destroy()
  expect(answers).toEqual([413, 404, 413, 404, 413, 404])
})

test('a form whose length nobody says is read to where it is too large', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = {
    host: 'app.localhost',
    'transfer-encoding': 'chunked',
    'content-type': 'multipart/form-data; boundary=b',
  }
  const post = { method: 'POST', path: '/v1/places/oakton/sources/test', headers }
  const send = (megabytes: number) =>
    new Promise<[number, string]>((resolve, reject) => {
      const sending = request({ port, host: '127.0.0.1', agent, ...post }, (answer) => {
        let text = ''
        answer.on('data', (part: Buffer) => (text += part.toString()))
        answer.on('end', () => resolve([answer.statusCode ?? 0, text]))
      })
      sending.on('error', reject)
      sending.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n')
      for (let n = 0; n < megabytes; n += 1) sending.write(Buffer.alloc(1_000_000, 'x'))
      sending.end('\r\n--b--\r\n')
    })
  const words = 'A file of a form may have 25 MB; larger ones are announced first.'
  expect((await send(1))[0]).toBe(401)
  expect(await send(30)).toEqual([413, expect.stringContaining(words)])
  expect(await send(30)).toEqual([413, expect.stringContaining(words)])
  expect((await send(1))[0]).toBe(401)
  agent.destroy()
})

test('who says that more comes than is ever read is answered at once, and connects again', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const startMs = Date.now()
  const status = await new Promise<number>((resolve, reject) => {
    const headers = { host: 'nowhere.test', 'content-length': '90000000' }
    const sending = request(
      { port, host: '127.0.0.1', agent, method: 'POST', path: '/', headers },
      (answer) => {
        resolve(answer.statusCode ?? 0)
        sending.destroy()
      },
    )
    sending.on('error', reject)
    sending.write(Buffer.alloc(10_000, 'x'))
  })
  expect(status).toBe(404)
  expect(Date.now() - startMs).toBeLessThan(3000)
  expect(await send(agent, { method: 'GET', host: 'nowhere.test', path: '/' })).toBe(404)
  agent.destroy()
})

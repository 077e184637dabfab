import { request as httpRequest } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Runs `putExactly` in workerd, where the runtime knows the length of a stream, and connections can break.
const size = 50_000_000
const piece = Buffer.alloc(1_000_000, 'a,b\n')
let worker: Miniflare
let origin: URL

beforeAll(async () => {
  const bundle = await build({
    stdin: {
      contents: `import { putExactly } from './functions/engine/media/put.ts'
        const outcomes = []
        export default { fetch: async (request, env) => {
          if (request.method === 'GET') return Response.json(outcomes)
          const key = new URL(request.url).pathname.slice(1)
          const length = Number(request.headers.get('x-size'))
          try {
            const isPut = await putExactly(env.FILES, key, request.body, length)
            outcomes.push(isPut)
            return Response.json(isPut)
          } catch (error) {
            outcomes.push(String(error))
            throw error
          }
        } }`,
      resolveDir: fileURLToPath(new URL('../../..', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    write: false,
  })
  worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'index.js', contents: bundle.outputFiles[0]?.text ?? '' }],
    compatibilityDate: '2026-04-01',
    r2Buckets: ['FILES'],
  })
  origin = await worker.ready
})
afterAll(() => worker.dispose())

/** Sends `pieces` pieces of a file announced as 50; then the connection is interrupted, or the file ends. */
function send(key: string, pieces: number, { breaks = false } = {}): Promise<string> {
  return new Promise((resolve) => {
    const headers = { 'x-size': size, 'content-length': breaks ? size : pieces * piece.length }
    const request = httpRequest(new URL(`/${key}`, origin), { method: 'PUT', headers }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve(text))
    })
    request.on('error', () => resolve('broken'))
    // After a response that came before the whole file was sent, the request no longer hears of its connection.
    request.on('socket', (socket) => socket.on('error', () => {}))
    let at = 0
    const writeNextPiece = () => {
      if (at === pieces) return breaks ? setTimeout(() => request.destroy(), 200) : request.end()
      at += 1
      request.write(piece, writeNextPiece)
    }
    writeNextPiece()
  })
}

const listObjects = async () => {
  const { objects } = await (await worker.getR2Bucket('FILES')).list()
  return objects.map(({ key, size: bytes }) => [key, bytes])
}

const outcomes = async () => (await (await fetch(origin)).json()) as unknown[]

test('an interrupted upload stores nothing, and the next one of the same file succeeds', async () => {
  expect(await send('half', 25, { breaks: true })).toBe('broken')
  await expect.poll(async () => (await outcomes()).length).toBe(1)
  expect(await listObjects()).toEqual([])
  expect(await send('half', 50)).toBe('true')
  expect(await listObjects()).toEqual([['half', size]])
})

test('a file shorter or longer than announced is not stored', async () => {
  // The stored outcome is checked, as the response may be lost if the connection ends before the file is
  // read.
  await send('short', 49)
  await expect.poll(async () => (await outcomes()).slice(2)).toEqual([false])
  await send('long', 51)
  await expect.poll(async () => (await outcomes()).slice(3)).toEqual([false])
  expect((await listObjects()).map(([key]) => key)).toEqual(['half'])
})

test('an interrupted upload does not replace an existing file', async () => {
  await send('half', 10, { breaks: true })
  await expect.poll(async () => (await outcomes()).length).toBe(5)
  expect(await listObjects()).toEqual([['half', size]])
})

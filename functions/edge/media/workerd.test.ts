import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uploadPath } from '#functions/engine/media/address.ts'
import { serveMedia } from './serve.ts'
import { acceptUpload } from '#functions/engine/media/store.ts'
import { jpeg, text } from './testing.ts'

// The same in workerd, with a real bucket: streams of a known length, hashed as they pass.
const secret = 'what addresses are signed with'
const fileId = '0b9c7f52-2f6c-4a3e-9a51-7d3f0f5a1c11'
const content = text(jpeg(40, 30), 'x'.repeat(3_000_000))
let worker: Miniflare
let origin: URL

beforeAll(async () => {
  const bundle = await build({
    stdin: {
      contents: `import { serveMedia } from './functions/edge/media/serve.ts'
        import { acceptUpload } from './functions/engine/media/store.ts'
        export default { async fetch(request, env) {
          const ports = { files: env.FILES, hubs: env.FILES, authSecret: ${JSON.stringify(secret)}, now: () => new Date(), fetchImage: null }
          const answer = await serveMedia(request, ports)
          if (answer) return answer
          const { id, size } = await request.json()
          try {
            const upload = await acceptUpload(env.FILES, { id, key: 'a/' + id, size }, { name: 'a.jpg', type: 'image/jpeg' })
            return Response.json(upload)
          } catch (error) { return Response.json({ kind: error.kind, said: String(error) }, { status: 400 }) }
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

const upload = () => ({
  fileId,
  type: 'image/jpeg',
  size: content.length,
  expiresAt: new Date(Date.now() + 60_000),
})
const headers = { 'content-type': 'image/jpeg' }

test('a file is uploaded, inspected, and served whole and in ranges', async () => {
  const url = new URL(await uploadPath(upload(), secret), origin)
  expect((await fetch(url, { method: 'PUT', body: content, headers })).status).toBe(200)
  expect((await fetch(new URL(`/m/${fileId}`, origin))).status).toBe(404)
  const body = JSON.stringify({ id: fileId, size: content.length })
  const response = await fetch(new URL('/confirm', origin), { method: 'POST', body })
  expect(await response.json()).toEqual({
    type: 'image/jpeg',
    width: 40,
    height: 30,
    hash: createHash('sha256').update(content).digest('hex'),
  })
  const whole = await fetch(new URL(`/m/${fileId}/a.jpg`, origin))
  expect(Buffer.compare(Buffer.from(await whole.arrayBuffer()), content)).toBe(0)
  const etag = whole.headers.get('etag') ?? ''
  const part = await fetch(new URL(`/m/${fileId}`, origin), {
    headers: { range: 'bytes=-100', 'if-range': etag },
  })
  expect([part.status, part.headers.get('content-length')]).toEqual([206, '100'])
  expect(await part.text()).toBe('x'.repeat(100))
  const conditionalResponse = await fetch(new URL(`/m/${fileId}`, origin), {
    headers: { 'if-none-match': etag },
  })
  expect(conditionalResponse.status).toBe(304)
})

test('another length than signed is rejected and stores nothing', async () => {
  // A short body, since the response comes before it is read.
  const short = content.slice(0, 100)
  const url = new URL(await uploadPath({ ...upload(), size: 99 }, secret), origin)
  const bucket = await worker.getR2Bucket('FILES')
  await bucket.delete(`c/${fileId}`)
  expect((await fetch(url, { method: 'PUT', body: short, headers })).status).toBe(413)
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(short)
      controller.close()
    },
  })
  const chunked = { method: 'PUT', body: stream, headers, duplex: 'half' } as RequestInit
  expect((await fetch(url, chunked)).status).toBe(411)
  expect(await bucket.head(`c/${fileId}`)).toBeNull()
})

test('the development server, which reaches the bucket from Node, behaves the same', async () => {
  const files = (await worker.getR2Bucket('FILES')) as unknown as R2Bucket
  const ports = { files, hubs: files, authSecret: secret, now: () => new Date(), fetchImage: null }
  const path = await uploadPath(upload(), secret)
  const init = {
    method: 'PUT',
    body: content,
    headers: { ...headers, 'content-length': String(content.length) },
  }
  expect((await serveMedia(new Request(new URL(path, origin), init), ports))?.status).toBe(200)
  const file = { id: fileId, key: `a/${fileId}`, size: content.length }
  expect(await acceptUpload(files, file, { name: 'a.jpg', type: '' })).toMatchObject({ width: 40 })
  const part = new Request(new URL(`/m/${fileId}`, origin), { headers: { range: 'bytes=-3' } })
  expect(await (await serveMedia(part, ports))?.text()).toBe('xxx')
})

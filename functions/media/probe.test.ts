import { Miniflare } from 'miniflare'
import { test, expect } from 'vitest'
import { uploadPath } from './address.ts'
import { serveMedia } from './serve.ts'
import { takeUpload, storeFile } from './store.ts'
import { png } from './testing.ts'
test('proxy', async () => {
  const mf = new Miniflare({ modules: true, script: 'export default { fetch() { return new Response() } }', compatibilityDate: '2026-04-01', r2Buckets: ['FILES'] })
  const files = (await mf.getR2Bucket('FILES')) as unknown as R2Bucket
  const id = '0b9c7f52-2f6c-4a3e-9a51-7d3f0f5a1c11'
  const ports = { files, secret: 's', now: () => new Date(), fetchImage: null }
  const upload = { fileId: id, type: 'image/png', size: png.length, expiresAt: new Date(Date.now() + 60000) }
  const path = await uploadPath(upload, 's')
  const r = await serveMedia(new Request('http://x' + path, { method: 'PUT', body: png, headers: { 'content-type': 'image/png', 'content-length': String(png.length) } }), ports)
  console.log('put', r?.status)
  console.log(await takeUpload(files, { id, key: 'a/' + id, size: png.length }, { name: 'a.png', type: 'image/png' }).catch((e) => e))
  const g = await serveMedia(new Request(`http://x/m/${id}`, { headers: { range: 'bytes=0-3' } }), ports)
  console.log(g?.status, new Uint8Array(await g!.arrayBuffer()))
  console.log(await storeFile(files, 'a/' + id, new File([png], 'x.png')).catch((e) => e))
  await mf.dispose()
})

import { beforeEach, expect, test } from 'vitest'
import { mediaPath, buildSignedPath, uploadPath, type Upload } from '#functions/engine/media/address.ts'
import { contentDisposition } from '#functions/engine/media/disposition.ts'
import { pendingUploadKey, buildStorageKey } from '#functions/engine/media/keys.ts'
import { imageSet, imageUrl } from '#functions/engine/media/presets.ts'
import { serveMedia, type MediaServices } from './serve.ts'
import { storeFile } from '#functions/engine/media/store.ts'
import { gif, png, svg, text } from './testing.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { Random } from '#functions/engine/query/differential/random.testing.ts'
import { isCrossSection } from '#functions/v1/testing/figures.testing.ts'

const id = '0b9c7f52-2f6c-4a3e-9a51-7d3f0f5a1c11'
const other = '1b9c7f52-2f6c-4a3e-9a51-7d3f0f5a1c12'
const secret = 'what addresses are signed with'
const noon = new Date('2026-11-21T12:00:00Z')
let ports: MediaServices

beforeEach(async () => {
  ports = {
    files: memoryBucket(),
    hubs: memoryBucket(),
    authSecret: secret,
    now: () => noon,
    fetchImage: null,
  }
  await storeFile(
    ports.files,
    buildStorageKey(id, 'library'),
    new File([png], 'map.png', { type: 'image/png' }),
  )
})

async function ask(path: string, init?: RequestInit): Promise<Response> {
  return (await serveMedia(new Request(`https://app.test${path}`, init), ports)) as Response
}

test('a file is served whole, with caching headers, and revalidates with 304', async () => {
  const whole = await ask(`/m/${id}/map.png`)
  expect(new Uint8Array(await whole.arrayBuffer())).toEqual(png)
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(png.length),
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    'content-disposition': `inline; filename="map.png"; filename*=UTF-8''map.png`,
  })
  const etag = whole.headers.get('etag') ?? ''
  const again = await ask(`/m/${id}`, { headers: { 'if-none-match': etag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const head = await ask(`/m/${id}`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    String(png.length),
    '',
  ])
})

test.each([
  ['bytes=0-7', 0, 8],
  ['bytes=10-', 10, png.length],
  ['bytes=-5', png.length - 5, png.length],
  ['bytes=0-999999', 0, png.length],
])('%s returns that range', async (range, from, to) => {
  const part = await ask(`/m/${id}`, { headers: { range } })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/${png.length}`)
  expect(new Uint8Array(await part.arrayBuffer())).toEqual(png.slice(from, to))
})

test('missing, unconfirmed and data files and invalid ids give 404', async () => {
  await ports.files.put(pendingUploadKey(other), png)
  await ports.files.put(buildStorageKey(other, 'source'), png)
  for (const path of [
    `/m/${other}`,
    '/m/photo',
    '/m/..%2fa',
    '/m/',
    `/m/c/${id}`,
    `/m/d/${other}`,
    `/m/${id.toUpperCase()}`,
  ])
    expect([path, (await ask(path)).status]).toEqual([path, 404])
  expect((await ask(`/m/${id}`, { headers: { range: 'bytes=9999-' } })).status).toBe(416)
  expect((await ask(`/m/${id}`, { method: 'POST' })).status).toBe(405)
  expect((await ask(`/m/upload/${id}`)).status).toBe(405)
  expect(await serveMedia(new Request('https://app.test/media-library'), ports)).toBeNull()
})

test('URLs signed with the previous secret are valid while it is accepted, and not after', async () => {
  await storeFile(
    ports.files,
    buildStorageKey(id, 'source'),
    new File(['a,b'], 'a.csv', { type: 'text/csv' }),
  )
  const until = new Date(noon.getTime() + 60_000)
  const path = await buildSignedPath({ id, name: 'a.csv' }, until, secret)
  const fresh = 'what addresses are signed with now'
  ports = { ...ports, authSecret: fresh, previousAuthSecret: secret }
  expect((await ask(path)).status).toBe(200)
  expect((await ask(await buildSignedPath({ id, name: 'a.csv' }, until, fresh))).status).toBe(200)
  expect((await uploadFile(await uploadPath(upload, secret), gif)).status).toBe(200)
  ports = { ...ports, previousAuthSecret: 'one that is neither of them' }
  expect((await ask(path)).status).toBe(403)
  expect((await uploadFile(await uploadPath(upload, secret), gif)).status).toBe(403)
})

test('the name in the URL is kept, with the extension of the type', async () => {
  const name = async (path: string) => (await ask(path)).headers.get('content-disposition')
  expect(await name(`/m/${id}`)).toContain('filename="map.png"')
  expect(await name(`/m/${id}/plan.PNG`)).toContain('filename="plan.PNG"')
  expect(await name(`/m/${id}/setup.exe`)).toContain('filename="setup.exe.png"')
  expect(await name(`/m/${id}/a%0d%0aset-cookie:x=1.png`)).toContain('filename="aset-cookie_x=1.png"')
  expect(await name(`/m/${id}/%E0%A4%A`)).toContain('filename="map.png"')
  const type = (await ask(`/m/${id}/x.html`)).headers.get('content-type')
  expect(type).toBe('image/png')
})

/** A header parsed by RFC 6266: the ASCII and the exact name. */
function parseDisposition(header: string) {
  const match =
    /^(inline|attachment); filename="((?:[^"\\]|\\.)*)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(header)
  if (!match) throw new Error(`No such header: ${header}`)
  return { plain: match[2] ?? '', exact: decodeURIComponent(match[3] ?? '') }
}

const names = isCrossSection ? 500 : 5000

test(`${names} random names give one file name each, without a path, and valid keys`, async () => {
  const random = new Random(7)
  const odd = [
    '"',
    "'",
    '\\',
    '/',
    ';',
    '%',
    '*',
    '\r\n',
    '\0',
    '..',
    '\u202e',
    '\ud800',
    '😀',
    'é',
    'ß',
    ' ',
    '(',
    ')',
    '.exe',
    '=',
  ]
  for (let round = 0; round < names; round++) {
    const name = Array.from({ length: 1 + random.below(20) }, () =>
      random.chance(0.5) ? random.pick(odd) : String.fromCharCode(random.below(0x10000)),
    ).join('')
    const response = await ask(mediaPath({ id, name }))
    expect([name, response.status]).toEqual([name, 200])
    const { plain, exact } = parseDisposition(response.headers.get('content-disposition') ?? '')
    expect(exact).toMatch(/^[^/\\\p{Cc}]+\.png$/u)
    expect(plain).toMatch(/^[\x20-\x7e]+\.png$/)
    expect(plain.length).toBe([...exact].reduce((length, character) => length + character.length, 0))
    for (const purpose of ['library', 'place', 'source'] as const)
      expect(buildStorageKey(crypto.randomUUID(), purpose)).toMatch(/^[0-9a-f/-]+$/)
    // A name without invalid characters is kept exactly by the header alone.
    const bare = name.replace(/\p{Surrogate}/gu, '') || 'file'
    expect(parseDisposition(contentDisposition('attachment', bare)).exact).toBe(bare)
    // The same as the uploaded name, which is stored as metadata and not in the key.
    const uploadId = crypto.randomUUID()
    await storeFile(
      ports.files,
      buildStorageKey(uploadId, 'library'),
      new File([png], name, { type: 'image/png' }),
    )
    const own = parseDisposition((await ask(`/m/${uploadId}`)).headers.get('content-disposition') ?? '')
    expect(own.exact).toMatch(/^[^/\\\p{Cc}]+\.png$/u)
  }
  const { objects } = await ports.files.list({ limit: 10_000 })
  expect(objects.length).toBeGreaterThan(names)
  expect(objects.filter(({ key }) => !/^[0-9a-f/-]+$/.test(key))).toEqual([])
})

const upload: Upload = {
  fileId: other,
  type: 'image/gif',
  size: gif.length,
  expiresAt: new Date(noon.getTime() + 60_000),
}
const uploadFile = (path: string, body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  ask(path, {
    method: 'PUT',
    body,
    headers: { 'content-type': 'image/gif', 'content-length': String(body.length), ...headers },
  })

test('an upload to the signed URL is accepted, and not served before it is confirmed', async () => {
  const path = await uploadPath(upload, secret)
  expect((await uploadFile(path, gif)).status).toBe(200)
  expect((await ports.files.head(pendingUploadKey(other)))?.size).toBe(gif.length)
  expect((await ask(`/m/${other}`)).status).toBe(404)
})

test('forged, altered and expired signatures are rejected', async () => {
  const path = await uploadPath(upload, secret)
  const altered = (name: string, value: string) => {
    const url = new URL(path, 'https://app.test')
    url.searchParams.set(name, value)
    return `${url.pathname}${url.search}`
  }
  const forged = [
    await uploadPath(upload, 'another secret'),
    altered('size', '99999'),
    altered('type', 'text/html'),
    altered('expires', String(noon.getTime() + 999_999)),
    altered('expires', 'Infinity'),
    altered('signature', ''),
    altered('signature', 'A'.repeat(43)),
    path.replace(other, id),
    path.replace(other, `..%2f${other}`),
    // A signature for reading does not allow writing.
    path.replace(
      /signature=.*/,
      (await buildSignedPath({ id: other, name: 'x' }, upload.expiresAt, secret)).replace(
        /.*signature/,
        'signature',
      ),
    ),
    await uploadPath({ ...upload, expiresAt: noon }, secret),
  ]
  for (const address of forged)
    expect([address, (await uploadFile(address, gif)).status]).toEqual([address, 403])
  expect((await ports.files.list({ prefix: 'c/' })).objects).toEqual([])
})

test('another type or length than signed is rejected, also with a false Content-Length', async () => {
  const path = await uploadPath(upload, secret)
  const longer = text(gif, 'x'.repeat(100))
  expect((await uploadFile(path, gif, { 'content-type': 'text/html' })).status).toBe(415)
  expect((await uploadFile(path, longer)).status).toBe(413)
  expect((await uploadFile(path, gif.slice(1))).status).toBe(400)
  expect((await uploadFile(path, longer, { 'content-length': String(gif.length) })).status).toBe(413)
  expect((await uploadFile(path, gif.slice(1), { 'content-length': String(gif.length) })).status).toBe(413)
  expect(
    (await ask(path, { method: 'PUT', body: gif, headers: { 'content-type': 'image/gif' } })).status,
  ).toBe(411)
  expect((await ports.files.list({ prefix: 'c/' })).objects).toEqual([])
})

test('a source’s file is served by signed URL until it expires, only as a download', async () => {
  const data = new File(['a,b\n1,2'], 'calls.csv', { type: 'text/csv' })
  await storeFile(ports.files, buildStorageKey(other, 'source'), data)
  const path = await buildSignedPath(
    { id: other, name: 'calls.csv' },
    new Date(noon.getTime() + 1000),
    secret,
  )
  const answer = await ask(path)
  expect([answer.status, await answer.text()]).toEqual([200, 'a,b\n1,2'])
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="calls.csv"/)
  for (const bad of [
    path.replace(other, id),
    path.replace(/expires=\d/, 'expires=9'),
    `/m/data/${other}/calls.csv`,
    `${path}x`,
  ])
    expect([bad, (await ask(bad)).status]).toEqual([bad, 403])
  ports = { ...ports, now: () => new Date(noon.getTime() + 1000) }
  expect((await ask(path)).status).toBe(403)
})

test('pictures are resized to presets only, in the best format the browser accepts', async () => {
  const requests: { url: string; image: unknown }[] = []
  const image = async (input: RequestInfo | URL, init?: RequestInit & { cf?: { image?: unknown } }) => {
    requests.push({ url: String(input), image: init?.cf?.image })
    return new Response('smaller', { headers: { 'content-type': 'image/webp', 'set-cookie': 'a=b' } })
  }
  ports = { ...ports, fetchImage: image as typeof fetch }
  const file = { id, name: 'map.png', type: 'image/png' }
  const response = await ask(imageUrl(file, 'card', 2), { headers: { accept: 'image/webp,*/*' } })
  expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([
    200,
    'smaller',
    'image/webp',
  ])
  expect([response.headers.get('vary'), response.headers.get('set-cookie')]).toEqual(['accept', null])
  expect(requests).toEqual([
    {
      url: `https://app.test/m/${id}/map.png`,
      image: { width: 480, dpr: 2, quality: 100, fit: 'scale-down', format: 'webp' },
    },
  ])
  for (const query of [
    'preset=huge',
    'preset=card&dpr=9',
    'dpr=2',
    'preset=constructor',
    'preset=card&dpr=1.5',
  ])
    expect([query, (await ask(`/m/${id}?${query}`)).status]).toEqual([query, 400])
  // The image service's own request for the original is not resized again.
  const original = await ask(imageUrl(file, 'card'), { headers: { via: '1.1 image-resizing-proxy' } })
  expect([original.headers.get('content-type'), requests.length]).toEqual(['image/png', 1])
})

test('without the image service, or when it fails, the original is served', async () => {
  const file = { id, name: 'map.png', type: 'image/png' }
  const failures = [
    null,
    () => Promise.reject(new Error('down')),
    async () => new Response('no', { status: 500 }),
  ]
  for (const fetchImage of failures) {
    ports = { ...ports, fetchImage }
    const response = await ask(imageUrl(file, 'thumb'))
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(png)
  }
})

test('URLs of pictures', () => {
  const photo = { id, name: 'a b.jpg', type: 'image/jpeg' }
  expect(imageUrl(photo, 'wide')).toBe(`/m/${id}/a%20b.jpg?preset=wide`)
  expect(imageSet(photo, 'thumb')).toBe(
    `/m/${id}/a%20b.jpg?preset=thumb 1x, /m/${id}/a%20b.jpg?preset=thumb&dpr=2 2x, /m/${id}/a%20b.jpg?preset=thumb&dpr=3 3x`,
  )
  const drawing = { id, name: 'a.svg', type: 'image/svg+xml' }
  expect([imageUrl(drawing, 'wide'), imageSet(drawing, 'wide')]).toEqual([`/m/${id}/a.svg`, undefined])
})

test('an SVG is only downloaded, and may have styles', async () => {
  await storeFile(
    ports.files,
    buildStorageKey(other, 'place'),
    new File([svg('<style>rect{fill:red}</style>')], 'a.svg'),
  )
  const { headers } = await ask(`/m/${other}/a.svg`)
  expect(headers.get('content-disposition')).toMatch(/^attachment/)
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  )
})

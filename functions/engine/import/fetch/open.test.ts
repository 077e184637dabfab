import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FetchError } from './errors.ts'
import { networkError } from './errors.ts'
import { open } from './open.ts'
import type { Caps, FetchRequest } from './ports.ts'
import { catchError, createFile, internet, readAll, type Internet } from './testing.ts'

let net: Internet
beforeEach(() => (net = internet()))
afterEach(() => net.close())

const { signal } = new AbortController()
const origin = 'https://data.example.org'
const url = `${origin}/file.csv`
const get = (caps: Partial<Caps> = {}, request: Partial<FetchRequest> = {}) =>
  open(net.ports, { url, ...request }, { caps, signal })

describe('Timeouts', () => {
  test('A server that hangs before its response is retried, and finally given up', async () => {
    const requests = await net.serve(origin, () => {})
    const error = await catchError(get({ answerMs: 300, attempts: 3 }))
    expect(error).toMatchObject({ code: 'timeout', message: 'Server took too long to respond', attempt: 3 })
    expect(requests.length).toBe(3)
  })

  test('One that hangs in the body too; what was read before is not lost', async () => {
    let times = 0
    await net.serve(origin, (_, response) => {
      response.writeHead(200, { 'content-length': 10 })
      if (times++ === 0) response.write('12345')
      else response.end('1234567890')
    })
    expect((await readAll(await get({ idleMs: 300 }))).toString()).toBe('1234567890')
    expect(times).toBe(2)
    await net.serve(origin, (_, response) => response.writeHead(200, { 'content-length': 10 }).write('12345'))
    const error = await catchError(get({ idleMs: 300, attempts: 2 }).then(readAll))
    expect(error).toMatchObject({
      code: 'timeout',
      diagnosis: 'The server stopped in the middle of its answer.',
    })
  })

  test('A slow stream ends at the total timeout', async () => {
    const requests = await net.serve(origin, (_, response) => {
      const timer = setInterval(() => response.write('x'), 10)
      response.on('close', () => clearInterval(timer))
    })
    const startMs = Date.now()
    const error = await catchError(get({ idleMs: 400, totalMs: 700 }).then(readAll))
    expect(error).toMatchObject({
      code: 'timeout',
      attempt: 1,
      diagnosis: expect.stringContaining('more time than there is') as string,
    })
    expect(Date.now() - startMs).toBeLessThan(5000)
    expect(requests.length).toBe(1)
  })

  test('Name servers that hang time out too', async () => {
    net.ports.resolve = () => new Promise(() => {})
    expect(await catchError(get({ answerMs: 20, attempts: 2 }))).toMatchObject({ code: 'timeout' })
  })

  test('Retries end at the total timeout', async () => {
    const requests = await net.serve(origin, (_, response) => response.writeHead(500).end())
    expect(await catchError(get({ totalMs: 10_000, attempts: 100 }))).toMatchObject({ status: 500 })
    // At 0, 1, 3 and 7 s; the next would be at 15 s.
    expect(requests.length).toBe(4)
  })

  test('Aborting takes effect at once: before the response, in the body and between retries', async () => {
    for (const handler of ['none', 'half', 'fault']) {
      const stop = new AbortController()
      await net.serve(origin, (_, response) => {
        if (handler === 'half') response.writeHead(200, { 'content-length': 9 }).write('x')
        if (handler === 'fault') response.writeHead(500).end()
        setTimeout(() => stop.abort(new Error('stopped')), 20)
      })
      net.ports.sleep = (_, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
      const reading = open(net.ports, { url }, { signal: stop.signal }).then(readAll)
      expect(await catchError(reading)).toMatchObject({ message: 'stopped' })
    }
  })

  test('Ending the iteration closes the connection', async () => {
    let isClosed = false
    await net.serve(origin, (_, response) => {
      response.on('close', () => (isClosed = true))
      response.write('x')
    })
    for await (const chunk of (await get()).bytes) {
      expect(chunk.length).toBe(1)
      break
    }
    await expect.poll(() => isClosed).toBe(true)
    isClosed = false
    const openedFile = await get()
    openedFile.close()
    await expect.poll(() => isClosed).toBe(true)
  })
})

describe('Size limits', () => {
  test('An endless body ends at the limit', async () => {
    let sentBytes = 0
    await net.serve(origin, (_, response) => {
      const writeChunks = () => {
        while (response.write(Buffer.alloc(65_536))) sentBytes += 65_536
      }
      response.on('drain', writeChunks)
      writeChunks()
    })
    const error = await catchError(get({ bytes: 5 * 2 ** 20 }).then(readAll))
    expect(error).toMatchObject({
      code: 'tooLarge',
      message: 'The file is larger than 5 MB, the most that is read.',
    })
    expect(sentBytes).toBeLessThan(40 * 2 ** 20)
    expect(net.slept).toEqual([])
  })

  test('A content-length above the limit is rejected without reading', async () => {
    const requests = await net.serve(origin, (_, response) => {
      response.writeHead(200, { 'content-length': 10 ** 12 }).flushHeaders()
    })
    expect(await catchError(get().then(readAll))).toMatchObject({ code: 'tooLarge' })
    expect(requests.length).toBe(1)
  })

  test.each([true, false])('A gzip bomb, with a content-length: %s', async (isSaid) => {
    const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20))
    await net.serve(origin, (_, response) => {
      response.writeHead(200, {
        'content-encoding': 'gzip',
        ...(isSaid && { 'content-length': bomb.length }),
      })
      response.end(bomb)
    })
    const before = process.memoryUsage().rss
    let came = 0
    const error = await catchError(
      (async () => {
        for await (const chunk of (await get({ bytes: 32 * 2 ** 20 })).bytes) came += chunk.length
      })(),
    )
    const limit = isSaid ? /packed more than 200 to 1/ : /larger than 32 MB/
    expect(error).toMatchObject({ code: 'tooLarge', message: expect.stringMatching(limit) as string })
    expect(came).toBeLessThanOrEqual(isSaid ? 200 * bomb.length : 32 * 2 ** 20)
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20)
  })

  test('A gzip body is decompressed, also after an interruption', async () => {
    const file = Buffer.from('name,value\n'.repeat(50_000))
    const packed = gzipSync(file, { level: 1 })
    let times = 0
    const requests = await net.serve(origin, (_, response) => {
      const headers = { etag: '"v1"', 'accept-ranges': 'bytes', 'content-length': packed.length }
      response.writeHead(200, { ...headers, 'content-encoding': 'gzip' })
      if (times++ > 0) response.end(packed)
      else response.write(packed.subarray(0, packed.length / 2), () => response.socket?.destroySoon())
    })
    const openedFile = await get()
    expect(openedFile.length).toBeNull()
    expect((await readAll(openedFile)).equals(file)).toBe(true)
    // A range of the compressed file is not a range of the decompressed one.
    expect(requests.map(({ headers }) => headers.range)).toEqual([undefined, undefined])
  })

  test('A damaged gzip body is an error', async () => {
    await net.serve(origin, (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip at all')
    })
    expect(await catchError(get().then(readAll))).toMatchObject({ code: 'damaged' })
  })
})

describe('Retries', () => {
  test.each([408, 420, 429, 444, 449, 499, 500, 501, 502, 503, 504, 507, 599])(
    'status %i is retried',
    async (status) => {
      let times = 0
      await net.serve(origin, (_, response) => {
        if (times++ < 3) response.writeHead(status).end('secret body')
        else response.end('good')
      })
      expect((await readAll(await get())).toString()).toBe('good')
      expect(net.slept).toEqual([1000, 2000, 4000])
    },
  )

  test.each([
    [400, 'Bad Request'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'Not Found'],
    [410, 'Gone'],
    [422, 'Unprocessable Content'],
    [304, 'Not Modified'],
    [302, 'Found'],
    [206, 'Partial Content'],
    [418, 'Status 418'],
  ])('status %i is not retried', async (status, words) => {
    const requests = await net.serve(origin, (_, response) => {
      response.writeHead(status, 'words of theirs').end('secret body')
    })
    const error = await catchError(get())
    expect(error).toMatchObject({
      code: 'status',
      status,
      message: `Server responded with "${words}"`,
      attempt: 1,
      url,
    })
    expect(JSON.stringify(error)).not.toMatch(/secret body|words of theirs/)
    expect(requests.length).toBe(1)
  })

  test('A permanent server error is retried up to ten attempts', async () => {
    const requests = await net.serve(origin, (_, response) => response.writeHead(503).end())
    expect(await catchError(get())).toMatchObject({ status: 503, isTemporary: true, attempt: 10 })
    expect(requests.length).toBe(10)
  })

  test('The delay varies between half and the whole of a step', async () => {
    await net.serve(origin, (_, response) => response.writeHead(503).end())
    net.ports.random = () => 0
    await catchError(get())
    expect(net.slept).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  })

  test('Retry-After is respected: seconds or a date, but not one in the past', async () => {
    const date = new Date(Date.now() + 90_000).toUTCString()
    const retryAfterValues = ['7', date, 'Mon, 01 Jan 2001 00:00:00 GMT', 'soon', '-5']
    await net.serve(origin, (_, response) => {
      const next = retryAfterValues.shift()
      if (next === undefined) response.end('good')
      else response.writeHead(429, { 'retry-after': next }).end()
    })
    expect((await readAll(await get())).toString()).toBe('good')
    expect(net.slept[0]).toBe(7000)
    // 7 s of the 90 have been skipped.
    expect(net.slept[1]).toBeGreaterThan(75_000)
    expect(net.slept[1]).toBeLessThanOrEqual(83_000)
    expect(net.slept.slice(2)).toEqual([4000, 8000, 16_000])
  })

  test('Retry-After beyond the time limit is an error with the delay', async () => {
    const requests = await net.serve(origin, (_, response) => {
      response.writeHead(503, { 'retry-after': '999999999' }).end()
    })
    expect(await catchError(get())).toMatchObject({ status: 503, retryAfterMs: 24 * 3600_000 })
    expect(requests.length).toBe(1)
  })

  test('Connection refused, reset, no TLS, no HTTP', async () => {
    const free = createServer()
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve))
    const { port } = free.address() as AddressInfo
    const to = (address: string) => (net.ports.fetch = (_, init) => fetch(address, init))
    let answer: string | null = null
    free.on('connection', (socket) => {
      socket.on('error', () => {}).resume()
      if (answer === null) socket.resetAndDestroy()
      else socket.end(answer)
    })
    to(`http://127.0.0.1:${port}/`)
    expect(await catchError(get())).toMatchObject({ code: 'lost', attempt: 10 })
    answer = 'SSH-2.0-OpenSSH_9\r\n'
    expect(await catchError(get())).toMatchObject({ code: 'lost' })
    to(`https://127.0.0.1:${port}/`)
    expect(await catchError(get())).toMatchObject({ code: 'certificate', attempt: 1 })
    await new Promise((resolve) => free.close(resolve))
    to(`http://127.0.0.1:${port}/`)
    const error = await catchError(get())
    expect(error).toMatchObject({ code: 'connect', message: 'Failed to connect to server', attempt: 10 })
  })

  test.each([
    ['CERT_HAS_EXPIRED', 'certificate'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
    ["TLS peer's certificate is not trusted; reason = self signed certificate", 'certificate'],
    ['ENOTFOUND', 'dns'],
    ['DNS lookup failed.', 'dns'],
    ['Network connection lost.', 'lost'],
    ['ECONNREFUSED', 'connect'],
    ['connect(): Connection refused', 'connect'],
    ['EHOSTUNREACH', 'connect'],
    ['internal error; reference = abc', 'connect'],
    ['ETIMEDOUT', 'timeout'],
  ])('%s of a runtime is classified as %s', (words, code) => {
    expect(networkError(new TypeError('fetch failed', { cause: new Error(words) }), false).code).toBe(code)
  })

  test.each([
    [525, 'certificate'],
    [530, 'dns'],
    [522, 'timeout'],
    [521, 'connect'],
  ])('%i of a proxy before the server is classified as %s', async (status, code) => {
    await net.serve(origin, (_, response) => response.writeHead(status).end())
    expect(await catchError(get({ attempts: 1 }))).toMatchObject({ code })
  })
})

describe('What is reported', () => {
  test('URLs with secrets masked, by value and by name', async () => {
    await net.serve(origin, ({ url = '' }, response) => {
      if (url.startsWith('/file'))
        response.writeHead(302, { location: '/in/top%20secret/?next=top+secret&n=1' }).end()
      else response.writeHead(404).end()
    })
    const request = { url: `${url}?q=top%20secret&api_key=visible&n=1`, secrets: ['top secret'] }
    const error = (await catchError(get({}, request))) as FetchError
    expect(error.url).toBe(`${origin}/in/***/?next=***&n=1`)
    // In a spelling of the server's own, or as a name.
    await net.serve(origin, ({ url = '' }, response) => {
      if (url.startsWith('/file'))
        response.writeHead(302, { location: '/in/t%6Fp%20secret/?top%20secret&n=1' }).end()
      else response.writeHead(404).end()
    })
    expect(((await catchError(get({}, request))) as FetchError).url).toBe(`${origin}/***?***&n=1`)
    await net.serve(origin, (_, response) => response.end('x'))
    expect((await get({}, request)).url).toBe(`${url}?q=***&api_key=***&n=1`)
  })

  test('An HTML page instead of data is an error, a login page a special one', async () => {
    const pages = [
      ['<!DOCTYPE html><title>x</title>', 'text/html', 'Open the address in a browser'],
      ['\uFEFF \n<!-- a --><HTML lang=de><input type="password">', 'text/html', 'a page to log in at'],
      ['<html>', 'text/csv', 'Open the address'],
      ['<?xml version="1.0"?><html xmlns="x">', 'application/xhtml+xml', 'Open the address'],
    ] as const
    for (const [page, type, words] of pages) {
      await net.serve(origin, (_, response) => response.writeHead(200, { 'content-type': type }).end(page))
      const error = await catchError(get().then(readAll))
      expect(error).toMatchObject({
        code: 'page',
        url,
        message: 'Server responded with a web page in place of data',
      })
      expect((error as FetchError).diagnosis).toContain(words)
      expect((await readAll(await get({}, { isPage: true }))).toString()).toBe(page)
    }
  })

  test.each([
    '',
    '<',
    '   ',
    'a,b\n1,2',
    '<!-- only -->',
    '<kml></kml>',
    '<?xml version="1.0"?><gpx/>',
    '<hr/>',
    ' \n'.repeat(9000),
  ])('Data served as text/html are data: %j', async (data) => {
    await net.serve(origin, (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(data),
    )
    expect((await readAll(await get())).toString()).toBe(data)
  })

  test('The metadata of the response', async () => {
    const file = createFile(100)
    const requests = await net.serve(origin, (_, response) => {
      const modified = 'Sat, 21 Nov 2026 08:00:00 GMT'
      response.writeHead(200, { etag: '"a"', 'last-modified': modified, 'content-length': 100 }).end(file)
    })
    const openedFile = await get()
    expect(openedFile).toMatchObject({
      status: 200,
      url,
      validator: '"a"',
      lastModified: 'Sat, 21 Nov 2026 08:00:00 GMT',
      length: 100,
    })
    expect(requests[0]?.headers).toMatchObject({ 'accept-encoding': 'identity', accept: '*/*' })
    openedFile.close()
  })
})

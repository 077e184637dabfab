import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { open } from './open.ts'
import {
  catchError,
  createFile,
  flaky,
  internet,
  readAll,
  type FlakyOptions,
  type Internet,
} from './testing.ts'

let net: Internet
beforeEach(() => (net = internet()))
afterEach(() => net.close())

const signal = new AbortController().signal
const url = 'https://data.example.org/file.csv'
const get = (caps = {}) => open(net.ports, { url }, { caps, signal })
const serve = (flaws: FlakyOptions) => net.serve('https://data.example.org', flaky(flaws))
const file = createFile(60_000)
const every4kB = Array<number>(14).fill(4096)

describe('A connection that is lost', () => {
  test('every 4 kB, with range support: each attempt continues where the last one ended', async () => {
    const requests = await serve({ file, cuts: every4kB, etag: '"v1"', takesRanges: true })
    expect((await readAll(await get())).equals(file)).toBe(true)
    expect(requests.length).toBe(15)
    expect(requests.slice(1).every(({ headers }) => headers['if-range'] === '"v1"')).toBe(true)
    expect(requests[2]?.headers.range).toBe('bytes=8192-')
    // Each attempt made progress, so the waiting time never grew.
    expect(new Set(net.slept)).toEqual(new Set([1000]))
  })

  test('a little later each time, without range support: reads all again and returns only what is new', async () => {
    const requests = await serve({ file, cuts: every4kB.map((size, i) => size * (i + 1)) })
    expect((await readAll(await get())).equals(file)).toBe(true)
    expect(requests.length).toBe(15)
    expect(requests.every(({ headers }) => headers.range === undefined)).toBe(true)
  })

  test('always at the same byte, without range support: an error after ten attempts, never a truncated file', async () => {
    const requests = await serve({ file, cuts: Array<number>(30).fill(4096) })
    const error = await catchError(get().then(readAll))
    expect(error).toMatchObject({ code: 'lost', message: 'Connection to server was lost', attempt: 10, url })
    expect(requests.length).toBe(10)
    expect(net.slept).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
  })

  test('within chunks without a content-length is resumed', async () => {
    await serve({ file, cuts: [0, 4096, 10_000, 59_999], isChunked: true })
    expect((await readAll(await get())).equals(file)).toBe(true)
  })

  test('anywhere, any number of times, with and without range support: returns the whole file', async () => {
    const flaws = fc.record({
      size: fc.integer({ min: 0, max: 900_000 }),
      cuts: fc.array(fc.integer({ min: 0, max: 900_000 }), { maxLength: 8 }),
      takesRanges: fc.boolean(),
      isChunked: fc.boolean(),
      etag: fc.constantFrom(undefined, '"v1"', 'W/"v1"'),
    })
    await fc.assert(
      fc.asyncProperty(flaws, async ({ size, ...rest }) => {
        const bytes = createFile(size, size + 1)
        await serve({ ...rest, file: bytes })
        expect((await readAll(await get())).equals(bytes)).toBe(true)
      }),
      { numRuns: 40 },
    )
  })
})

describe('A file that changes while it is read', () => {
  const other = createFile(60_000, 2)
  const turning = (first: Buffer, second: Buffer) => {
    let requestCount = 0
    return { file: () => (requestCount > 0 ? second : first), etag: () => `"v${requestCount++ ? 2 : 1}"` }
  }

  test.each([true, false])(
    'is an error that requires a restart, with range support: %s',
    async (takesRanges) => {
      const requests = await serve({ ...turning(file, other), cuts: [20_000], takesRanges })
      const error = await catchError(get().then(readAll))
      expect(error).toMatchObject({ code: 'changed', message: 'The file changed while it was read.' })
      expect(requests.length).toBe(2)
    },
  )

  test('is an error even if the new version is interrupted before it could be compared: versions are not mixed', async () => {
    const requests = await serve({ ...turning(file, other), cuts: [20_000, 5000], takesRanges: true })
    expect(await catchError(get().then(readAll))).toMatchObject({ code: 'changed' })
    // No range is requested of a version that was not compared.
    expect(requests.map(({ headers }) => headers['if-range'])).toEqual([undefined, '"v1"', undefined])
  })

  test('far from its beginning, or becomes shorter, is an error', async () => {
    const long = createFile(700_000)
    const flipped = Buffer.from(long)
    flipped[599_999] = (flipped[599_999] ?? 0) ^ 1
    for (const now of [flipped, long.subarray(0, 500_000)]) {
      await serve({ ...turning(long, now), cuts: [600_000] })
      expect(await catchError(get().then(readAll))).toMatchObject({ code: 'changed' })
    }
  })

  test('after the part that was read is returned as the new file', async () => {
    const now = Buffer.concat([file.subarray(0, 20_000), other])
    await serve({ ...turning(file, now), cuts: [20_000], takesRanges: true })
    expect((await readAll(await get())).equals(now)).toBe(true)
  })

  test.each([
    ['another version', { etag: '"v2"', 'content-range': 'bytes 20000-59999/60000' }],
    ['another place', { etag: '"v1"', 'content-range': 'bytes 19999-59999/60000' }],
    ['another length', { etag: '"v1"', 'content-range': 'bytes 20000-59999/70000' }],
    ['no version', { 'content-range': 'bytes 20000-59999/60000' }],
    ['no place', { etag: '"v1"' }],
  ])(
    'A partial response with %s is not used: the file is read again from its beginning',
    async (_, headers) => {
      let isFirst = true
      await net.serve('https://data.example.org', (request, response) => {
        if (request.headers.range) return response.writeHead(206, headers).end(other.subarray(20_000))
        response.writeHead(200, { etag: '"v1"', 'accept-ranges': 'bytes', 'content-length': 60_000 })
        if (!isFirst) return response.end(file)
        isFirst = false
        return response.write(file.subarray(0, 20_000), () => response.socket?.destroySoon())
      })
      expect((await readAll(await get())).equals(file)).toBe(true)
    },
  )
})

describe('Resuming in a later run', () => {
  const rest = (byte: number, validator: string) =>
    open(net.ports, { url }, { signal, from: { byte, validator } })

  test.each([true, false])('returns the rest of the bytes, with range support: %s', async (takesRanges) => {
    await serve({ file, cuts: [3000, 40_000], etag: '"v1"', takesRanges })
    const openedFile = await rest(12_345, '"v1"')
    expect(openedFile.validator).toBe('"v1"')
    expect((await readAll(openedFile)).equals(file.subarray(12_345))).toBe(true)
  })

  test.each([true, false])(
    'is an error if the file is another one, with range support: %s',
    async (takesRanges) => {
      await serve({ file, cuts: [], etag: '"v2"', takesRanges })
      expect(await catchError(rest(12_345, '"v1"'))).toMatchObject({ code: 'changed' })
    },
  )

  test('is not possible without a strong validator', async () => {
    await serve({ file, cuts: [], etag: 'W/"v1"' })
    expect((await get()).validator).toBeNull()
  })
})

describe('A wrong content-length', () => {
  test('that is too large: an error, never a truncated file', async () => {
    const requests = await net.serve('https://data.example.org', (_, response) => {
      response.writeHead(200, { 'content-length': 70_000 })
      response.write(file, () => response.socket?.destroySoon())
    })
    expect(await catchError(get().then(readAll))).toMatchObject({ code: 'lost' })
    expect(requests.length).toBe(10)
  })

  test('that is too small: the response ends there, and further bytes are ignored', async () => {
    await net.serve('https://data.example.org', (_, response) => {
      response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello, world`)
    })
    const came = await get()
      .then(readAll)
      .catch((error: unknown) => error)
    // The runtime returns five bytes or an error, never more.
    if (came instanceof Buffer) expect(came.toString()).toBe('hello')
    else expect(came).toMatchObject({ code: 'lost' })
  })

  test.each([5, 15])('of 10 bytes for a body of %i, which the runtime does not notice', async (length) => {
    const answer = (bytes: number) =>
      new Response(new Uint8Array(bytes), { headers: { 'content-length': '10' } })
    net.ports.fetch = async () => answer(length)
    expect(await catchError(get().then(readAll))).toMatchObject({ code: 'lost', attempt: 10 })
    // Shorter the second time: that is a lost connection too, not another file.
    const lengths = [8, length, 10]
    net.ports.fetch = async () => answer(lengths.shift() ?? 0)
    expect((await readAll(await get())).length).toBe(10)
  })
})

import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { open } from './open.ts'
import type { FetchRequest } from './ports.ts'
import { catchError, internet, readAll, type Internet } from './testing.ts'

let net: Internet
/** A server on this machine that no request may reach. */
const canary = { port: 0, connections: 0, close: async () => {} }

beforeEach(async () => {
  net = internet()
  canary.connections = 0
  const server = createServer((socket) => {
    canary.connections++
    socket.resume().end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret')
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  canary.port = (server.address() as AddressInfo).port
  canary.close = () => new Promise((resolve) => server.close(() => resolve()))
})
afterEach(async () => {
  await Promise.all([net.close(), canary.close()])
})

const signal = new AbortController().signal
const origin = 'https://data.example.org'
const get = (request: Partial<FetchRequest> = {}) =>
  open(net.ports, { url: `${origin}/file`, ...request }, { signal })
const redirectTo = (location: string | string[], status = 302, from = origin) => {
  const targets = [location].flat()
  return net.serve(from, (_, response) => {
    const next = targets.length > 1 ? targets.shift() : targets[0]
    response.writeHead(status, { location: next }).end()
  })
}

describe('Private networks', () => {
  const hosts = [
    '169.254.169.254',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '017700000001',
    '0x7f.0.0.1',
    '0177.0.0.01',
    '10.1.2.3',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[fd00:ec2::254]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    'localhost',
    'localhost.',
    'metadata.google.internal',
    '127.0.0.1.nip.io',
    'user:password@127.0.0.1',
  ]

  test.each(hosts)('a redirect to %s is not followed', async (host) => {
    await redirectTo(`http://${host}:${canary.port}/latest/meta-data/`)
    expect(await catchError(get())).toMatchObject({ code: 'refused', message: 'Failed to connect to server' })
    // Nor where the port would be one that is read.
    await redirectTo(`http://${host}/latest/meta-data/`)
    const error = await catchError(get())
    expect(error).toMatchObject({ code: 'refused', isTemporary: false })
    expect((error as { diagnosis: string }).diagnosis).toMatch(
      /^The server redirects to an address that is not read\. /,
    )
    expect(canary.connections).toBe(0)
    expect(net.slept).toEqual([])
  })

  test.each([...hosts, '１２７.0.0.1'])('a request to %s is not sent', async (host) => {
    for (const url of [`http://${host}:${canary.port}/`, `http://${host}/`])
      expect(await catchError(get({ url }))).toMatchObject({ code: 'refused' })
    expect(canary.connections).toBe(0)
  })

  test.each([
    ['127.0.0.1', ['127.0.0.1']],
    ['the cloud', ['169.254.169.254']],
    ['one public and one private address', ['93.184.216.34', '10.0.0.1']],
    ['a private IPv6 address', ['93.184.216.34', 'fd00::1']],
    ['an IPv4 address within IPv6', ['::ffff:7f00:1']],
    ['no address', ['not an address']],
  ])('A name of %s is rejected', async (_, addresses) => {
    net.names.set('data.example.org', addresses)
    const requests = await net.serve(origin, (_, response) => response.end('x'))
    const error = await catchError(get())
    expect(error).toMatchObject({
      code: 'refused',
      diagnosis: 'The address must not lead into a private network.',
      url: `${origin}/file`,
    })
    expect(requests.length).toBe(0)
  })

  test('DNS rebinding: a name that is public at first and private later is rejected', async () => {
    net.names.set('data.example.org', [['93.184.216.34'], ['127.0.0.1']])
    let requests = await net.serve(origin, (_, response) => response.writeHead(503).end())
    expect(await catchError(get())).toMatchObject({ code: 'refused' })
    expect(requests.length).toBe(1)
    // By a redirect to itself.
    net.names.set('data.example.org', [['93.184.216.34'], ['127.0.0.1']])
    requests = await redirectTo('/again')
    expect(await catchError(get())).toMatchObject({ code: 'refused' })
    expect(requests.length).toBe(1)
    // In the middle of a file.
    net.names.set('data.example.org', [['93.184.216.34'], ['127.0.0.1']])
    requests = await net.serve(origin, (_, response) => {
      response.writeHead(200, { 'content-length': 10 })
      response.write('12345', () => response.socket?.destroySoon())
    })
    expect(await catchError(get().then(readAll))).toMatchObject({ code: 'refused' })
    expect(requests.length).toBe(1)
  })

  test.each([
    'ftp://data.example.org/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'http://data.example.org:25/',
    'gopher:x',
  ])('A redirect to %s is rejected', async (location) => {
    await redirectTo(location)
    expect(await catchError(get())).toMatchObject({ code: 'refused' })
  })
})

describe('Names', () => {
  test('that do not resolve are an error at once', async () => {
    net.names.set('data.example.org', [])
    expect(await catchError(get())).toMatchObject({ code: 'dns', message: 'Failed to resolve server host' })
    expect(net.slept).toEqual([])
  })

  test('are looked up again after a temporary error', async () => {
    let fails = 3
    const { resolve } = net.ports
    net.ports.resolve = async (...args) => {
      if (fails-- > 0) throw new Error('no answer')
      return resolve(...args)
    }
    await net.serve(origin, (_, response) => response.end('x'))
    expect((await readAll(await get())).toString()).toBe('x')
    expect(net.slept.length).toBe(3)
  })
})

describe('Redirects', () => {
  test('are followed five times at most', async () => {
    let requests = await redirectTo(['/1', '/2', '/3', '/4', '/5', '/6'])
    expect(await catchError(get())).toMatchObject({
      code: 'redirects',
      diagnosis: 'The server redirects more than 5 times.',
      url: `${origin}/5`,
    })
    expect(requests.length).toBe(6)
    requests = await redirectTo('/file')
    expect(await catchError(get())).toMatchObject({ code: 'redirects' })
    expect(requests.length).toBe(6)
    requests = await net.serve(origin, ({ url = '' }, response) => {
      const step = Number(url.slice(1)) || 0
      if (step < 5) response.writeHead(307, { location: `${step + 1}` }).end()
      else response.end('there')
    })
    const openedFile = await get()
    expect(openedFile.url).toBe(`${origin}/5`)
    expect((await readAll(openedFile)).toString()).toBe('there')
    expect(net.lookedUp.length).toBe(6 + 6 + 6)
  })

  test('are followed to paths with unencoded non-ASCII characters', async () => {
    const requests = await net.serve(origin, ({ url }, response) => {
      if (url !== '/file') return response.end('x')
      const location = Buffer.from('/données/café.csv').toString('latin1')
      return response.writeHead(302, { location }).end()
    })
    expect((await get()).url).toBe(`${origin}/donn%C3%A9es/caf%C3%A9.csv`)
    expect(requests.length).toBe(2)
  })

  test('keep cookies for the origin that sets them', async () => {
    const requests = await net.serve(origin, ({ url, headers }, response) => {
      if (url === '/file') {
        response.setHeader('set-cookie', ['session=1; Path=/; HttpOnly', 'theme=new', 'old=; Max-Age=0'])
        return response.writeHead(302, { location: '/in' }).end()
      }
      return response.end(headers.cookie)
    })
    const openedFile = await get({ headers: { cookie: 'theme=dark; a=b' } })
    expect((await readAll(openedFile)).toString()).toBe('a=b; session=1; theme=new')
    expect(requests[0]?.headers.cookie).toBe('theme=dark; a=b')
  })

  const request = {
    url: `${origin}/file?key=s3cret-key&page=1`,
    secrets: ['s3cret-key', 'abcdef'],
    headers: {
      authorization: 'Bearer abcdef',
      cookie: 'session=1',
      'x-custom': 'y',
      'accept-language': 'de',
    },
  }

  test('do not send credentials to another origin, nor back again', async () => {
    const other = 'https://files.example.net'
    await redirectTo(`${other}/file?key=s3cret-key&page=1&signature=of-theirs`)
    const requests = await redirectTo(`${origin}/file?round=2`, 302, other)
    await catchError(get(request))
    const { headers, url } = requests[0] ?? {}
    expect(url).toBe('/file?page=1&signature=of-theirs')
    expect(headers?.['accept-language']).toBe('de')
    for (const name of ['authorization', 'cookie', 'x-custom']) expect(headers).not.toHaveProperty(name)
    expect(JSON.stringify(requests.map((each) => [each.url, each.headers]))).not.toMatch(/s3cret-key|abcdef/)
  })

  test.each([
    ['another port', `${origin}:8443/file`],
    ['http', 'http://data.example.org/file'],
    ['another name of the same domain', 'https://www.data.example.org/file'],
  ])('treat %s as another origin', async (_, location) => {
    await redirectTo(location)
    const requests = await net.serve(new URL(location).origin, ({ headers }, response) =>
      response.end(headers.authorization),
    )
    const isDowngrade = location.startsWith('http:')
    const openedFile = isDowngrade ? await get() : await get(request)
    expect((await readAll(openedFile)).toString()).toBe('')
    expect(requests.length).toBe(1)
    if (isDowngrade) {
      expect(await catchError(get(request))).toMatchObject({
        code: 'redirects',
        url: `${origin}/file?key=***&page=1`,
      })
      const { url, secrets } = request
      expect(await catchError(get({ url, secrets }))).toMatchObject({ code: 'redirects' })
      expect(requests.length).toBe(1)
    }
  })

  test('with a secret in their path are not followed', async () => {
    const requests = await net.serve('https://files.example.net', (_, response) => response.end())
    for (const path of ['s3cret-key/file', 's3cret%2Dkey/file', 'file?to=/in/s3cret-key']) {
      await redirectTo(`https://files.example.net/${path}`)
      const error = await catchError(get(request))
      expect(error).toMatchObject({ code: 'redirects' })
      expect(JSON.stringify(error)).not.toContain('s3cret-key')
    }
    expect(requests.length).toBe(0)
  })

  test('of a POST are not followed to another origin, nor turned into a GET', async () => {
    const requests = await net.serve('https://files.example.net', (_, response) => response.end())
    const form = { client_secret: 'abcdef' }
    await redirectTo('https://files.example.net/', 307)
    expect(await catchError(get({ form }))).toMatchObject({ code: 'redirects' })
    await redirectTo('/elsewhere', 302)
    expect(await catchError(get({ form }))).toMatchObject({ code: 'redirects' })
    expect(requests.length).toBe(0)
  })

  test('to a server that requires credentials are reported as such', async () => {
    await redirectTo('https://files.example.net/')
    await net.serve('https://files.example.net', (_, response) => response.writeHead(401).end())
    const error = await catchError(get(request))
    expect(error).toMatchObject({ status: 401, message: 'Server responded with "Unauthorized"' })
    expect(String((error as { diagnosis: unknown }).diagnosis)).toContain('give the address it redirects to')
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requireGoodImporter } from './check.ts'
import { step } from './job/step.ts'
import { openImporterFixture, origin, type ImporterFixture } from './job/testing.ts'
import { fetchPorts } from './ports.ts'
import { test as tryOut } from './try.ts'
import { checkCertificate } from '#functions/domain/hostname/domain-proof.ts'
import { send } from '#functions/domain/observer/webhook.ts'
import { requireTellable } from '#functions/domain/observer/observers-check.ts'
import { settings, type TestContext } from '#db/worlds/world.ts'
import { pages } from '#functions/engine/import/fetch/index.ts'
import { hostileUrls } from '#functions/engine/import/hostile-urls.testing.ts'
import type { ImporterSource } from '#functions/shapes/importer-source.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

// All connections are redirected to a server on this machine, whatever their address and port: it counts
// those that were made.
let bed: ImporterFixture
let ctx: TestContext
const canary = { port: 0, connections: 0, close: () => {} }
/** The addresses of names; others have a public address. */
const names = new Map<string, string[]>()
const outsidePublic = '93.184.216.34'
const urls = [...new Set(hostileUrls)]
/**
 * Connections to this machine in all tests except that of the canary itself, and the number of tried URLs.
 */
const total = { connections: 0, tries: 0 }

const outside: typeof fetch = async (input, init) => {
  const url = new URL(String(input))
  if (url.hostname === 'dns.test') {
    const addresses = names.get(url.searchParams.get('name') ?? '') ?? [outsidePublic]
    const type = Number(url.searchParams.get('type'))
    const Answer = addresses
      .filter((data) => data.includes(':') === (type === 28))
      .map((data) => ({ type, data }))
    return Response.json({ Status: 0, Answer })
  }
  if (bed.net.findPort(url.origin) !== undefined) return bed.net.ports.fetch(input, init)
  return fetch(`http://127.0.0.1:${canary.port}/`, { ...init, body: undefined, method: 'GET' })
}

beforeAll(async () => {
  bed = await openImporterFixture()
  const server = createServer((socket) => {
    canary.connections += 1
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 11\r\nconnection: close\r\n\r\nid\nsecret-1\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  canary.port = (server.address() as AddressInfo).port
  canary.close = () => server.close()
  ctx = bed.system({ fetch: outside })
})
beforeEach(() => {
  canary.connections = 0
})
afterEach(() => {
  total.connections += canary.connections
})
afterAll(async () => {
  writeMeasurements('urls', { addresses: urls.length, ...total })
  canary.close()
  await bed.close()
})

const csv = (url: string, more: object = {}) => ({ url, parser: 'csv', ...more }) as unknown as ImporterSource
/** All pages of a source, read to their end; gives what ended it. */
async function readAll(source: ImporterSource, next?: string): Promise<string> {
  total.tries += 1
  const ports = { ...fetchPorts(ctx), sleep: async () => {} }
  const all = pages(ports, source, { signal: new AbortController().signal, caps: { attempts: 2 } })
  try {
    for (let page = await all.next(); !page.done; page = await all.next({ rows: 1, next: next ?? null })) {
      let bytes = 0
      for await (const chunk of page.value.bytes) bytes += chunk.length
      if (bytes > 0 && page.value.number > 1) return 'read'
    }
    return 'done'
  } catch (error) {
    return String((error as { code?: unknown }).code ?? error)
  }
}
const catchError = (does: () => unknown): unknown => {
  try {
    does()
    return undefined
  } catch (error) {
    return error
  }
}

test('the canary counts requests, and there are enough addresses', async () => {
  expect(await readAll(csv('https://unheard.example.org/rows.csv'))).toBe('done')
  expect(canary.connections).toBe(1)
  canary.connections = 0
  expect(urls.length).toBeGreaterThanOrEqual(120)
})

describe('connects to none of these addresses', () => {
  test('as the address of a source, a token or a webhook: they are rejected before they are stored', () => {
    for (const url of urls) {
      const importer = (source: ImporterSource) =>
        catchError(() => requireGoodImporter({ sources: [source] }))
      expect(importer(csv(url)), url).toMatchObject({ kind: 'invalid' })
      const grant = { url, type: 'client_credentials' }
      expect(importer(csv(origin, { oauth: { grant } })), url).toMatchObject({ kind: 'invalid' })
      const observer = { schedule: 'onData', channels: ['webhook'], recipients: [], webhookUrl: url }
      expect(
        catchError(() => requireTellable(observer as Parameters<typeof requireTellable>[0])),
        url,
      ).toMatchObject({ kind: 'invalid' })
    }
  })

  test('when a source is tried', async () => {
    const args = { params: { sourceId: 'inner' }, options: {}, placeId: 'oakton' }
    const person = bed.world.as('content_admin', { fetch: outside })
    for (const url of urls)
      await expect(
        tryOut(person, { ...args, data: { name: 'x', sources: [csv(url)] } }),
        url,
      ).rejects.toMatchObject({ kind: 'invalid' })
    expect(canary.connections).toBe(0)
  })

  test('when they are stored nevertheless: as a source, and as the address of a token', async () => {
    for (const url of urls) {
      expect(await readAll(csv(url)), url).toBe('refused')
      const grant = { url, type: 'client_credentials', client_id: 'a' }
      expect(await readAll(csv(`${origin}/rows.csv`, { oauth: { grant } })), url).toMatch(/refused|grant/)
    }
    expect(canary.connections).toBe(0)
  })

  test('when a server redirects to them', async () => {
    let location = ''
    for (const status of [301, 302, 303, 307, 308]) {
      await bed.net.serve('https://moved.example.org', (_, response) => {
        response.writeHead(status, { location: encodeURI(decoded(location)) }).end()
      })
      for (location of (isFullRun || status === 302 ? urls : urls.slice(0, 10)).filter(isHostileThere)) {
        const ended = await readAll(csv('https://moved.example.org/rows.csv'))
        // A relative URL stays on the same server, which redirects in a loop.
        expect(ended, `${status} to ${location}`).toMatch(/^(refused|redirects)$/)
      }
    }
    expect(canary.connections).toBe(0)
  }, 120_000)

  test('when a page gives them as the next one', async () => {
    bed.files.set('/rows.csv', 'id\na\n')
    for (const url of urls.filter(isHostileThere)) {
      const source = csv(`${origin}/rows.csv`, { pagination: { nextPageSelector: 'next' } })
      expect(await readAll(source, url), url).not.toBe('read')
    }
    expect(canary.connections).toBe(0)
  })

  test('when a webhook is sent to them', async () => {
    const secret = `whsec_${btoa('0'.repeat(32))}`
    for (const url of urls) {
      const outcome = await send(fetchPorts(ctx), { id: '1', url, secret, body: '{}' })
      expect(outcome, url).toMatchObject({ isTaken: false, isFinal: true, answered: null })
    }
    expect(canary.connections).toBe(0)
  })

  test('by a run of an importer, which fails and says why', { timeout: 240_000 }, async () => {
    // One with a null character cannot even be stored.
    const storableUrls = urls.filter((url) => !url.includes('\0'))
    const some = isFullRun ? storableUrls : storableUrls.filter((_, i) => i % 12 === 0)
    for (const url of some) {
      const id = await bed.importer({ sources: JSON.stringify([csv(url)]) })
      await bed.start(id)
      await step(ctx, bed.work({ ports: fetchPorts(ctx) }))
      const { status, error } = await bed.job(id)
      expect([status, error], url).toEqual([
        'failed',
        expect.stringMatching(
          /address|source url|longer|port|private|host name|no such file of this source/i,
        ),
      ])
      expect(error).not.toContain('secret-1')
    }
    expect(canary.connections).toBe(0)
  })
})

describe('connects to no name that resolves to a private network', () => {
  const inside: string[][] = [
    ...['127.0.0.1', '0.0.0.0', '10.0.0.1', '172.31.255.255', '192.168.0.1', '169.254.169.254'],
    ...['100.64.0.1', '198.18.0.1', '168.63.129.16', '224.0.0.1', '255.255.255.255'],
    ...[
      '::1',
      '::',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      'fd00:ec2::254',
    ],
    ...['fe80::1', 'ff02::1', '2001:db8::1', '2001:0:7f00:1::'],
  ].map((address) => [address])
  const mixed = [
    [outsidePublic, '127.0.0.1'],
    ['127.0.0.1', outsidePublic],
    [outsidePublic, '::1'],
    ['2606:4700::1111', '10.0.0.1'],
  ]

  test.each([...inside, ...mixed])('%s %s', async (...addresses) => {
    const host = 'inside.example.org'
    names.set(host, addresses.filter(Boolean))
    expect(await readAll(csv(`https://${host}/rows.csv`))).toBe('refused')
    expect(
      await send(fetchPorts(ctx), { id: '1', url: `https://${host}/`, secret: 'whsec_MDA=', body: '' }),
    ).toMatchObject({ isTaken: false, isFinal: true })
    const https = bed.system({ fetch: outside, settings: { ...settings, scheme: 'https' } })
    expect(await checkCertificate(https, host)).toBe('failed')
    expect(canary.connections).toBe(0)
  })
})

/** Every file that makes requests to the internet, and why users cannot choose arbitrary targets. */
const fetching: Record<string, string> = {
  'api/serve.ts': 'the router of the endpoints',
  'platform/dns.ts': 'the resolver that the operator sets',
  'domain/hostname/lights/content.ts': 'guarded: requirePublic',
  'domain/identity/sso/provider.ts':
    'guarded: what organization admins name as their provider, and what that names',
  'domain/hostname/domain-proof.ts': 'guarded: requirePublic',
  'domain/email/email-outbox.ts': 'the provider that the operator sets',
  'domain/observer/webhook.ts': 'guarded: requirePublic',
  'platform/hosts/index.ts': 'the service for hosts that the operator sets',
  'engine/import/fetch/send.ts': 'guarded: requirePublic at every hop',
  'edge/media/resize.ts': 'the address of the request itself',
  'api/request-context.ts': 'the port itself',
  'jobs/publish/builds/store-files.ts': 'the assets of the build',
  'edge/hub/build-files.ts': 'the assets of the build',
  'engine/guide/examples.ts': 'the text of an example, which readers copy',
}

test('every module that fetches from outside is known, and guarded where others choose the address', () => {
  const folder = fileURLToPath(new URL('../../', import.meta.url))
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter(
    (name) => /\.tsx?$/.test(name) && !/(\.test|testing)\.tsx?$|^v1\/testing\//.test(name),
  )
  const fetchingFiles = files.filter((name) => {
    const code = readFileSync(join(folder, name), 'utf8').replace(/^\s*(\/\/|\/?\*).*$/gm, '')
    return /(?<!async )\b(?:fetch|fetchImage)\(|= send\(|await send\(.*method/.test(code)
  })
  // A listed file must be guarded or request only what the operator configures.
  expect(fetchingFiles.filter((name) => !Object.hasOwn(fetching, name)).sort()).toEqual([])
  for (const [name, why] of Object.entries(fetching))
    if (why.startsWith('guarded')) {
      const code = readFileSync(join(folder, name), 'utf8')
      expect(code.search(/await requirePublic\(|requirePublic\(ports/), name).toBeGreaterThan(-1)
      expect(code.lastIndexOf('requirePublic('), name).toBeLessThan(
        code.search(/(?:response = await|\n\s+)\s*fetch\(/),
      )
    }
})

/**
 * Some of these locations lead to an ordinary public host when resolved as a redirect: `//example.com/`,
 * 0127.0.0.1.
 */
function isHostileThere(location: string): boolean {
  try {
    const { protocol, hostname, port, username } = new URL(location, 'https://moved.example.org/rows.csv')
    const isUsual =
      /^https?:$/.test(protocol) && ['', '80', '443', '8080', '8443'].includes(port) && !username
    return !(isUsual && ['example.com', '8.8.8.8', '87.0.0.1'].includes(hostname))
  } catch {
    return true
  }
}

function decoded(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askDns, recordTypes } from '#functions/platform/dns.ts'
import { storeMail } from '#functions/domain/email/email-outbox.ts'
import { cloudflareHosts } from '#functions/platform/hosts/cloudflare.ts'
import { HostsError } from '#functions/platform/hosts/port.ts'
import { deliverMail, postBy } from '#functions/domain/identity/deliver-mail.ts'
import { real, ssoWorld } from '#functions/domain/identity/sso/world.testing.ts'
import { settings } from '#functions/domain/identity/testing.ts'
import { buildStorageKey } from '#functions/engine/media/keys.ts'
import { imageUrl } from '#functions/engine/media/presets.ts'
import { serveMedia } from '#functions/edge/media/serve.ts'
import { storeFile } from '#functions/engine/media/store.ts'
import { png } from '#functions/edge/media/testing.ts'
import { memoryBucket } from '#db/worlds/ports.ts'

/** The failures of external servers. Callers must continue without them within seconds. */
const serverFaults = ['hangs', 'says 500', 'resets the connection', 'stops in the middle'] as const
type ServerFault = (typeof serverFaults)[number]

/** A local server with one kind of failure; `heal`: accepts all requests from now on. */
interface Sink {
  address: string
  taken: string[]
  heal(): void
  close(): void
}

async function sink(mood: ServerFault): Promise<Sink> {
  const bodies: string[] = []
  let isWell = false
  const server: Server = createServer((request, response) => {
    if (!isWell && mood === 'resets the connection') return void request.socket.resetAndDestroy()
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      if (isWell) {
        bodies.push(text)
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      } else if (mood === 'says 500') response.writeHead(500, { 'content-type': 'image/png' }).end('no')
      else if (mood === 'stops in the middle')
        response
          .writeHead(503, { 'content-type': 'application/json', 'content-length': '999' })
          .write('{"Status":')
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: bodies,
    heal: () => void (isWell = true),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const sinks = {} as Record<ServerFault, Sink>
const all = await ssoWorld()
beforeAll(async () => {
  for (const mood of serverFaults) sinks[mood] = await sink(mood)
})
afterAll(async () => {
  for (const each of Object.values(sinks)) each.close()
  await all.close()
})

/** Measures the duration in seconds. */
async function measureDuration<T>(work: Promise<T>): Promise<{ result: T; seconds: number }> {
  const startMs = performance.now()
  const result = await work
  return { result, seconds: (performance.now() - startMs) / 1000 }
}

test.each(serverFaults)(
  'mail: if the provider %s no email is lost, and nothing waits for long',
  async (mood) => {
    const { db } = all
    const mailServer = await sink(mood)
    await db.deleteFrom('mail').execute()
    const letters = Array.from({ length: 12 }, (_, i) => ({
      ...{ to: `ada${i}@example.org`, subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' },
    }))
    for (const email of letters) await storeMail(db, email)
    const report = (error: unknown) => {
      throw error
    }
    const post = postBy({ endpoint: mailServer.address, token: 'secret', from: 'Us <us@app.test>' }, fetch)
    const deliver = () => deliverMail({ db, settings, report }, post)
    const { result, seconds } = await measureDuration(deliver())
    expect(result.sent).toBe(0)
    // The timeout is awaited once, not per email.
    expect(seconds).toBeLessThan(25)
    const listPendingMails = () => db.selectFrom('mail').selectAll().where('outcome', 'is', null).execute()
    expect(await listPendingMails()).toHaveLength(12)
    const tries = async () => (await listPendingMails()).reduce((sum, { attempts }) => sum + attempts, 0)
    expect(await tries()).toBe(mood === 'hangs' ? 1 : 12)
    mailServer.heal()
    await deliver()
    await sql`update mail set tried_at = tried_at - interval '10 minutes' where tried_at is not null`.execute(
      db,
    )
    await deliver()
    expect(await listPendingMails()).toEqual([])
    expect(mailServer.taken).toHaveLength(12)
    expect(new Set(mailServer.taken).size).toBe(12)
    mailServer.close()
  },
)

test('mail: retries are delayed increasingly, up to half an hour', async () => {
  const { db } = all
  await db.deleteFrom('mail').execute()
  await storeMail(db, { to: 'ada@example.org', subject: 'Hello', text: 'Hello', html: '' })
  let calls = 0
  const post = async () => {
    calls += 1
    return false
  }
  const report = (error: unknown) => {
    throw error
  }
  const waits: number[] = []
  for (let i = 0; i < 5; i += 1) {
    await deliverMail({ db, settings, report }, post)
    let minutes = 0
    for (const before = calls; calls === before; minutes += 5) {
      await sql`update mail set tried_at = tried_at - interval '5 minutes'`.execute(db)
      await deliverMail({ db, settings, report }, post)
    }
    waits.push(minutes)
  }
  // Each delay ends with the attempt that begins the next.
  expect(waits).toEqual([10, 20, 30, 30, 30])
})

test.concurrent.each(serverFaults)(
  'pictures: if the resizing service %s the original is served',
  async (mood) => {
    const file = { id: crypto.randomUUID(), name: 'map.png', type: 'image/png' }
    const files = memoryBucket()
    await storeFile(
      files,
      buildStorageKey(file.id, 'library'),
      new File([png], file.name, { type: file.type }),
    )
    const fetchImage: typeof fetch = (_input, init) =>
      fetch(sinks[mood].address, { signal: init?.signal ?? null })
    const ports = { files, hubs: memoryBucket(), authSecret: 'secret', now: () => new Date(), fetchImage }
    const request = new Request(`https://app.test${imageUrl(file, 'thumb')}`)
    const { result, seconds } = await measureDuration(serveMedia(request, ports))
    expect(new Uint8Array((await result?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(png)
    expect(seconds).toBeLessThan(10)
  },
)

test.concurrent.each(serverFaults)(
  'hosts: if the certificate service %s it is retried later',
  async (mood) => {
    const hosts = cloudflareHosts({ zoneId: 'zone', token: 'token', endpoint: sinks[mood].address }, fetch)
    const { result, seconds } = await measureDuration(
      hosts.ensure('data.city.org', { isHere: true }).then(
        () => null,
        (error: unknown) => error,
      ),
    )
    expect(result).toBeInstanceOf(HostsError)
    expect(result).toMatchObject({ isFinal: false })
    expect(seconds).toBeLessThan(20)
  },
)

test.concurrent.each(serverFaults)('names: if the resolver %s the result is unknown', async (mood) => {
  const resolver = { fetch, resolver: sinks[mood].address }
  const { result, seconds } = await measureDuration(askDns(resolver, 'data.city.org', recordTypes.A))
  expect(result).toBeNull()
  expect(seconds).toBeLessThan(12)
})

test.concurrent.each(serverFaults)(
  'single sign-on: if the provider %s there is a message, and passwords still work',
  async (mood) => {
    const admin = await all.signInByPassword('admin@city.example')
    await all.save(admin)
    const browser = all.createBrowser({
      fetch: (input, init) => {
        const address = input instanceof Request ? input.url : String(input)
        return address.startsWith(real)
          ? fetch(sinks[mood].address, { ...init })
          : all.world.fetch(input, init)
      },
    })
    const signInAttempt = measureDuration(
      all.begin(browser).then(
        () => null,
        (error: unknown) => error as { kind: string; message: string },
      ),
    )
    // While a provider hangs for ten seconds, other sign-ins are not delayed.
    const { seconds: meanwhile } = await measureDuration(all.signInByPassword('mia@city.example'))
    const { result, seconds } = await signInAttempt
    expect(result?.kind).not.toBe('broken')
    expect(result?.message).toMatch(/provider|sign/i)
    expect(seconds).toBeLessThan(25)
    if (mood === 'hangs') expect(meanwhile).toBeLessThan(seconds)
  },
)

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRequester } from '../crawl/crawler.ts'
import { findFreePort, openWorker } from '../local.ts'
import { publishHubs } from '../publish-hub.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { workerdsOfOurs } from '#functions/domain/importer/faults/worker.testing.ts'
import { createAccount } from '#functions/domain/identity/create-account.ts'
import { createAccountKey } from '#functions/domain/identity/keys.ts'

/**
 * Kills the process (SIGKILL) as soon as an answer has arrived: work scheduled after the answer is not done,
 * and queue messages may be lost. What the answer promised must still be done, by the next process and its
 * cron.
 */
let world: TestWorld
let port: number
let key: string
let worker: Awaited<ReturnType<typeof openWorker>>
let pid: number
const folder = mkdtempSync(join(tmpdir(), 'commonplace-evicted-'))
const letters: { to: string; text: string }[] = []
const provider = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => (text += String(chunk)))
  request.on('end', () => {
    letters.push(JSON.parse(text) as (typeof letters)[number])
    response.end('{}')
  })
})

async function open() {
  const before = workerdsOfOurs()
  const host = `localhost:${port}`
  worker = await openWorker({
    ...{ env: world.database.env, port, folder },
    vars: {
      ...{ APP_HOST: host, PUBLIC_HOST: host, ENVIRONMENT: 'test', MAIL_TOKEN: 'token' },
      MAIL_ENDPOINT: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/send`,
    },
  })
  const [workerPid] = workerdsOfOurs().filter((each) => !before.includes(each))
  if (workerPid === undefined) throw new Error('The process of the Worker was not found.')
  pid = workerPid
}

beforeAll(async () => {
  await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening))
  world = await openWorld(city)
  const { db } = world.as('system')
  key = (await createAccountKey(db, 'organization_admin', 'walk', 'account')).key
  await createAccount(db, {
    ...{ email: 'ada@evicted.example', password: `evicted-${crypto.randomUUID()}`, name: 'Ada' },
    ...{ verified: true, globalRole: null, welcomed: true, memberships: [] },
  })
  port = await findFreePort()
  await open()
  await publishHubs(worker.worker, world.database.env, ['oakton'])
}, 300_000)
afterAll(async () => {
  await worker?.close()
  provider.close()
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Sends a request, kills the process as soon as its answer is there, and runs the next one's cron. */
async function sendAndDie(method: string, path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`http://localhost:${port}/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  process.kill(pid, 'SIGKILL')
  const text = await response.text().catch(() => '')
  expect([response.status, response.ok ? '' : text]).toEqual([response.status, ''])
  await worker.close().catch(() => {})
  await open()
}
const minute = () => worker.worker.scheduled({ cron: '* * * * *' })
const asAdmin = () => ({ authorization: `Bearer ${key}` })

test('sends a requested email', async () => {
  await sendAndDie('POST', '/core/auth/forgot', { email: 'ada@evicted.example' })
  expect(letters).toEqual([])
  await minute()
  // The maintainers of the data also get the digest of a report that exists in the world.
  const toAda = () => letters.filter(({ to }) => to === 'ada@evicted.example')
  await expect.poll(() => toAda().length, { timeout: 20_000 }).toBe(1)
  expect(toAda()[0]?.text).toMatch(/reset_password\?token=[\w-]{20,}/)
})

test('publishes a change of a page to the hub', async () => {
  const { rows } = await sql<{ version: number }>`select version from page where id = 'story'`.execute(
    world.as('system').db,
  )
  const title = 'Changed at the last moment'
  await sendAndDie('PATCH', '/places/oakton/pages/story', { title, version: rows[0]?.version }, asAdmin())
  const read = createRequester(port, 'oakton.localhost')
  await minute()
  await expect
    .poll(async () => (await read('/pages/storytelling/story/preview')).body.toString().includes(title), {
      timeout: 30_000,
    })
    .toBe(true)
})

test('does not show withdrawn data again', async () => {
  const { rows } = await sql<{ version: number }>`select version from page where id = 'story'`.execute(
    world.as('system').db,
  )
  const body = { publish: 'draft', version: rows[0]?.version }
  await sendAndDie('PATCH', '/places/oakton/pages/story', body, asAdmin())
  const read = createRequester(port, 'oakton.localhost')
  await minute()
  await expect
    .poll(async () => (await read('/pages/storytelling/story/preview')).status, { timeout: 30_000 })
    .toBe(404)
})

test('starts a queued run of an importer', async () => {
  const { db } = world.as('system')
  await db
    .updateTable('job')
    .set({ status: 'stopped', finishedAt: sql<Date>`now()` })
    .where('finishedAt', 'is', null)
    .execute()
  const sources = JSON.stringify([{ url: 'https://files.evicted.example/calls.csv', parser: 'csv' }])
  await db.updateTable('importer').set({ sources, secrets: null }).where('id', '=', 'feed').execute()
  await sendAndDie('POST', '/sources/inner/importers/feed/run', {}, asAdmin())
  await minute()
  // Its address leads nowhere: only that the run was started is promised.
  await expect
    .poll(
      async () => {
        const { rows } = await sql<{ attempts: number; fence: number }>`
          select attempts, fence from job where importer_id = 'feed' order by queued_at desc limit 1`.execute(
          db,
        )
        return (rows[0]?.fence ?? 0) > 0
      },
      { timeout: 30_000 },
    )
    .toBe(true)
})

import { randomFillSync } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limitedWorkerd } from '../bench/import-worker.ts'
import { openIsolate, workerdMegabytes, type Isolate } from '../bench/isolate.ts'
import { findFreePort, openWorker } from '../local.ts'
import { waitForHydration, openBrowser, openWindow, type Browser, type BrowserContext } from './browser.ts'
import { cookiesFor } from './main-routes.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { createAccount } from '#functions/domain/identity/create-account.ts'
import type { ArchivedMedia, ArchiveManifest } from '#functions/shapes/archive.ts'
import { maxFileBytes, maxFormFileBytes } from '#functions/shapes/file.ts'
import { ask } from '#functions/v1/assets.testing.ts'
import {
  changeDocument,
  exported,
  furnish,
  openInstance,
  pack,
  text,
  type Files,
} from '#functions/v1/archive.testing.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

/**
 * An archive as large as programs may send is imported by the screen, and one as large as a form may carry without
 * scripts, while the Worker's isolate stays below what the platform gives it. `npm test` sends one that is just too large
 * for a form: the way is the same, and 100 MB take a minute of both cores.
 */
const archives = [
  ...(isFullRun ? [{ id: 'unscripted', hasScripts: false, bytes: maxFormFileBytes }] : []),
  { id: 'scripted', hasScripts: true, bytes: isFullRun ? maxFileBytes : maxFormFileBytes + 4_000_000 },
]
const limit = 128
const person = { email: 'ada@archives.example', password: `archives-${crypto.randomUUID()}` }

let world: TestWorld
let worker: Awaited<ReturnType<typeof openWorker>>
let browser: Browser
let isolate: Isolate
let port: number
let folder: string
let files: Files
const buildUrl = (path: string) => `http://localhost:${port}${path}`

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-archives-'))
  const here = await openInstance()
  await ask(await here.person('ann'), 'place.start', {}, { data: { id: 'riverton', name: 'Riverton' } })
  const admin = await here.person('ann', 'riverton')
  await furnish(admin, 'riverton')
  files = (await exported(admin, here.queue, 'riverton')).files
  await here.world.close()
  world = await openWorld(city)
  await createAccount(world.as('system').db, {
    ...{ ...person, name: 'Ada', verified: true, globalRole: null, welcomed: true, memberships: [] },
  })
  port = await findFreePort()
  const inspectorPort = await findFreePort()
  const host = `localhost:${port}`
  const vars = { APP_HOST: host, PUBLIC_HOST: host, ENVIRONMENT: 'test' }
  process.env.MINIFLARE_WORKERD_PATH = limitedWorkerd(folder)
  const opening = openWorker({ env: world.database.env, port, folder, vars, inspectorPort })
  worker = await opening.finally(() => delete process.env.MINIFLARE_WORKERD_PATH)
  isolate = await openIsolate(inspectorPort)
  browser = await openBrowser()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  isolate?.close()
  await worker?.close()
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The archive with so many more bytes of media, which do not compress. Gives the path of its file. */
async function writeArchive(name: string, bytes: number): Promise<string> {
  const id = crypto.randomUUID()
  const media = zipSync({ 'noise.bin': randomFillSync(new Uint8Array(bytes)) }, { level: 0 })
  const about: ArchivedMedia = {
    ...{ id, purpose: 'library', folderId: null, name: 'noise.zip', type: 'application/zip' },
    ...{ size: media.length, alt: '', focalX: 0.5, focalY: 0.5 },
  }
  const more = changeDocument<ArchiveManifest>(files, 'manifest.json', ({ counts }) => {
    counts.media += 1
  })
  const all: Files = {
    ...more,
    [`media/${id}.json`]: text(JSON.stringify(about)),
    [`media/${id}`]: media as Uint8Array<ArrayBuffer>,
  }
  const path = join(folder, name)
  writeFileSync(path, Buffer.from(await pack(all).arrayBuffer()))
  return path
}

/** Runs something and gives the most megabytes of the isolate and of workerd meanwhile. */
async function measured(run: () => Promise<void>): Promise<{ isolate: number; workerd: number }> {
  let isDone = false
  const most = { isolate: 0, workerd: 0 }
  const looking = (async () => {
    while (!isDone) {
      most.isolate = Math.max(most.isolate, await isolate.megabytes())
      most.workerd = Math.max(most.workerd, workerdMegabytes() ?? 0)
      await delay(10)
    }
  })()
  try {
    await run()
  } finally {
    isDone = true
    await looking
  }
  return { isolate: Math.round(most.isolate), workerd: Math.round(most.workerd) }
}

async function signIn(context: BrowserContext): Promise<void> {
  const pairs = (await cookiesFor(person, port)).split('; ').map((pair) => pair.split(/=(.*)/s))
  await context.addCookies(pairs.map(([name = '', value = '']) => ({ name, value, url: buildUrl('/') })))
}

/** Imports an archive by the screen, as the organization `id`. */
async function importByScreen(hasScripts: boolean, path: string, id: string): Promise<void> {
  const { page, context, complaints } = await openWindow(browser, { hasScripts })
  await signIn(context)
  await page.goto(buildUrl('/organization/archive'))
  if (hasScripts) await waitForHydration(page)
  await page.getByLabel('Archive').setInputFiles(path)
  await page.getByLabel('Id', { exact: true }).fill(id)
  await page.getByRole('button', { name: 'Look at the archive' }).click()
  await page.getByText('Switched off until you have looked at it').waitFor({ timeout: 90_000 })
  await page.getByRole('button', { name: 'Import it' }).click()
  await page.waitForURL(/\/(hello|org\/manage)/, { timeout: 90_000 })
  expect(complaints).toEqual([])
  await context.close()
}

const readMedia = async (placeId: string) => {
  const { db } = world.as('system')
  return db
    .selectFrom('asset')
    .select(['size', 'state'])
    .where('placeId', '=', placeId)
    .orderBy('size')
    .execute()
}

test(`archives of ${archives.map(({ bytes }) => bytes / 1e6).join(' and ')} MB are imported by the screen`, async () => {
  const idle = await measured(() => delay(500))
  const figures: Record<string, number> = { 'MB of the isolate before': idle.isolate }
  for (const { id, hasScripts, bytes } of archives) {
    const path = await writeArchive(id, bytes - 200_000)
    const { size } = statSync(path)
    expect([size <= bytes, size > bytes - 200_000]).toEqual([true, true])
    const peak = await measured(() => importByScreen(hasScripts, path, id))
    console.log(`${id}: ${size} bytes, ${JSON.stringify(peak)}, before ${JSON.stringify(idle)}`)
    figures[`MB of the isolate, ${id}`] = peak.isolate
    figures[`MB of workerd, ${id}`] = peak.workerd
    const media = await readMedia(id)
    expect(media).toHaveLength(2)
    expect(Number(media[1]?.size)).toBeGreaterThan(bytes - 200_000)
    expect(media.map(({ state }) => state)).toEqual(['ready', 'ready'])
    expect(peak.isolate).toBeLessThan(limit)
  }
  writeMeasurements('large-archive', figures)
}, 300_000)

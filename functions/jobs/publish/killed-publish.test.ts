import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageKey, readManifest } from '#functions/edge/hub/manifest.ts'
import { publishOutbox } from './publish.ts'
import type { Snapshot } from '#functions/edge/hub/snapshot.ts'
import { searchPath } from '#functions/engine/address/urls.ts'
import { filledPages } from '#functions/engine/table/page.ts'
import { serveHub } from '#functions/edge/hub/static-hub.ts'
import { openHubs } from './trouble.testing.ts'
import type { Context } from '#functions/context.ts'
import { isCrossSection } from '#functions/v1/testing/figures.testing.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

/** A worker that is killed while it publishes a hub: readers see the old or the new version completely. */
let world: TestWorld
let hubs: ReturnType<typeof openHubs>
const host = 'oakton.localhost'

beforeAll(async () => {
  world = await openWorld(city)
  hubs = openHubs(world)
  await hubs.ctx.db.updateTable('place').set({ isHub: true }).where('id', '=', 'oakton').execute()
  // A small hub: the worker is killed at each of its writes.
  await hubs.ctx.db.updateTable('source').set({ visibility: 'place' }).execute()
  await hubs.ctx.db.updateTable('insight').set({ visibility: 'place' }).execute()
  await hubs.ctx.db.updateTable('page').set({ publish: 'draft' }).execute()
  await hubs.publish(['oakton'])
})
afterAll(() => world.close())

class Killed extends Error {}

/**
 * A worker that is killed at its write number `at`: from then on it accesses neither storage nor database.
 */
function mortal(at: number) {
  const life = { writes: 0, isOver: false }
  const living = <Port extends object>(port: Port, counts: (verb: PropertyKey) => boolean): Port =>
    new Proxy(port, {
      get(target, name) {
        if (counts(name)) life.writes += 1
        life.isOver ||= life.writes >= at
        if (life.isOver) throw new Killed()
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? (value as () => unknown).bind(target) : value
      },
    })
  const ctx: Context = {
    ...hubs.ctx,
    db: living(hubs.ctx.db, () => false),
    hubs: living(hubs.hubs, (verb) => verb === 'put' || verb === 'delete'),
    transaction: (run) => {
      if (life.isOver) throw new Killed()
      return hubs.ctx.transaction((tx) => run(living(tx, () => false)))
    },
    report: () => {},
  }
  return { ctx, life }
}

const publish = (ctx: Context) => publishOutbox(ctx, hubs.visit, () => {})

/**
 * The text of every page as served to a reader, in every language; pictures follow in a step of their own.
 */
async function read() {
  // Without cached objects.
  const snapshot = await (await hubs.hubs.get(`site/${host}.json`))?.json<Snapshot>()
  if (!snapshot) throw new Error('There is no hub.')
  const manifest = await readManifest(hubs.hubs, 'oakton', snapshot.manifest)
  const [pages, pictures] = [new Set<string>(), new Set<string>()]
  let count = 0
  for (const [name, { status, hash }] of Object.entries(manifest?.pages ?? {})) {
    const [locale = '', path = ''] = name.split(' ')
    const prefix = locale === 'en' ? '' : `/${locale}`
    const address = `https://${host}${path === '/' ? prefix || '/' : prefix + path}`
    // Result pages and record pages are not requested directly: they are templates.
    const storedObject =
      path === searchPath || Object.values(filledPages).some((each) => each === path)
        ? await hubs.hubs.get(pageKey('oakton', hash))
        : null
    const answer = storedObject
      ? new Response(await storedObject.text(), { status })
      : await serveHub(new Request(address), snapshot, hubs.hubs)
    const text = await answer.text()
    expect([name, answer.status], text).toEqual([name, status])
    expect(text.endsWith(` ${path}`), `${name}: ${text}`).toBe(true)
    ;(path.startsWith('/og/') ? pictures : pages).add(text.slice(0, -path.length - 1))
    count += 1
  }
  return { pages: [...pages], pictures: [...pictures], count }
}

/** From one write at which it is killed to the next: in a cross-section not every one. */
const step = isCrossSection ? 6 : 1

/** Lets all leases and delays expire. */
const expireLeases = () => sql`update hub set lease_until = now() - interval '1 second'`.execute(hubs.ctx.db)

test('after being killed at any write every page has one version, and the next run completes it', async () => {
  const before = await read()
  expect(before).toMatchObject({ pages: ['first'], pictures: ['first'] })
  let [old, unchangedRuns] = ['first', 0]
  for (let at = 1; ; at += step) {
    const words = `version ${at}`
    hubs.state.words = words
    await hubs.emit('hub', {})
    const { ctx, life } = mortal(at)
    await publish(ctx).catch(() => {})
    const after = await read()
    expect(after.count, `killed at ${at}`).toBe(before.count)
    expect([[old], [words]], `killed at ${at}`).toContainEqual(after.pages)
    if (after.pages[0] === old) unchangedRuns += 1
    if (!life.isOver) {
      expect(after).toMatchObject({ pages: [words], pictures: [words] })
      expect(at).toBeGreaterThan(before.count)
      // Many runs are killed before anything is published, and some after.
      expect([unchangedRuns > 20 / step, unchangedRuns < (at - 1) / step]).toEqual([true, true])
      return
    }
    await expireLeases()
    await hubs.wait(400)
    await publish(hubs.ctx)
    expect(await read(), `after ${at}`).toMatchObject({ pages: [words], pictures: [words] })
    expect(await hubs.open('oakton'), `after ${at}`).toBe(0)
    old = words
  }
}, 240_000)

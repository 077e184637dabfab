import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, type Answer } from './ask.ts'
import { findViolations } from './axe.ts'
import { openBrowser, openWindow, measureOverflow, type Browser } from './browser.ts'
import { startCountingProxy } from './counting-proxy.ts'
import { findFreePort, openWorker } from '../local.ts'
import { prepareSources, publishHubs } from '../publish-hub.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { tableLimits } from '#functions/edge/hub/hub-limit.ts'

/**
 * Tables of a source that is too large for a file of all its columns, and of one that is not, behind a Worker
 * whose database statements are recorded, and then without a database.
 */
const host = 'oakton.localhost'
const [large, small] = ['/domains/site/source/sites/data', '/domains/site/source/few-sites/data']
const count = 2400
const kinds = ['park', 'school', 'road']
const rows = Array.from({ length: count }, (_, i) => ({
  name: `Place ${i}`,
  kind: kinds[i % 3],
  size: (i * 37) % 1000,
  // With such long texts, at two bytes per character, the file would exceed its limit of eight megabytes.
  notes: `${i} `.repeat(400).slice(0, 1900),
}))

let world: TestWorld
let counting: Awaited<ReturnType<typeof startCountingProxy>>
let worker: Awaited<ReturnType<typeof openWorker>>
let browser: Browser
let port: number

beforeAll(async () => {
  world = await openWorld(city)
  const ctx = world.as('system')
  const schema = JSON.stringify({
    name: { name: 'Name', type: 'text' },
    kind: { name: 'Kind', type: 'text' },
    size: { name: 'Size', type: 'number' },
    notes: { name: 'Notes', type: 'text' },
  })
  await ctx.db.insertInto('dataType').values({ id: 'site', name: 'Site', schema, createdBy: null }).execute()
  for (const [id, name, own] of [
    ['sites', 'Sites', rows],
    ['few-sites', 'Few sites', rows.slice(0, 120)],
  ] as const) {
    const source = { id, name, placeId: 'oakton', dataTypeId: 'site', visibility: 'public' as const }
    await ctx.db
      .insertInto('source')
      .values({ ...source, createdBy: null })
      .execute()
    await ingest(ctx, id, own)
  }
  counting = await startCountingProxy(world.database.env.DB_PROXY ?? '')
  port = await findFreePort()
  worker = await openWorker({
    ...{ env: { ...world.database.env, DB_PROXY: counting.address }, port, folder: null },
    vars: { APP_HOST: `localhost:${port}`, PUBLIC_HOST: `localhost:${port}`, ENVIRONMENT: 'test' },
  })
  await prepareSources(worker.worker, ['sites', 'few-sites'])
  await publishHubs(worker.worker, world.database.env, ['oakton'])
  browser = await openBrowser()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await worker?.close()
  await counting?.close()
  await world?.close()
})

const read = (path: string) => ask(path, { port, host })
const listRowNames = ({ text }: Answer) =>
  [...text.matchAll(/<th scope="row"[^>]*><a [^>]*>(?:<bdi>)?([^<]*)/g)].map(([, name = '']) => name)
const findNextLink = ({ text }: Answer) =>
  /<a rel="next nofollow" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
/** Picks the statements that read records: the others set the actor or read versions. */
const pickRecordStatements = (statements: string[]) =>
  statements.filter((text) => /"data"\."?|data\."/.test(text))

/** Waits until the queue is idle: no statement for two seconds. */
async function quiet() {
  for (let still = 0; still < 4; still = counting.consumeStatements().length === 0 ? still + 1 : 0)
    await delay(500)
}

test('the page of a large source leads to its table, whose first ten pages need no database', async () => {
  expect((await read('/domains/site/source/sites')).text).toContain(`href="${large}"`)
  await quiet()
  const names: string[] = []
  let at: string | undefined = large
  for (let page = 0; at !== undefined && page < 10; page += 1) {
    const answer: Answer = await read(at)
    expect(answer.status).toBe(200)
    names.push(...listRowNames(answer))
    at = findNextLink(answer)
  }
  expect(pickRecordStatements(counting.consumeStatements())).toEqual([])
  expect(names).toEqual(
    rows
      .slice(-500)
      .reverse()
      .map(({ name }) => name),
  )
  // The eleventh page continues without a gap.
  expect(listRowNames(await read(at ?? large))[0]).toBe(`Place ${count - 501}`)
})

test('a state is queried from the database once, and then cached', async () => {
  const path = `${large}?is.kind=park&sort=size`
  const first = await read(path)
  expect(first.status).toBe(200)
  expect(first.text).toContain('800 records')
  await quiet()
  const second = await read(`${path}&columns=name,size`)
  expect(pickRecordStatements(counting.consumeStatements())).toEqual([])
  expect(listRowNames(second)).toEqual(listRowNames(first))
  expect((await read(`/ar${path}`)).status).toBe(200)
  expect(pickRecordStatements(counting.consumeStatements())).toEqual([])
})

test('fifty bots on all facets stay within the rate limit, and the rejected ones get a message', async () => {
  const facets = Array.from(
    { length: 200 },
    (_, i) => `is.kind=${kinds[i % 3] ?? ''}&from.size=${i}&sort=-size`,
  )
  counting.consumeStatements()
  const robot = async (own: string[]) => {
    const answers: Answer[] = []
    for (const facet of own) answers.push(await read(`${large}?${facet}`))
    return answers
  }
  const answers = (
    await Promise.all(Array.from({ length: 50 }, (_, i) => robot(facets.slice(i * 4, i * 4 + 4))))
  ).flat()
  const statementCount = pickRecordStatements(counting.consumeStatements()).length
  const successes = answers.filter(({ status }) => status === 200)
  const rejections = answers.filter(({ status }) => status === 429)
  console.log(
    `${facets.length} states: ${successes.length} shown by ${statementCount} statements, ${rejections.length} refused`,
  )
  expect(successes.length + rejections.length).toBe(facets.length)
  expect(successes.length).toBeLessThanOrEqual(tableLimits.aMinute)
  // A page and its count; the limit starts again when the minute changes meanwhile.
  expect(statementCount).toBeLessThanOrEqual(2 * 2 * tableLimits.aMinute)
  expect(rejections.length).toBeGreaterThan(0)
  for (const { text, headers } of rejections) {
    expect(text).toContain('So many questions are being asked of this table')
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(text).toContain('content="noindex, nofollow"')
  }
  counting.consumeStatements()
  await Promise.all(facets.map((facet) => read(`${small}?${facet}`)))
  expect(counting.consumeStatements()).toEqual([])
}, 300_000)

test('without the database the first pages and small tables work, and the others say so in each language', async () => {
  await counting.close()
  // Requests of this minute count until its end.
  await delay(60_000 - (Date.now() % 60_000))
  for (const path of [large, `${large}?columns=name`, `${small}?is.kind=park&sort=-size`, `${small}?q=place`])
    expect([path, (await read(path)).status]).toEqual([path, 200])
  for (const [prefix, sentence] of [
    ['', 'The database does not answer right now'],
    ['/es', 'La base de datos no responde en este momento'],
    ['/fr', 'La base de données ne répond pas pour le moment'],
    ['/ar', 'قاعدة البيانات لا تستجيب الآن'],
  ] as const) {
    const { status, text } = await read(`${prefix}${large}?q=nobody-asked-this-${prefix.slice(1)}`)
    expect(status).toBe(503)
    expect(text).toContain(sentence)
  }
  // Earlier answers are marked as what they are: an older answer, or a cached one.
  expect((await read(`${large}?is.kind=park&sort=size`)).status).toBe(200)
}, 120_000)

test.each([
  ['light', 320],
  ['dark', 768],
  ['light', 1280],
  ['dark', 1280],
] as const)(
  'a page of a rejected request can be read and left without obstacles: %s, %i wide',
  async (scheme, width) => {
    const { page, context, foreign } = await openWindow(browser, { width, scheme })
    await page.goto(`http://${host}:${port}${large}?has.name=${width}${scheme}`)
    await page.locator('.table-refused').waitFor()
    expect(await findViolations(page)).toEqual([])
    expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
    await page.locator('.table-refused').getByRole('link', { name: 'First page' }).press('Enter')
    await page.getByText(`Records 1 to 50 of ${count.toLocaleString('en')}`).waitFor()
    expect(await findViolations(page)).toEqual([])
    expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
    expect(foreign).toEqual([])
    await context.close()
  },
)

import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitForHydration, openBrowser, openWindow, type Browser } from './browser.ts'
import { hostileTexts } from './hostile-texts.ts'
import { fillRoute, cookiesFor, mainRoutes } from './main-routes.ts'
import { findFreePort, openWorker } from '../local.ts'
import { publishHubs } from '../publish-hub.ts'
import { plantWords } from '#db/worlds/canary.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { cleanHtml } from '#functions/domain/page/html.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { createAccount } from '#functions/domain/identity/create-account.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

/** A Worker and a database of this file alone: everything in it is renamed. */
let world: TestWorld
let worker: Awaited<ReturnType<typeof openWorker>>
let browser: Browser
let port: number
const person = { email: 'ada@hostile.example', password: `hostile-${crypto.randomUUID()}` }

async function open() {
  world = await openWorld(city)
  await plantPages()
  port = await findFreePort()
  const host = `localhost:${port}`
  worker = await openWorker({
    env: world.database.env,
    port,
    folder: null,
    vars: { APP_HOST: host, PUBLIC_HOST: host, ENVIRONMENT: 'test' },
  })
  await publish()
}
async function close() {
  await worker?.close()
  await world?.close()
}
beforeAll(async () => {
  browser = await openBrowser()
  await open()
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await close()
})

const publish = () => publishHubs(worker.worker, world.database.env, ['oakton'])
const app = (path: string) => `http://localhost:${port}${path}`
const hub = (path: string) => `http://oakton.localhost:${port}${path}`

/** Creates a page of each type with a block of each kind. */
async function plantPages() {
  const { db } = world.as('system')
  await createAccount(db, {
    ...{ ...person, name: 'Ada', verified: true, globalRole: null, welcomed: true },
    memberships: [{ placeId: 'oakton', role: 'organization_admin' }],
  })
  const own = { placeId: 'oakton', createdBy: null }
  const parts = {
    text: { html: '<p>Hello</p>' },
    insight: { insightId: 'calls', caption: 'Calls' },
    image: { url: 'https://example.com/a.png', alt: 'A picture', caption: 'Calls' },
    video: { url: 'https://example.com/a.mp4', caption: 'Calls' },
    map: { sourceId: 'open', caption: 'Calls' },
    embed: { url: 'https://example.com/', caption: 'Calls' },
  }
  for (const type of ['storytelling', 'dashboard', 'blank'] as const) {
    await db
      .insertInto('page')
      .values({ id: type, title: type, type, publish: 'published', visibility: 'public', ...own })
      .execute()
    const contents = Object.entries(parts).map(([kind, settings], position) => ({
      ...{ id: `${type}-${kind}`, pageId: type, position, kind: kind as keyof typeof parts },
      ...{ settings: JSON.stringify(settings), ...own },
    }))
    await db.insertInto('content').values(contents).execute()
  }
  await db
    .insertInto('collectionText')
    .values({
      id: 'best-text',
      collectionId: 'best',
      title: 'Text',
      html: '<p>Hello</p>',
      position: 0,
      ...own,
    })
    .execute()
}

/** Opens a window of a signed-in person that records violations of a page's content security policy. */
async function openSignedInWindow() {
  const cookies = (await cookiesFor(person, port)).split('; ').map((pair) => {
    const at = pair.indexOf('=')
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: app('/') }
  })
  const window = await openWindow(browser)
  await window.context.addCookies(cookies)
  const policyViolations: string[] = []
  await window.context.exposeBinding(
    'recordViolation',
    (_source, text: string) => void policyViolations.push(text),
  )
  await window.context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      const { recordViolation } = globalThis as unknown as { recordViolation(text: string): void }
      recordViolation(`${location.href}: ${violatedDirective} ${blockedURI} ${sourceFile}`)
    })
  })
  return { ...window, cookies, stopped: policyViolations }
}

/** Tables with texts that people write; of persons only the name. */
const textTables = new Set(
  `place source insight collection collection_text page page_version data_type importer job_log import_reject observer
  alert asset asset_folder invite activity user role`.split(/\s+/),
)
/** Columns of these with a value from a list, or with an identity. */
const listColumns =
  /^(email|identifier|locale|language|status|state|kind|visibility|publish|trigger|level|verb|.*_type|.*_key|password)$/

/** Columns of HTML, which is sanitized when it is written. */
const html = new Set(['place.about', 'place.privacy', 'collection_text.html', 'page_version.contents'])

/** Tables whose names become aliases in questions, which are limited to 200 characters. */
const short = new Set(['insight', 'data_type'])

/**
 * Writes hostile texts into every text that people write: different ones in each column and row, a whole
 * group where the column is long enough.
 */
async function renameEverything(round: number) {
  const { db } = world.as('system')
  const groups = hostileTexts.map((texts) => texts.join(' '))
  const cleanGroups = groups.map(cleanHtml)
  const single = hostileTexts.flat().filter((_text, i) => i % hostileTexts.length === round)
  await plantWords(db, (table, column) => {
    if (!textTables.has(table) || listColumns.test(column) || (table === 'user' && column !== 'name'))
      return null
    const texts = html.has(`${table}.${column}`) ? cleanGroups : short.has(table) ? single : groups
    const n = sql`(hashtext(${`${table}.${column}`} || ctid::text) & 1023) + ${round}::int`
    return sql<string>`(${texts}::text[])[1 + (${n}) % ${texts.length}::int]`
  })
  const [group = '', text = ''] = [groups[round], single[0]]
  await sql`
    update content set settings = case kind when 'text' then jsonb_build_object('html', ${cleanGroups[round] ?? ''}::text)
      else settings::jsonb || jsonb_build_object('caption', ${group}::text, 'alt', ${group}::text) end`.execute(
    db,
  )
  await sql`
    update data_type set schema = jsonb_set(schema::jsonb, '{type,name}', to_jsonb(${text}::text))`.execute(
    db,
  )
  await ingest(
    world.as('system'),
    'open',
    (hostileTexts[round] ?? []).map((type, minutes) => ({ type, minutes })),
  )
  await publish()
}

/** Returns the paths that a hub's pages link to, the home first. */
async function linkedPaths(window: Awaited<ReturnType<typeof openSignedInWindow>>): Promise<string[]> {
  const paths = new Set(['/'])
  for (const path of paths) {
    if (/\.\w+$|^\/(v1|f|m)\//.test(path)) continue
    await window.page.goto(hub(path))
    const links = await window.page.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>('a[href]')]
        .filter(({ origin }) => origin === location.origin)
        .map(({ pathname }) => pathname),
    )
    for (const each of links) paths.add(each)
  }
  return [...paths]
}

/** Values of the route parameters of the workspace's screens. */
const parameters = {
  ...{ dataTypeId: 'call', sourceId: 'open', insightId: 'calls', collectionId: 'best', textId: 'best-text' },
  ...{ blankId: 'blank', dashboardId: 'dashboard', storyId: 'storytelling', roleId: 'member' },
  ...{ boundarySetId: 'wards', observerId: 'watch', importerId: 'feed', jobId: 'run', inviteId: 'asked' },
  ...{ builtInSetId: 'regions-de', fileId: 'photo', errorReportId: 'wrong' },
}

test('only embeddable pages can be framed by other sites, and pages ignore foreign messages', async () => {
  const frames = [
    app('/login'),
    app('/home'),
    app('/account'),
    hub('/'),
    hub('/about'),
    hub('/embed/domains/call/source/open'),
  ]
  const foreign = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(frames.map((url) => `<iframe src="${url}"></iframe>`).join(''))
  })
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
  const { page, context } = await openSignedInWindow()
  await page.goto(`http://evil.localhost:${(foreign.address() as AddressInfo).port}/`, { waitUntil: 'load' })
  // A blocked frame shows the browser's own page.
  const loadedFrames = page
    .frames()
    .slice(1)
    .filter((frame) => frame.url().startsWith('http'))
  expect(loadedFrames.map((frame) => frame.url())).toEqual([hub('/embed/domains/call/source/open')])
  const [embed] = loadedFrames
  const read = () => embed?.evaluate(() => document.documentElement.outerHTML)
  // Scripts and fonts load after the page: its HTML is read once it is stable.
  let before: string | undefined
  const isStill = async () => {
    const last = before
    before = await read()
    return before === last
  }
  await expect.poll(isStill, { timeout: 15_000, interval: 500 }).toBe(true)
  await page.evaluate(() => {
    const frame = [...document.querySelectorAll('iframe')].at(-1)
    const bad: unknown[] = [
      ...[
        'javascript:top.__pwned=1',
        '<script>top.__pwned=1</script>',
        '{"type":"navigate","url":"//evil.example"}',
        '',
      ],
      ...[
        null,
        1,
        {},
        [],
        { type: 'height', height: '1e9' },
        { __proto__: { isAdmin: true }, theme: 'url(//evil.example)' },
      ],
    ]
    for (const message of bad) frame?.contentWindow?.postMessage(message, '*')
  })
  await page.waitForTimeout(200)
  expect(await read()).toBe(before)
  expect(await page.evaluate(() => '__pwned' in globalThis)).toBe(false)
  await context.close()
  foreign.close()
})

test('a page of a hub can neither read nor set the session of the workspace', async () => {
  const { page, context, cookies } = await openSignedInWindow()
  await page.goto(hub('/'))
  const visibleCookies = await page.evaluate(
    async (names) => {
      for (const name of names) {
        document.cookie = `${name}=forged; path=/`
        document.cookie = `${name}=forged; path=/; domain=localhost`
        document.cookie = `${name}=forged; path=/; domain=.localhost`
      }
      return document.cookie
    },
    cookies.map(({ name }) => name),
  )
  for (const { value } of cookies) expect(visibleCookies).not.toContain(value)
  const workspaceCookies = await context.cookies(app('/'))
  expect(workspaceCookies.filter(({ value }) => value === 'forged')).toEqual([])
  for (const cookie of cookies)
    expect(workspaceCookies).toContainEqual(
      expect.objectContaining({ name: cookie.name, value: cookie.value }),
    )
  // The session is still valid, and the hub page's script cannot request anything with it.
  expect((await page.goto(app('/account')))?.status()).toBe(200)
  expect(page.url()).toBe(app('/account'))
  await page.goto(hub('/'))
  const read = await page.evaluate(async (url) => {
    try {
      return await (await fetch(url, { credentials: 'include' })).text()
    } catch {
      return 'refused'
    }
  }, app('/v1/users'))
  expect(read).toBe('refused')
  await context.close()
})

/** Redirect targets after a sign-in that must be ignored. */
const elsewhere = [
  'https://evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/%2fevil.example',
  '/%5cevil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  'javascript:top.__pwned=1',
  'data:text/html,x',
  'https:evil.example',
  '@evil.example',
  '.evil.example',
  ' //evil.example',
  '\\\\evil.example',
  '/\u00a0/evil.example',
  '/x/%2e%2e//evil.example',
  '/\n/evil.example',
  'http:/\\evil.example',
  '/logout',
  '/login?redirectTo=//evil.example',
  '/;@evil.example',
  '//localhost@evil.example',
  '//evil.example\\@localhost',
  '/\u2028/evil.example',
  '%2f%2fevil.example',
  'file:///etc/passwd',
  'blob:https://evil.example/x',
]
test('sign-in never redirects to another site', async () => {
  let i = 0
  for (const to of elsewhere.filter((_each, n) => isFullRun || n % 5 === 0)) {
    i += 1
    const { page, context } = await openWindow(browser)
    const visitedUrls: string[] = []
    page.on('framenavigated', (frame) => visitedUrls.push(frame.url()))
    await page.goto(app(`/login?redirectTo=${encodeURIComponent(to)}`))
    await waitForHydration(page)
    await page.getByLabel('E-mail').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: /sign in/i }).click()
    await page.waitForURL((url) => url.pathname !== '/login')
    await page.waitForLoadState('load')
    expect([to, visitedUrls.filter((url) => new URL(url).origin !== app(''))]).toEqual([to, []])
    expect([to, (await context.cookies(app('/'))).length > 0]).toEqual([to, true])
    await context.close()
  }
  expect(i).toBeGreaterThan(5)
})

const rounds = isFullRun ? hostileTexts.map((_each, round) => round) : [0]
test.each(rounds)(
  'no stored text becomes a script of a page (group %i first)',
  async (round) => {
    if (round > 0) {
      await close()
      await open()
    }
    await renameEverything(round)
    const window = await openSignedInWindow()
    const { page, stopped, foreign } = window
    const allAddresses = [
      ...(await linkedPaths(window)).filter((path) => !/^\/(v1|f|m|e)\/|\.png$/.test(path)).map(hub),
      ...mainRoutes.filter((route) => route !== '/logout').map((route) => app(fillRoute(route, parameters))),
    ]
    const faults: string[] = []
    let texts = 0
    for (const address of allAddresses) {
      const answer = await page.goto(address, { waitUntil: 'load' })
      if ((answer?.status() ?? 0) >= 500 && !address.endsWith('/error'))
        faults.push(`${answer?.status()} ${address}`)
      const outcome = await page.evaluate(() => ({
        isHit: '__pwned' in globalThis,
        isShown: document.documentElement.outerHTML.includes('__pwned'),
      }))
      if (outcome.isHit) faults.push(`ran: ${address}`)
      if (outcome.isShown) texts += 1
    }
    writeMeasurements('hostile-pages', {
      pages: allAddresses.length,
      'pages with hostile texts': texts,
      texts: hostileTexts.flat().length,
      rounds: round + 1,
    })
    expect([faults, stopped, foreign.filter((url) => !url.startsWith('https://example.com/'))]).toEqual([
      [],
      [],
      [],
    ])
    // The texts did reach the pages: nearly all of them show some.
    expect(texts).toBeGreaterThan(allAddresses.length / 2)
    await window.context.close()
  },
  isFullRun ? 600_000 : 240_000,
)

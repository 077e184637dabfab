import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ask } from './ask.ts'
import { findViolations } from './axe.ts'
import { openBrowser, openWindow, measureOverflow, type Browser, type Page } from './browser.ts'
import { fillRoute, createRoleCookies, mainRoutes, outside, plantParameters, roles } from './main-routes.ts'
import { signInWithReason } from './sign-in.ts'
import {
  pickCrossSection,
  isCrossSection,
  isFullRun,
  writeMeasurements,
} from '#functions/v1/testing/figures.testing.ts'

/** Routes that answer with an error. */
const missing = ['/error', '/no-such-page-anywhere']
/** The folder of screenshots of all screens: `npm run test:full -- routes`. */
const shots = '.cache/shots'
const lookedAt: Record<string, number> = {}
let cells = 0
let parameters: Record<string, string>
beforeAll(async () => {
  parameters = await plantParameters()
})

const entities: Record<string, string> = {
  '&amp;': '&',
  '&#x27;': '’',
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
}
const toPlainText = (html: string | undefined) =>
  (html ?? '')
    .replace(/<!--.*?-->|<[^>]+>/g, '')
    .replace(/&(?:amp|#x27|quot|lt|gt);/g, (entity) => entities[entity] ?? entity)
    .trim()

/** Parameters whose values differ from run to run. */
const planted = [
  ...['observerId', 'importerId', 'jobId', 'inviteId', 'boundarySetId', 'fileId', 'errorReportId'],
]

/** Replaces the parts of an address that differ from run to run. */
function steady(text: string): string {
  let result = text.replace(/^https?:\/\/[^/]+/, '')
  for (const name of planted) result = result.replaceAll(parameters[name] ?? '', `{${name}}`)
  return decodeURIComponent(result)
}

/** The expected responses of all routes to all roles. */
const expectedFile = 'scripts/walks/routes.txt'

test('every route for every role: status, redirect, title and heading', async () => {
  const lines: string[] = []
  const silent: string[] = []
  // Each role requests one route after the other, all roles in parallel: while the database answers one, the
  // Worker renders another.
  const askAs = async (role: (typeof roles)[number]) => {
    for (const route of pickCrossSection(mainRoutes, 6, roles.indexOf(role))) {
      // Leaving ends the session of a signed-in person.
      const cookie = role === 'signed_out' ? '' : await getRoleCookie(role, route)
      const { status, headers, text } = await ask(fillRoute(route, parameters), {
        headers: { accept: 'text/html', ...(cookie ? { cookie } : {}) },
      })
      const statusLine =
        status >= 300 && status < 400
          ? [`→ ${steady(String(headers.location))}`]
          : [
              toPlainText(/<title>(.*?)<\/title>/s.exec(text)?.[1]),
              toPlainText(/<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1]),
            ]
      lines.push([route, role, String(status), ...statusLine].join(' | '))
      if (placeRoleIds.includes(role))
        for (const wrong of await untold(route, { status, headers, text }, cookie))
          silent.push(`${route} | ${role}: ${wrong}`)
    }
  }
  await Promise.all(roles.map(askAs))
  lines.sort((a, b) => order(a) - order(b))
  const serverErrors = lines.filter((line) => / \| 5\d\d/.test(line) && !line.startsWith('/error |'))
  expect(serverErrors).toEqual([])
  expect(silent).toEqual([])
  cells = lines.length
  if (isCrossSection) expect(lines).toEqual(readExpectedLines(lines))
  else await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('routes.txt')
}, 600_000)

/** Reads the expected lines of those routes and roles that were requested. */
function readExpectedLines(lines: readonly string[]): string[] {
  const getCellKey = (line: string) => line.split(' | ', 2).join(' | ')
  const requestedCells = new Set(lines.map(getCellKey))
  return readFileSync(expectedFile, 'utf8')
    .split('\n')
    .filter((line) => requestedCells.has(getCellKey(line)))
}

/** Roles of the place with limited rights: what they are denied, another member or a super admin may do. */
const placeRoleIds: readonly string[] = ['viewer', 'member', 'content_admin']
const isEditor = /\/(modify|create)$/

/**
 * Lists what an error fails to explain. An editor must redirect those who may not save to the read-only
 * screen, which names who may change it by role and name. Every other denial must say who may, or that it is
 * for super admins.
 */
async function untold(
  route: string,
  { status, headers, text }: Pick<Awaited<ReturnType<typeof ask>>, 'status' | 'headers' | 'text'>,
  cookie: string,
): Promise<string[]> {
  const location = String(headers.location ?? '')
  if (location.includes('refused=')) {
    const read = await ask(location, { headers: { accept: 'text/html', cookie } })
    const notice = toPlainText(/<p class="notice" role="status">(.*?)<\/p>/s.exec(read.text)?.[1])
    return [
      ...(read.status === 200 ? [] : [`leads to ${read.status}`]),
      ...(/Only people with the role .+ may .+\. Ask .+\.|Its own people may change it/.test(notice)
        ? []
        : [`says “${notice}”`]),
      ...(/<input[^>]* name="version"/.test(read.text) ? ['leads to an editor'] : []),
    ]
  }
  if (status !== 403) return []
  const stateTexts = [...text.matchAll(/<p class="state-text">(.*?)<\/p>/gs)].map((match) =>
    toPlainText(match[1]),
  )
  const isReasonShown = stateTexts.some((each) => /Only people with the role|super admins/.test(each))
  return [
    ...(isReasonShown ? [] : ['does not say who may']),
    ...(isEditor.test(route) && !/^\/roles/.test(route) ? ['is refused, not read'] : []),
  ]
}

const cookies = new Map<string, string>()
async function getRoleCookie(role: (typeof roles)[number], route: string): Promise<string> {
  const storedCookie = cookies.get(role)
  if (storedCookie !== undefined && route !== '/logout') return storedCookie
  const cookie = await createRoleCookies(role)
  if (route !== '/logout') cookies.set(role, cookie)
  return cookie
}

const order = (line: string) => {
  const [route = '', role = ''] = line.split(' | ')
  return mainRoutes.indexOf(route) * roles.length + (roles as readonly string[]).indexOf(role)
}

describe('every screen as the role that sees most', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  // In the small run each theme gets a quarter of the screens, in a cross-section a twenty-fourth, in the full run all.
  const part = isCrossSection ? 24 : 4
  const isDue = (n: number, scheme: 'light' | 'dark') =>
    isFullRun || n % part === (scheme === 'light' ? 0 : part / 2)

  const looks: ['light' | 'dark', number][] = [
    ['light', 1280],
    ['dark', 320],
  ]
  if (isFullRun) looks.push(['dark', 1280], ['light', 390], ['dark', 390])

  /** Checks each screen; returns the problems. */
  async function checkScreens(scheme: 'light' | 'dark', width: number): Promise<string[]> {
    const origin = `http://localhost:${inject('port')}`
    const stranger = await openWindow(browser, { width, scheme })
    const member = await openWindow(browser, { width, scheme })
    await member.context.addCookies([{ name: 'place', value: 'seattle-wa', url: origin }])
    await signInWithReason(member.page, 'super_admin', '/home')
    const wrong: string[] = []
    let screens = 0
    for (const [n, route] of mainRoutes.entries()) {
      if (route === '/logout' || !isDue(n, scheme)) continue
      const { page, complaints } = outside.includes(route) ? stranger : member
      complaints.length = 0
      await page.goto(origin + fillRoute(route, parameters), { waitUntil: 'networkidle' })
      screens += 1
      if (isFullRun) await picture(page, `${scheme}-${width}`, n, route)
      const addProblem = (what: string) => wrong.push(`${route} (${scheme}, ${width} px): ${what}`)
      for (const each of await findViolations(page)) addProblem(each)
      const wider = await measureOverflow(page)
      if (wider > 0) addProblem(`${wider} px wider than the window`)
      const isMissing = missing.includes(route)
      for (const each of complaints) if (!(isMissing && /status of [45]\d\d/.test(each))) addProblem(each)
    }
    await stranger.context.close()
    await member.context.close()
    lookedAt[`screens looked at, ${scheme}, ${width} px`] = screens
    return wrong
  }

  async function picture(page: Page, folder: string, n: number, route: string): Promise<void> {
    const name = `${String(n).padStart(2, '0')}${route.replaceAll(/[^a-zA-Z]+/g, '-')}.png`
    await page.screenshot({ path: join(shots, folder, name), fullPage: true })
  }

  // Two windows in parallel: while one waits for the network to be idle, the other is checked.
  test('has no violation, no console error and no horizontal overflow, in either theme', async () => {
    if (isFullRun) rmSync(shots, { recursive: true, force: true })
    const wrong: string[] = []
    for (let first = 0; first < looks.length; first += 2) {
      const pair = looks.slice(first, first + 2)
      const violationLists = await Promise.all(pair.map(([scheme, width]) => checkScreens(scheme, width)))
      wrong.push(...violationLists.flat())
    }
    writeMeasurements('routes', { ...lookedAt, cells, 'findings on screens': wrong.length })
    expect(wrong).toEqual([])
  }, 1_800_000)
})

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findViolations } from './axe.ts'
import {
  waitForHydration,
  openBrowser,
  openWindow,
  type Browser,
  type BrowserContext,
  type Page,
} from './browser.ts'
import { isCrossSection } from '#functions/v1/testing/figures.testing.ts'
import { signInWriter } from '../draft-faults/sign-in.ts'
import { openFaultSetup, type FaultSetup, type Writer } from '../draft-faults/fault-setup.ts'

/** A Worker and a database of this file alone, which fail while someone writes. */
let setup: FaultSetup
let browser: Browser
let pages = 0

beforeAll(async () => {
  setup = await openFaultSetup()
  browser = await openBrowser()
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await setup?.close()
})
beforeEach(() => {
  setup.proxy.set('pass')
  setup.gate.open()
})

const within = { timeout: 30_000 }

const signIn = (page: Page, who: Writer, path: string) => signInWriter(page, setup.origin, who, path)

/** Opens a new story that someone is writing, in its first text. */
async function writing(who = setup.ada, type: 'storytelling' | 'dashboard' = 'storytelling') {
  pages += 1
  const pageId = `walk-${pages}`
  const [contentId = ''] = await setup.makePage(pageId, type, 2)
  const { page, context } = await openWindow(browser)
  const path = `/pages/${type}/${pageId}/modify`
  await signIn(page, who, path)
  const text = page.getByRole('textbox', { name: /^Text/ }).first()
  if (type === 'storytelling') await text.waitFor()
  return { page, context, pageId, contentId, path, text }
}

async function typeAtEnd(page: Page, words: string) {
  await page.keyboard.press('Control+End')
  await page.keyboard.type(words)
}

const errorScreen = (page: Page) => page.getByText(/Something went wrong|System Maintenance/)
const getUnsavedNotice = (page: Page) => page.getByText('Not saved, kept on this device.').first()

/** Each fault of a save, and how it ends. */
const faults: Record<
  string,
  { begin(context: BrowserContext): unknown; end(context: BrowserContext): unknown }
> = {
  offline: { begin: (context) => context.setOffline(true), end: (context) => context.setOffline(false) },
  'no server': { begin: () => setup.proxy.set('refuse'), end: () => setup.proxy.set('pass') },
  '503 of saves': { begin: () => setup.proxy.set('busy', 'writes'), end: () => setup.proxy.set('pass') },
  '503 of all': { begin: () => setup.proxy.set('busy'), end: () => setup.proxy.set('pass') },
  'a database that is down': { begin: () => setup.gate.shut(), end: () => setup.gate.open() },
  'a lost answer': { begin: () => setup.proxy.set('lose', 'writes'), end: () => setup.proxy.set('pass') },
}

/** Of these `npm test` runs one of the network and one of an answer. */
const faultsAsked = Object.keys(faults).filter(
  (name) => !isCrossSection || name === 'offline' || name === 'a lost answer',
)

test.each(faultsAsked)('a story is saved in spite of: %s', async (name) => {
  const fault = faults[name]
  const { page, context, contentId, text } = await writing()
  await fault?.begin(context)
  await text.click()
  await typeAtEnd(page, ` Written during ${name}.`)
  await getUnsavedNotice(page).waitFor(within)
  expect(await errorScreen(page).count()).toBe(0)
  await typeAtEnd(page, ' And more.')
  expect(await text.innerText()).toContain(`Written during ${name}. And more.`)
  await fault?.end(context)
  await expect
    .poll(() => setup.readHtml(contentId), { timeout: 60_000, interval: 300 })
    .toContain(`Written during ${name}. And more.`)
  await page.getByText('Everything is saved.').waitFor(within)
  // A save whose answer was lost must not look like someone else's change.
  expect(await page.getByText('Someone else changed this').count()).toBe(0)
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft.'))),
  ).toEqual([])
  await context.close()
})

test('a successful save counts as saved, even when the screen cannot be reloaded', async ({ skip }) => {
  skip(isCrossSection)
  const { page, context, contentId, text } = await writing()
  setup.proxy.set('busy', 'reads')
  await text.click()
  await typeAtEnd(page, ' Only reading fails.')
  await page.getByText('Everything is saved.').waitFor(within)
  await expect.poll(() => setup.readHtml(contentId), within).toContain('Only reading fails.')
  await page.getByText('this page may be out of date').waitFor(within)
  expect(await errorScreen(page).count()).toBe(0)
  await typeAtEnd(page, ' Twice.')
  await expect.poll(() => setup.readHtml(contentId), within).toContain('Only reading fails. Twice.')
  expect(await text.innerText()).toContain('Twice.')
  await context.close()
})

test('a missing answer ends in a message, and the retry does not conflict with what arrived', async ({
  skip,
}) => {
  skip(isCrossSection)
  const { page, context, contentId, text } = await writing()
  setup.proxy.set('hang', 'writes')
  await text.click()
  await typeAtEnd(page, ' Hanging.')
  await page.getByText('The server did not answer in time.').waitFor({ timeout: 40_000 })
  // The button retries at once. An automatic retry a moment before may have removed the button: then wait for
  // that.
  const retryButton = page.getByRole('button', { name: 'Try now' })
  await retryButton.waitFor()
  setup.proxy.set('pass')
  await retryButton.click({ timeout: 3000 }).catch(() => retryButton.waitFor({ state: 'detached' }))
  await expect.poll(() => setup.readHtml(contentId), within).toContain('Hanging.')
  await context.close()
})

test('retries a save that was dropped without an answer or an error', async ({ skip }) => {
  skip(isCrossSection)
  const { page, context, contentId, text } = await writing()
  // The router aborts a fetch by its controller; then nothing reports the failure.
  await page.addInitScript(() => {
    const controllers: AbortController[] = []
    const Known = AbortController
    window.AbortController = class extends Known {
      constructor() {
        super()
        controllers.push(this)
      }
    }
    Object.assign(window, { giveUp: () => controllers.forEach((each) => each.abort()) })
  })
  await page.clock.install()
  await page.reload()
  await text.waitFor()
  await waitForHydration(page)
  setup.proxy.set('hang', 'writes')
  await text.click()
  await typeAtEnd(page, ' Dropped.')
  await page.clock.fastForward(3000)
  await page.getByText('Saving…').first().waitFor()
  await page.evaluate(() => (window as unknown as { giveUp(): void }).giveUp())
  setup.proxy.set('pass')
  await page.clock.fastForward(30_000)
  expect(await setup.readHtml(contentId)).not.toContain('Dropped.')
  await page.clock.fastForward(30_000)
  await expect.poll(() => setup.readHtml(contentId), within).toContain('Dropped.')
  await context.close()
})

test('a person signed out while writing signs in in another tab, and saving continues', async ({ skip }) => {
  skip(isCrossSection)
  const { page, context, contentId, text } = await writing()
  await setup.endSessions(setup.ada)
  await text.click()
  await typeAtEnd(page, ' After the session.')
  await page.getByText('You are signed out.').waitFor(within)
  await page.getByText('Your text is kept on this device.').waitFor()
  expect(await errorScreen(page).count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  // Someone else signs in: the text is neither saved as theirs nor shown to them.
  const other = await context.newPage()
  await signIn(other, setup.ben, '/home')
  await page.getByText('Someone else is signed in here now.').waitFor(within)
  await other.goto(page.url())
  await other.getByRole('textbox', { name: /^Text/ }).first().waitFor()
  await waitForHydration(other)
  expect(await other.getByText('is kept on this device').count()).toBe(0)
  expect(await other.locator('body').innerText()).not.toContain('After the session.')
  expect(await setup.readHtml(contentId)).not.toContain('After the session.')
  await setup.endSessions(setup.ben)
  await signIn(other, setup.ada, '/home')
  await expect.poll(() => setup.readHtml(contentId), within).toContain('After the session.')
  await page.getByText('Everything is saved.').waitFor(within)
  await context.close()
})

test('survives a restart of the server while someone writes', async ({ skip }) => {
  skip(isCrossSection)
  const { page, context, contentId, text } = await writing()
  await text.click()
  await typeAtEnd(page, ' Before.')
  const restarted = setup.restart()
  await typeAtEnd(page, ' Meanwhile.')
  await restarted
  await typeAtEnd(page, ' After.')
  await expect
    .poll(() => setup.readHtml(contentId), { timeout: 60_000 })
    .toContain('Before. Meanwhile. After.')
  expect(await errorScreen(page).count()).toBe(0)
  await context.close()
})

test('after a tab was closed, the draft is offered beside what is saved, with its date', async () => {
  const { page, context, contentId, path, text, pageId } = await writing()
  await context.setOffline(true)
  await text.click()
  await typeAtEnd(page, ' Kept in a closed tab.')
  await page.getByLabel('Title').fill('A title that was not saved')
  await page.waitForTimeout(600)
  await page.close({ runBeforeUnload: false })
  await context.setOffline(false)
  const { db } = setup.world.as('system')
  await db
    .updateTable('content')
    .set({ settings: JSON.stringify({ html: '<p>By someone else.</p>' }), version: 2 })
    .where('id', '=', contentId)
    .execute()

  const again = await context.newPage()
  await again.goto(setup.origin + path)
  await waitForHydration(again)
  const offer = again.locator('.kept-offer').filter({ hasText: 'What is saved was changed since' })
  await offer.waitFor(within)
  expect(await offer.innerText()).toMatch(
    /Not saved: your text of \w+ \d+, \d{4}, \d+:\d\d\s[AP]M is kept on this device/,
  )
  expect(await offer.innerText()).toContain('Kept in a closed tab.')
  expect(await offer.innerText()).toContain('By someone else.')
  expect(await findViolations(again)).toEqual([])
  await offer.getByRole('button', { name: 'Use my text' }).click()
  await expect.poll(() => setup.readHtml(contentId), within).toContain('Kept in a closed tab.')
  await again.locator('.kept-offer').getByRole('button', { name: 'Keep the saved text' }).click()
  await again.locator('.kept-offer').waitFor({ state: 'detached' })
  expect(await again.getByLabel('Title').inputValue()).toBe(`Page ${pageId}`)
  await again.getByText('Everything is saved.').waitFor(within)
  await again.reload()
  await waitForHydration(again)
  await again.waitForTimeout(1500)
  expect(await again.locator('.kept-offer').count()).toBe(0)
  await context.close()
})

test('two tabs edit the same text: the slower one is told, saves again, and then it is saved at once', async () => {
  const { page: first, context, path, text, contentId } = await writing()
  const second = await context.newPage()
  await second.goto(setup.origin + path)
  await waitForHydration(second)
  await text.click()
  await typeAtEnd(first, ' By the first tab.')
  await expect.poll(() => setup.readHtml(contentId), within).toContain('By the first tab.')
  await second.getByRole('textbox', { name: /^Text/ }).first().click()
  await typeAtEnd(second, ' By the second tab.')
  const conflictNotice = second.getByText('Someone else changed this while you were writing.')
  await conflictNotice.waitFor(within)
  expect(await setup.readHtml(contentId)).not.toContain('By the second tab.')
  let saves = 0
  second.on('request', (request) => (saves += request.method() === 'POST' ? 1 : 0))
  await second.keyboard.press('Control+s')
  await expect.poll(() => setup.readHtml(contentId), within).toContain('By the second tab.')
  await conflictNotice.waitFor({ state: 'detached' })
  await second.getByText('Everything is saved.').waitFor(within)
  expect(saves).toBe(1)
  await second.close()

  // So do forms with a save button.
  const settings = '/org/manage'
  const third = await context.newPage()
  for (const tab of [first, third]) {
    await tab.goto(setup.origin + settings)
    await waitForHydration(tab)
  }
  const save = async (tab: Page, name: string) => {
    await tab.getByLabel('Display name').fill(name)
    await tab.getByRole('button', { name: 'Save names and texts' }).click()
  }
  const readDisplayName = async () => {
    const { db } = setup.world.as('system')
    const row = db.selectFrom('place').select('displayName').where('id', '=', 'oakton')
    return (await row.executeTakeFirstOrThrow()).displayName
  }
  const before = await readDisplayName()
  await save(first, 'Oakton of the first')
  await expect.poll(readDisplayName, within).toBe('Oakton of the first')
  await save(third, 'Oakton of the third')
  const hint = third.getByText('save again to put them in place of the others')
  await hint.waitFor(within)
  await third.getByText('Saved meanwhile: Oakton of the first').waitFor(within)
  await third.getByRole('button', { name: 'Save names and texts' }).click()
  await expect.poll(readDisplayName, within).toBe('Oakton of the third')
  await hint.waitFor({ state: 'detached' })
  await save(third, before)
  await expect.poll(readDisplayName, within).toBe(before)
  await context.close()
})

test('a save that arrives after its tab was closed is not someone else’s change', async ({ skip }) => {
  skip(isCrossSection)
  const { page, context, contentId, path, text } = await writing()
  const before = (await setup.readHtml(contentId)) ?? ''
  setup.proxy.set('hang', 'writes')
  await text.click()
  await typeAtEnd(page, ' Sent by the closed tab.')
  // It is saved automatically after two seconds; what is typed later is only on the device.
  await page.waitForTimeout(3000)
  await typeAtEnd(page, ' Typed after it.')
  await page.waitForTimeout(600)
  await page.close({ runBeforeUnload: false })
  setup.proxy.set('pass')
  const again = await context.newPage()
  await again.goto(setup.origin + path)
  await waitForHydration(again)
  const offer = again.locator('.kept-offer')
  await offer.waitFor(within)
  const { db } = setup.world.as('system')
  await db
    .updateTable('content')
    .set({
      settings: JSON.stringify({ html: before.replace(/<\/p>$/, ' Sent by the closed tab.</p>') }),
      version: 2,
    })
    .where('id', '=', contentId)
    .execute()
  await offer.getByRole('button', { name: 'Use my text' }).click()
  await expect.poll(() => setup.readHtml(contentId), within).toContain('Typed after it.')
  await again.getByText('Everything is saved.').waitFor(within)
  expect(await again.getByText('Someone else changed this').count()).toBe(0)
  await context.close()
})

test('a new text accepts input at once, however slow or unreachable the server is', async ({ skip }) => {
  skip(isCrossSection)
  const { page, context, pageId } = await writing()
  const add = page.locator('.add-block.is-last').getByRole('button', { name: 'Text', exact: true })
  setup.proxy.slow(2500)
  await add.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Typed at once after adding.')
  await expect
    .poll(async () => (await setup.readTexts(pageId)).at(-1), within)
    .toContain('Typed at once after adding.')
  expect((await setup.readTexts(pageId)).length).toBe(3)
  await page.getByText('Everything is saved.').waitFor(within)

  await context.setOffline(true)
  await add.click()
  await page.keyboard.type('Added without a connection.')
  await getUnsavedNotice(page).waitFor(within)
  setup.proxy.set('lose', 'writes')
  await context.setOffline(false)
  // The request arrives, its answer is lost: the retry finds that the text exists.
  await expect.poll(async () => (await setup.readTexts(pageId)).length, within).toBe(4)
  setup.proxy.set('pass')
  await expect
    .poll(async () => (await setup.readTexts(pageId)).at(-1), { timeout: 60_000 })
    .toContain('Added without a connection.')
  await page.getByText('Everything is saved.').waitFor(within)
  expect((await setup.readTexts(pageId)).length).toBe(4)

  // Not added when the tab was closed: offered as a part of the page.
  await context.setOffline(true)
  await add.click()
  await page.keyboard.type('Never added.')
  await page.waitForTimeout(600)
  const url = page.url()
  await page.close({ runBeforeUnload: false })
  await context.setOffline(false)
  const again = await context.newPage()
  await again.goto(url)
  await waitForHydration(again)
  await again.getByRole('button', { name: 'Add it to the page' }).click()
  await expect.poll(async () => (await setup.readTexts(pageId)).at(-1), within).toContain('Never added.')
  await context.close()
})

test('a text of a dashboard is saved in spite of a fault', async ({ skip }) => {
  skip(isCrossSection)
  const { page, context, contentId } = await writing(setup.ada, 'dashboard')
  await page.locator(`[data-tile="${contentId}"]`).click()
  const text = page.locator(`#block-${contentId}`).getByRole('textbox')
  await text.waitFor()
  setup.gate.shut()
  await text.click()
  await typeAtEnd(page, ' On a board.')
  await getUnsavedNotice(page).waitFor(within)
  await page.locator(`[data-tile="${contentId}"]`).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByText('The arrangement is not saved.').waitFor(within)
  setup.gate.open()
  await expect.poll(() => setup.readHtml(contentId), { timeout: 60_000 }).toContain('On a board.')
  await page.getByText('Everything is saved.').waitFor({ timeout: 60_000 })
  expect(await errorScreen(page).count()).toBe(0)
  await context.close()
})

test('an ordinary form keeps a draft, retries, offers the draft, and removes it once saved', async () => {
  const { page, context } = await openWindow(browser)
  await signIn(page, setup.ada, '/collections/create')
  await page.getByLabel('Name').fill('A collection of the walk')
  await page.getByLabel('Notes').fill('First line.\nSecond line.')
  setup.proxy.set('refuse')
  await page.getByRole('button', { name: 'Create' }).click()
  await getUnsavedNotice(page).waitFor(within)
  expect(await errorScreen(page).count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await page.close({ runBeforeUnload: false })
  setup.proxy.set('pass')
  const again = await context.newPage()
  await again.goto(`${setup.origin}/collections/create`)
  await waitForHydration(again)
  await again.getByRole('button', { name: 'Use my text' }).click()
  expect(await again.getByLabel('Notes').inputValue()).toBe('First line.\nSecond line.')
  await again.getByRole('button', { name: 'Create' }).click()
  await again.waitForURL(/\/collections\/(?!create)[^/]+$/)
  await again.getByText('Second line.').waitFor()

  // Existing items are sent again automatically.
  await again.goto(`${again.url()}/modify`)
  await waitForHydration(again)
  expect(await again.locator('.kept-offer').count()).toBe(0)
  await again.getByLabel('Notes').fill('Changed while the database is away.')
  setup.gate.shut()
  await again.getByRole('button', { name: 'Save' }).click()
  await getUnsavedNotice(again).waitFor(within)
  setup.gate.open()
  await again.getByText('Changed while the database is away.', { exact: true }).waitFor({ timeout: 60_000 })
  await again.goto(`${setup.origin}/collections/create`)
  await waitForHydration(again)
  await again.waitForTimeout(1500)
  expect(await again.locator('.kept-offer').count()).toBe(0)
  await context.close()
})

test('signing out asks about drafts and removes them; an expired session keeps them', async ({ skip }) => {
  skip(isCrossSection)
  const { page, context, path, text } = await writing()
  await context.setOffline(true)
  await text.click()
  await typeAtEnd(page, ' Only here.')
  await getUnsavedNotice(page).waitFor(within)
  await page.close({ runBeforeUnload: false })
  await context.setOffline(false)
  const out = await context.newPage()
  await out.goto(`${setup.origin}/home`)
  await waitForHydration(out)
  const signOut = async () => {
    await out.getByRole('button', { name: /account and organization/ }).click()
    await out.getByRole('menuitem', { name: 'Sign out' }).click()
    await out.getByText('1 unsaved text is kept only on this device.').waitFor(within)
  }
  await signOut()
  expect(await out.getByRole('link', { name: /^Page walk/ }).getAttribute('href')).toBe(path)
  expect(await findViolations(out)).toEqual([])
  await out.getByRole('button', { name: 'Stay' }).click()
  await out.waitForURL((url) => url.pathname !== '/logout')
  await setup.endSessions(setup.ada)
  await signIn(out, setup.ada, path)
  await out.locator('.kept-offer').getByText('Only here.').waitFor({ state: 'attached' })
  await out.goto(`${setup.origin}/home`)
  await waitForHydration(out)
  await signOut()
  await out.getByRole('button', { name: 'Sign out and delete it' }).click()
  await out.waitForURL(/\/login/)
  expect(
    await out.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft.'))),
  ).toEqual([])
  await signIn(out, setup.ada, path)
  await out.waitForTimeout(1500)
  expect(await out.locator('.kept-offer').count()).toBe(0)
  await context.close()
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { account, ask } from './ask.ts'
import { findViolations } from './axe.ts'
import { waitForHydration, openBrowser, measureOverflow, type Browser, type Page } from './browser.ts'
import { deleteAs, deleteSource } from './delete-as.ts'
import { buildUrl, followEmailLink, openPatientWindow, signUp } from './newcomer.ts'
import { signIn } from './sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const within = { timeout: 40_000 }

/**
 * Accepts a shown invitation, is welcomed once, and then works in the place. `title`: the title of its hub.
 */
async function join(page: Page, { place, title = place }: { place: string; title?: string }, role: string) {
  await page.getByRole('heading', { level: 1, name: `Join ${place}` }).waitFor()
  expect(await page.getByText(role, { exact: true }).count()).toBe(1)
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.waitForURL(buildUrl('/hello'))
  await page.getByText(`You now work in ${title}.`).waitFor()
  await page.getByRole('button', { name: 'Start' }).click()
  await page.waitForURL(buildUrl('/home'))
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

async function invite(page: Page, email: string, role: string) {
  await page.goto(buildUrl('/team'))
  await waitForHydration(page)
  const form = page.locator('form#invite')
  await form.getByLabel('E-mail').fill(email)
  await form.getByLabel('Role').selectOption({ label: role })
  await form.getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByText('Invited. An email is on its way.').waitFor()
}

/** Calls an endpoint with the key of a role, as a program does. */
async function send(role: string, method: string, path: string, data: unknown) {
  const { status, text } = await ask(path, {
    method,
    headers: { authorization: `Bearer ${account(role).key}`, 'content-type': 'application/json' },
    body: JSON.stringify(data),
  })
  return { status, json: (text ? JSON.parse(text) : {}) as Record<string, unknown> }
}

test('an invited person edits what the role may, and gets a helpful error once removed', async () => {
  const admin = await openPatientWindow(browser)
  const guest = await openPatientWindow(browser)
  const stamp = Date.now()
  const email = `editor-${stamp}@demo.example`
  await signIn(admin.page, 'organization_admin', '/team')
  await invite(admin.page, email, 'Content admin')

  const { page } = guest
  await followEmailLink(page, email, /invite/i)
  await page.getByRole('heading', { level: 1, name: 'Join Seattle' }).waitFor()
  await page.getByRole('link', { name: 'Sign up' }).click()
  await signUp(page, `Edgar ${stamp}`, email)
  await join(page, { place: 'Seattle', title: 'Seattle Open Data' }, 'Content admin')

  // The role may edit pages, but not the organization's settings.
  await page.getByRole('link', { name: 'Pages', exact: true }).first().click()
  await page.getByRole('link', { name: 'New page' }).click()
  await page.getByLabel('Title').fill('Notes of a guest')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.waitForURL(/\/pages\/storytelling\/[^/]+\/modify/)
  const editor = page.url()
  await waitForHydration(page)
  await page.getByLabel('Title').fill(`Notes of ${stamp}`)
  await page.getByText('Everything is saved.').waitFor()
  expect(guest.complaints).toEqual([])
  await page.goto(buildUrl('/org/manage'))
  await page.getByText('Only people with the role').first().waitFor()
  expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
  await page.goto(editor)
  await waitForHydration(page)

  await admin.page.goto(buildUrl('/team'))
  await waitForHydration(admin.page)
  await admin.page.getByRole('button', { name: `Remove Edgar ${stamp}` }).click()
  const dialog = admin.page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await admin.page.getByText('Removed from the team.').waitFor()

  // The next click saves nothing, keeps the input, and says why.
  await page.getByLabel('Title').fill('After the end')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await page
    .locator('.form-error')
    .getByText(/copy what you wrote/)
    .first()
    .waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe('After the end')
  const pageId = /storytelling\/([^/]+)/.exec(editor)?.[1]
  const storedPage = await send(
    'organization_admin',
    'GET',
    `/v1/places/seattle-wa/pages/${pageId}`,
    undefined,
  )
  expect(storedPage.json).toMatchObject({ title: `Notes of ${stamp}` })
  await page.goto(buildUrl('/pages'))
  await page.waitForURL(buildUrl('/organization/new'))
  expect(await page.getByRole('link', { name: 'Pages', exact: true }).count()).toBe(0)
  expect(admin.complaints).toEqual([])
  await admin.context.close()
  await guest.context.close()
}, 360_000)

test('changing a role changes the button and the endpoint alike, from the next click on', async () => {
  const admin = await openPatientWindow(browser)
  const member = await openPatientWindow(browser)
  await signIn(member.page, 'member', '/pages')
  await signIn(admin.page, 'super_admin', '/rolesOperations/member/modify')

  /** Whether the member is offered to create a page, and the status of the endpoint. */
  async function readOffer() {
    await member.page.goto(buildUrl('/pages'))
    await member.page.getByRole('heading', { level: 1, name: 'Pages' }).waitFor()
    const hasButton = (await member.page.getByRole('link', { name: 'New page' }).count()) > 0
    const hasForm = (await member.page.locator('form#new').count()) > 0
    const { status, json } = await send('member', 'POST', '/v1/places/seattle-wa/pages', {
      ...{ title: 'Of a member', type: 'blank', visibility: 'place' },
    })
    if (status === 201) {
      const deletion = await send(
        'organization_admin',
        'DELETE',
        `/v1/places/seattle-wa/pages/${json.id}`,
        {},
      )
      expect(deletion.status).toBeLessThan(300)
    }
    return { hasButton, hasForm, status }
  }
  async function edit(isHeld: boolean) {
    await admin.page.goto(buildUrl('/rolesOperations/member/modify'))
    await waitForHydration(admin.page)
    await admin.page.getByRole('checkbox', { name: 'Create a page', exact: true }).setChecked(isHeld)
    await admin.page.getByRole('button', { name: 'Save' }).click()
    // The address changes before the screen does: the old form's labels must not be counted.
    await admin.page
      .getByRole('checkbox', { name: 'Create a page', exact: true })
      .waitFor({ state: 'detached' })
    await admin.page.waitForURL(buildUrl('/rolesOperations/member'))
    expect(await admin.page.getByText('Create a page', { exact: true }).count()).toBe(isHeld ? 1 : 0)
  }
  try {
    expect(await readOffer()).toEqual({ hasButton: false, hasForm: false, status: 403 })
    await edit(true)
    expect(await readOffer()).toEqual({ hasButton: true, hasForm: true, status: 201 })

    // Revoked while the form is open: the request is rejected with a message, and nothing is created.
    await member.page.goto(buildUrl('/pages#new'))
    await waitForHydration(member.page)
    await member.page.getByLabel('Title').fill('Too late')
    await edit(false)
    await member.page.getByRole('button', { name: 'Create', exact: true }).click()
    await member.page.locator('.form-error', { hasText: 'Your role may not do this.' }).waitFor()
    expect(await member.page.getByLabel('Title').inputValue()).toBe('Too late')
    expect(await readOffer()).toEqual({ hasButton: false, hasForm: false, status: 403 })
    expect(await member.page.getByText('Too late').count()).toBe(0)
  } finally {
    const { json } = await send('super_admin', 'GET', '/v1/roles/member', undefined)
    const operations = (json.operations as string[]).filter((operation) => operation !== 'page.create')
    await send('super_admin', 'PATCH', '/v1/roles/member', { operations })
  }
  expect(admin.complaints).toEqual([])
  await admin.context.close()
  await member.context.close()
}, 360_000)

test('an observer alerts about new records, and an alert that was read is no longer shown', async () => {
  const stamp = Date.now()
  const [dataTypeId, sourceId] = [`gauge-${stamp}`, `gauges-${stamp}`]
  const schema = { level: { name: 'Level', type: 'number' } }
  const dataType = await send('organization_admin', 'POST', '/v1/dataTypes', {
    ...{ id: dataTypeId, name: `Gauge ${stamp}`, category: 'Water', schema, ownerPlaceId: 'seattle-wa' },
  })
  expect(dataType.status).toBe(201)
  const source = { id: sourceId, name: `Gauges ${stamp}`, dataTypeId, visibility: 'place' }
  expect((await send('organization_admin', 'POST', '/v1/places/seattle-wa/sources', source)).status).toBe(201)

  const admin = await openPatientWindow(browser)
  const name = `The river is high ${stamp}`
  await signIn(admin.page, 'organization_admin', `/types/${dataTypeId}/observers/create`)
  await admin.page.getByLabel('Name', { exact: true }).fill(name)
  await admin.page.getByRole('button', { name: 'Create', exact: true }).click()
  await admin.page.waitForURL(/\/observers\/[0-9a-f-]{36}$/)
  const observer = admin.page.url()
  await admin.page.getByText('No alerts yet').waitFor()

  const datum = await send('organization_admin', 'POST', `/v1/sources/${sourceId}/data`, { level: 9 })
  expect(datum.status).toBeLessThan(300)

  // A member finds it at home and among the data types.
  const member = await openPatientWindow(browser)
  const { page } = member
  await signIn(page, 'member', '/home')
  const waiting = page
    .getByRole('region', { name: 'Needs attention' })
    .getByRole('listitem')
    .filter({ hasText: name })
  await expect
    .poll(async () => {
      await page.reload()
      return waiting.count()
    }, within)
    .toBe(1)
  expect(await waiting.innerText()).toContain('One alert is not read.')
  await page.goto(buildUrl('/types/catalog'))
  const notice = page.locator('.notice', { hasText: 'unread alert' })
  await notice.getByRole('link', { name }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByText('Unread', { exact: true }).waitFor()
  await page.locator('.alerts').getByRole('link').first().click()
  await page.waitForURL(/\?alert=/)
  await page.locator('.open-alert').waitFor()
  await page.goto(observer)
  await page.locator('.alerts').getByText('Read', { exact: true }).waitFor()
  await page.goto(buildUrl('/types/catalog'))
  await page.getByRole('heading', { level: 1, name: 'Data types' }).waitFor()
  expect(await notice.filter({ hasText: name }).count()).toBe(0)
  await page.goto(buildUrl('/home'))
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await waiting.count()).toBe(0)

  // Read marks are per person.
  await admin.page.goto(buildUrl(`/types/${dataTypeId}/observers`))
  await admin.page.getByText('1 unread', { exact: true }).waitFor()
  await admin.page.goto(observer)
  await waitForHydration(admin.page)
  await admin.page.getByRole('button', { name: 'Mark it as read' }).click()
  await admin.page.getByText('Marked as read.').waitFor()
  await admin.page.goto(buildUrl(`/types/${dataTypeId}/observers`))
  expect(await admin.page.getByText(/unread/).count()).toBe(0)
  await deleteAs(admin.page, `/v1/places/seattle-wa/observers/${observer.split('/').at(-1)}`)
  await deleteSource(admin.page, sourceId)
  expect([...admin.complaints, ...member.complaints]).toEqual([])
  await admin.context.close()
  await member.context.close()
}, 360_000)

test('a person invited to a second organization finds the invitation at home, and its links work there', async () => {
  const stamp = Date.now()
  const email = `both-${stamp}@demo.example`
  const invited = (placeId: string) =>
    send('super_admin', 'POST', '/v1/invites', { placeId, email, role: 'viewer' })
  expect((await invited('seattle-wa')).status).toBeLessThan(300)
  const guest = await openPatientWindow(browser)
  const { page } = guest
  await followEmailLink(page, email, /invite/i)
  await page.getByRole('link', { name: 'Sign up' }).click()
  await signUp(page, `Bea ${stamp}`, email)
  await join(page, { place: 'Seattle', title: 'Seattle Open Data' }, 'Viewer')
  const notice = page.locator('.notice', { hasText: 'You are invited to' })
  expect(await notice.count()).toBe(0)

  // Items of another organization's place are not there.
  const readInsight = async (placeId: string) => {
    const { json } = await send('super_admin', 'GET', `/v1/places/${placeId}/insights?limit=1`, undefined)
    const [insight] = json.results as { id: string; name: string }[]
    return { name: insight?.name ?? '', link: buildUrl(`/insights/${insight?.id}?from=letter`) }
  }
  const { link, name } = await readInsight('usa')
  await page.goto(link)
  await page.getByRole('heading', { name: 'Uh-oh! This doesn’t exist.' }).waitFor()

  expect((await invited('usa')).status).toBeLessThan(300)
  for (const path of ['/account', '/home']) {
    await page.goto(buildUrl(path))
    await notice.waitFor()
  }
  // A signed-in person is told about a pending invitation; the link in its email opens it, and can be
  // requested once a minute.
  await notice.getByRole('link', { name: 'See the invitation' }).click()
  await page.getByRole('heading', { level: 1, name: 'An invitation waits for you' }).waitFor()
  await waitForHydration(page)
  expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Send me the email again' }).click()
  await page.getByText('This invitation was sent just now. Please wait a minute.').waitFor()
  await page.getByRole('link', { name: 'Not now' }).click()
  await page.waitForURL(buildUrl('/home'))
  await followEmailLink(page, email, /invite|invitation/i)
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.waitForURL(buildUrl('/home'))
  // Accepting switches to the new organization, and stays there.
  for (const path of ['/home', '/']) {
    if (path === '/') await page.goto(buildUrl(path))
    await page.getByRole('heading', { level: 1, name: 'Atlas of the United States' }).waitFor()
  }
  expect(await notice.count()).toBe(0)
  await page.goto(link)
  await page.getByRole('heading', { level: 1, name }).waitFor()

  const first = await readInsight('seattle-wa')
  await page.goto(first.link)
  const there = page.getByRole('button', { name: /^Switch to .+ and go on$/ })
  await there.waitFor()
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^This is in .+\.$/)
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 720 })
  expect(await measureOverflow(page)).toBe(0)
  await page.evaluate(() => localStorage.setItem('place', 'usa'))
  await there.click()
  await page.waitForURL(first.link)
  await page.getByRole('heading', { level: 1, name: first.name }).waitFor()
  // The browser remembers it as if it had been chosen in the menu.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('place'))).toBe('seattle-wa')
  await page.goto(buildUrl('/'))
  await page.waitForURL(buildUrl('/home'))
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Seattle Open Data')
  // The browser logs a 404 for pages that do not exist.
  expect(guest.complaints.filter((each) => ![link, first.link].some((one) => each.includes(one)))).toEqual([])
  await guest.context.close()
}, 360_000)

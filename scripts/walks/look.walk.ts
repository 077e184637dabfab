import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ask, callAs, hubs } from './ask.ts'
import { findViolations } from './axe.ts'
import { openBrowser, openWindow, measureOverflow, type Browser } from './browser.ts'
import { signIn } from './sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const within = { timeout: 40_000 }
const { id: place, host } = hubs.seattle
const hub = (path: string) => `http://${host}:${inject('port')}${path}`

/** Calls an endpoint as a program of the organization does. */
const send = (method: string, path: string, data: unknown) => callAs('organization_admin', method, path, data)

const drawing = (width: number, height: number, inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inside}</svg>`
const drawings = {
  Logo: drawing(80, 80, '<circle cx="40" cy="40" r="38" fill="#0b5394"/>'),
  'Wide logo': drawing(400, 80, '<path d="M0 0h400v80h-400z" fill="#0b5394"/>'),
  'Small logo': drawing(40, 40, '<path d="M0 0h40v40h-40z" fill="#7a1fa2"/>'),
  'Header image': drawing(1600, 500, '<path d="M0 300q800 -400 1600 0v200h-1600z" fill="#9fc5e8"/>'),
}

/** Stores a drawing in the library of the organization. Returns its path. */
async function storeDrawing(name: string, text: string): Promise<{ id: string; path: string }> {
  const files = `/v1/assets/${place}/files`
  const announced = { name: `${name}.svg`, type: 'image/svg+xml', size: Buffer.byteLength(text) }
  const target = await send('POST', `${files}/getUploadWriteUrl`, announced)
  const { pathname, search } = new URL(String(target.url))
  const headers = { 'content-type': 'image/svg+xml', 'content-length': String(announced.size) }
  const uploadResponse = await ask(pathname + search, { method: 'PUT', headers, body: text })
  expect(uploadResponse.status).toBe(200)
  const { id, url } = await send('POST', files, { fileId: target.fileId, alt: `${name} of Seattle` })
  return { id: String(id), path: new URL(String(url)).pathname }
}

/** Measures the layout shift of a hub's page while it loads, and which logo is shown in which size. */
const measureHeader = () =>
  new Promise<{ shift: number; logo: string; width: number; height: number; name: boolean }>((resolve) => {
    let shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shift += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => {
      const image = document.querySelector<HTMLImageElement>('.hub-name img')
      const { width = 0, height = 0 } = image?.getBoundingClientRect() ?? {}
      const name = document.querySelector('.hub-name span')
      resolve({
        ...{ shift, width, height },
        logo: decodeURIComponent(image?.currentSrc.split('/').at(-1) ?? ''),
        name: (name?.getBoundingClientRect().width ?? 0) > 1,
      })
    }, 300)
  })

test('pictures of an organization appear on its hub without layout shift, and disappear with their files', async () => {
  const files = Object.fromEntries(
    await Promise.all(
      Object.entries(drawings).map(async ([name, text]) => [name, await storeDrawing(name, text)] as const),
    ),
  )
  const { page, context, complaints } = await openWindow(browser)
  page.setDefaultTimeout(20_000)
  await signIn(page, 'organization_admin', '/org/manage')
  for (const [label, { path }] of Object.entries(files))
    await page.getByRole('textbox', { name: label, exact: true }).fill(path)
  const home = async () => {
    const { text } = await ask('/', { host })
    const header = /<img class="home-image[^>]* alt="([^"]*)"/.exec(text)?.[1] ?? null
    return { header, logo: /<a class="(hub-name[^"]*)"[^>]*><(\w+)/.exec(text)?.slice(1) }
  }
  const nameOnly = ['hub-name', 'span']
  expect(await home()).toEqual({ header: null, logo: nameOnly })
  await page.getByRole('button', { name: 'Save the look' }).click()
  await page.getByText('The new look is saved.').waitFor()
  const withWide = ['hub-name has-wide-logo', 'picture']
  await expect.poll(home, within).toEqual({ header: 'Header image of Seattle', logo: withWide })
  const about = async () => (await ask('/es/about', { host })).text.includes(files.Logo?.path ?? '?')
  await expect.poll(about, within).toBe(true)

  const picture = await ask(files.Logo?.path ?? '', { host })
  expect([picture.status, picture.headers['cache-control']]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ])
  for (const [width, scheme, logo, name] of [
    [1280, 'light', { logo: 'Wide logo.svg', width: 200 }, false],
    [800, 'dark', { logo: 'Logo.svg', width: 40 }, true],
    [320, 'dark', { logo: 'Small logo.svg', width: 40 }, true],
  ] as const) {
    const visit = await openWindow(browser, { width, scheme })
    await visit.page.goto(hub('/'))
    const header = await visit.page.evaluate(measureHeader)
    expect(header).toMatchObject({ ...logo, height: 40, name })
    expect(header.shift, `${width} px`).toBeLessThan(0.01)
    expect(await measureOverflow(visit.page)).toBe(0)
    expect(await findViolations(visit.page)).toEqual([])
    expect(visit.complaints).toEqual([])
    await visit.context.close()
  }

  // Deleting a file removes its picture; without any picture the name is shown alone.
  await send('POST', `/v1/assets/${place}/files/deleteFiles`, { ids: [files['Header image']?.id] })
  await expect.poll(home, within).toEqual({ header: null, logo: withWide })
  for (const label of Object.keys(files))
    await page.getByRole('textbox', { name: label, exact: true }).fill('')
  await page.getByRole('button', { name: 'Save the look' }).click()
  await expect.poll(home, within).toEqual({ header: null, logo: nameOnly })
  expect(complaints).toEqual([])
  await context.close()
})

test('a story that is restricted to its organization disappears from all pages of the hub', async () => {
  const { page, context, complaints } = await openWindow(browser)
  page.setDefaultTimeout(20_000)
  const { results } = (await send('GET', `/v1/places/${place}/pages?visibility=public`, undefined)) as {
    results: { id: string; type: string; title: string; publish: string }[]
  }
  const story = results.find(({ type, publish }) => type === 'storytelling' && publish === 'published')
  const path = `/pages/storytelling/${story?.id}/preview`
  const search = `/search?search=${encodeURIComponent(story?.title ?? '')}`
  const everywhere = ['/', '/datastories', '/sitemap.xml', '/datastories/feed.atom', search]
  const findStory = async () => {
    const texts = await Promise.all(everywhere.map((each) => ask(each, { host })))
    const { status } = await ask(path, { host })
    const mentions = texts.filter(({ text }) => text.includes(String(story?.id))).length
    return { status, named: mentions }
  }
  const before = await findStory()
  expect(before).toMatchObject({ status: 200 })
  expect(before.named).toBeGreaterThan(2)

  await signIn(page, 'content_admin', path.replace(/preview$/, 'modify'))
  const readers = page.getByRole('group', { name: 'Who reads it' })
  expect(await readers.getByRole('radio', { name: /^Public/ }).isChecked()).toBe(true)
  await readers.getByRole('radio', { name: /^Organization/ }).check()
  await page.getByRole('button', { name: 'Save who reads it' }).click()
  await page.getByText('Published for the people of your organization.').first().waitFor()
  await expect.poll(findStory, within).toEqual({ status: 404, named: 0 })
  await page.goto(`http://localhost:${inject('port')}/pages?visibility=place&publish=published`)
  await page
    .getByRole('listitem')
    .filter({ hasText: story?.title ?? '' })
    .getByText('Organization')
    .waitFor()

  await page.goto(`http://localhost:${inject('port')}${path.replace(/preview$/, 'modify')}`)
  await readers.getByRole('radio', { name: /^Public/ }).check()
  await page.setViewportSize({ width: 320, height: 720 })
  expect(await measureOverflow(page)).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save who reads it' }).click()
  await expect.poll(findStory, within).toEqual(before)
  expect(complaints).toEqual([])
  await context.close()
})

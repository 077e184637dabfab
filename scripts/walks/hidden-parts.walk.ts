import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ask, callAs, hubs } from './ask.ts'
import { findViolations } from './axe.ts'
import { openBrowser, openWindow, measureOverflow, type Browser } from './browser.ts'
import { deleteSource } from './delete-as.ts'
import { signIn } from './sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const within = { timeout: 20_000 }
const place = 'seattle-wa'

/** Calls the API with the organization admin's key. */
const api = <Result = unknown>(method: string, path: string, data?: unknown) =>
  callAs<Result>('organization_admin', method, `/v1${path}`, data)

/** Creates a private source with seemingly personal data, a chart of it, and a story with that chart. */
async function createPrivateStory() {
  const schema = {
    kind: { name: 'Kind', type: 'text' },
    contact: { name: 'Contact', type: 'text' },
    days: { name: 'Days open', type: 'number' },
  }
  const dataType = await api<{ id: string }>('POST', '/dataTypes', {
    ...{ name: 'Complaint', notes: 'Calls to the office.', schema, ownerPlaceId: place },
  })
  const dataTypeId = dataType.id
  const source = await api<{ id: string }>('POST', '/sources', {
    ...{ placeId: place, dataTypeId, name: 'Complaints of the week', visibility: 'place' },
  })
  for (const [n, kind] of ['Noise', 'Noise', 'Light', 'Litter'].entries())
    await api('POST', `/sources/${source.id}/data`, { kind, contact: `neighbour${n}@example.org`, days: n })
  const insight = await api<{ id: string }>('POST', '/insights', {
    ...{ placeId: place, dataTypeId, sourceId: source.id, name: 'Complaints by kind', visibility: 'place' },
    visualization: { type: 'bar', settings: { x: 'kind', y: 'count' } },
    query: {
      aggregations: [
        { alias: 'kind', name: 'Kind', value: { field: 'data.kind' } },
        { alias: 'count', name: 'Complaints', value: { function: 'count', arguments: [] } },
      ],
      groupings: [{ field: 'kind' }],
    },
  })
  const page = await api<{ id: string }>('POST', `/places/${place}/pages`, {
    ...{ title: 'What people complain about', description: 'A week.', type: 'storytelling' },
    visibility: 'place',
  })
  const contents = `/places/${place}/pages/${page.id}/contents`
  await api('POST', contents, { kind: 'text', settings: { html: '<p>A week of calls.</p>' }, position: 0 })
  await api('POST', contents, { kind: 'insight', settings: { insightId: insight.id }, position: 1 })
  return { pageId: page.id, insightId: insight.id, sourceId: source.id }
}

test('publishing a story with a chart that not everyone may see requires a decision about the chart', async () => {
  const { pageId, insightId, sourceId } = await createPrivateStory()
  const path = `/pages/storytelling/${pageId}`
  const { page, context, complaints } = await openWindow(browser)
  page.setDefaultTimeout(20_000)
  try {
    await signIn(page, 'organization_admin', `${path}/modify`)
    const panel = page.getByRole('complementary', { name: 'Publishing' })
    const hiddenParts = panel.getByRole('region', { name: 'Not everyone may see' })
    expect(await hiddenParts.getByRole('link').allTextContents()).toEqual([
      'Complaints by kind',
      'Complaints of the week',
    ])
    expect(await hiddenParts.innerText()).toMatch(/Looks personal[\s\S]*email addresses/)
    await hiddenParts.getByText('What making it public shows: 4 records').click()
    expect(await hiddenParts.innerText()).toContain('neighbour3@example.org')
    expect(await findViolations(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 720 })
    expect(await measureOverflow(page)).toBe(0)
    await page.setViewportSize({ width: 1280, height: 800 })

    // The preview shows what everyone would read: without the chart, with a notice.
    const preview = await page.request.get(`http://localhost:${inject('port')}${path}/preview`)
    const previewed = await preview.text()
    expect(previewed).toContain('A week of calls.')
    expect(previewed).toMatch(/Left out for readers[\s\S]*Complaints by kind/)
    expect(previewed).not.toMatch(/<figure/)

    // Members see all of it, so for them there is nothing to decide.
    const plain = panel.getByRole('button', { name: 'Publish', exact: true })
    expect(await plain.count()).toBe(0)
    await panel.getByRole('radio', { name: /Organization/ }).check()
    await plain.waitFor()
    await panel.getByRole('radio', { name: /Public/ }).check()
    await panel.getByRole('button', { name: 'Publish without them' }).waitFor()
    await panel.getByRole('button', { name: 'Make these public and publish' }).click()
    await page.getByText('Published', { exact: true }).first().waitFor()
    await hiddenParts.waitFor({ state: 'detached' })
    const read = async () => (await ask(`${path}/preview`, { host: hubs.seattle.host })).text
    await expect
      .poll(read, within)
      .toMatch(/<figure[\s\S]*Complaints by kind|Complaints by kind[\s\S]*<figure/)
    const source = await api<{ visibility: string }>('GET', `/sources/${sourceId}`)
    expect(source.visibility).toBe('public')
    expect(complaints).toEqual([])
  } finally {
    // Other walks count what the hub shows.
    await api('DELETE', `/places/${place}/pages/${pageId}`)
    await api('DELETE', `/insights/${insightId}`)
    await deleteSource(page, sourceId)
    await context.close()
  }
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveV1 } from './serve.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => void (world = await openWorld(city)))
afterAll(() => world.close())

interface Answer {
  status: number
  body: Record<string, unknown> & { error?: { fields?: { path: (string | number)[]; message: string }[] } }
}

async function send(method: string, path: string, person: Person, data?: unknown): Promise<Answer> {
  const ctx = world.as(person)
  const headers = { 'content-type': 'application/json' }
  const body = data === undefined ? null : JSON.stringify(data)
  const response = await serveV1(
    new Request(`http://localhost:8787/v1${path}`, { method, headers, body }),
    ctx,
  )
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

const metadata = {
  licence: 'Terms of Oakton',
  licenceUrl: 'https://oakton.example/terms',
  tags: ['Emergencies', '救急', 'fire service'],
  topic: 'Public safety',
  publisher: 'Office of Open Data',
  publisherUrl: 'https://opendata.example/',
  contactName: 'Data desk',
  contact: 'data@oakton.example',
  cadence: 'monthly',
}

test('metadata are stored as sent, and clients that do not know them leave them unchanged', async () => {
  const path = '/places/oakton/sources/open'
  const before = await send('GET', path, 'viewer')
  expect(before.body).toMatchObject({ tags: [], topic: null, publisher: null, contact: null, cadence: null })
  const response = await send('PATCH', path, 'content_admin', metadata)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  expect((await send('GET', path, 'anonymous')).body).toMatchObject(metadata)
  // The members of a source that the published client sends.
  const { name, notes } = before.body
  expect((await send('PATCH', path, 'content_admin', { name, notes })).status).toBe(200)
  expect((await send('GET', path, 'anonymous')).body).toMatchObject(metadata)
  const emptyMetadata = { tags: [], topic: null, contact: null, cadence: null }
  expect((await send('PATCH', path, 'content_admin', emptyMetadata)).body).toMatchObject({
    ...emptyMetadata,
    publisher: 'Office of Open Data',
  })
})

test('a new source has its metadata at once', async () => {
  const created = await send('POST', '/places/oakton/sources', 'content_admin', {
    ...{ name: 'Calls', dataTypeId: 'call' },
    ...metadata,
    contact: 'https://oakton.example/ask',
  })
  expect(created.body).toMatchObject({ ...metadata, contact: 'https://oakton.example/ask' })
  const bare = await send('POST', '/places/oakton/sources', 'content_admin', {
    name: 'Bare',
    dataTypeId: 'call',
  })
  expect(bare.body).toMatchObject({ tags: [], topic: null, publisher: null, licenceUrl: null, cadence: null })
})

test.each([
  [{ tags: 'fire' }, ['tags'], 'Must be a list of texts.'],
  [{ tags: ['fire', ''] }, ['tags', 1], 'Required.'],
  [{ tags: ['fire', 'flood', 'Fire'] }, ['tags', 2], 'Must not be there twice.'],
  [{ tags: ['fire', '<b>'] }, ['tags', 1], 'Must be one line without < or >.'],
  [{ tags: ['fire', 'x'.repeat(51)] }, ['tags', 1], 'Must be at most 50 characters.'],
  [{ tags: Array.from({ length: 21 }, (_, i) => `t${i}`) }, ['tags'], 'Must be at most 20 tags.'],
  [{ topic: 'two\nlines' }, ['topic'], 'Must be one line without < or >.'],
  [{ contact: 'the town hall' }, ['contact'], 'Must be an email address or a web address.'],
  [{ contact: 'javascript:alert(1)' }, ['contact'], 'Must be an email address or a web address.'],
  [{ publisherUrl: 'opendata.example' }, ['publisherUrl'], 'Must be a web address.'],
  [{ licenceUrl: 'javascript:alert(1)' }, ['licenceUrl'], 'Must be a web address.'],
  [
    { cadence: 'sometimes' },
    ['cadence'],
    'Must be one of continuous, daily, weekly, fortnightly, monthly, quarterly, halfYearly, yearly, everyTwoYears, irregular, never.',
  ],
])('%j is rejected at %j', async (data, path, message) => {
  const { status, body } = await send('PATCH', '/places/oakton/sources/inner', 'content_admin', data)
  expect(status).toBe(400)
  expect(body.error?.fields?.map((issue) => [issue.path, issue.message])).toEqual([[path, message]])
})

test('the data package of a source has publisher, contact, and licence with its URL', async () => {
  const path = '/places/oakton/sources/open'
  await send('PATCH', path, 'content_admin', { ...metadata, licence: 'CC BY 4.0', licenceUrl: null })
  const { body } = await send('GET', `${path}/datapackage.json`, 'anonymous')
  expect(body).toMatchObject({
    keywords: metadata.tags,
    licenses: [
      { name: 'CC-BY-4.0', title: 'CC BY 4.0', path: 'https://creativecommons.org/licenses/by/4.0/' },
    ],
    contributors: [
      { title: 'Office of Open Data', role: 'publisher', path: 'https://opendata.example/' },
      { title: 'Data desk', role: 'contact', email: 'data@oakton.example' },
    ],
  })
})

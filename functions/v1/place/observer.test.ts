import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveV1 } from '../serve.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  await ingest(world.as('system'), 'open', [
    { type: 'noise', minutes: 1 },
    { type: 'noise', minutes: 2 },
    { type: 'fire', minutes: 3 },
  ])
})
afterAll(() => world.close())

async function ask(person: Person, method: string, path: string, data?: unknown) {
  const body = data === undefined ? null : JSON.stringify(data)
  const headers: Record<string, string> = body === null ? {} : { 'content-type': 'application/json' }
  const request = new Request(`http://localhost:8787/v1${path}`, { method, body, headers })
  const response = await serveV1(request, world.as(person))
  const text = await response.text()
  return {
    status: response.status,
    text,
    json:
      response.headers.get('content-type') === 'application/json'
        ? (JSON.parse(text) as Record<string, unknown>)
        : {},
  }
}

const at = '/places/oakton/observers'
const body = {
  name: 'Noise',
  dataTypeId: 'call',
  filters: { 'data.type': 'noise' },
  condition: { operator: 'gt', aggregation: { function: 'count' }, value: 1 },
}

test('an observer is validated, created, tested, changed and deleted', async () => {
  expect(await ask('organization_admin', 'POST', `${at}/validate`, body)).toMatchObject({
    json: { valid: true },
  })
  const response = await ask('organization_admin', 'POST', at, body)
  expect(response).toMatchObject({ status: 201, json: { name: 'Noise', version: 1 } })
  const secret = String(response.json.secret)
  expect(secret).toMatch(/^whsec_/)
  const one = `${at}/${String(response.json.id)}`
  const read = await ask('viewer', 'GET', one)
  expect(read).toMatchObject({ status: 200, json: { unreadCount: 0, condition: body.condition } })
  expect(read.text).not.toContain('whsec_')
  expect((await ask('viewer', 'GET', at)).json).toMatchObject({ meta: { results: 2, total: 2 } })
  expect(await ask('viewer', 'GET', `${one}/analytics`)).toMatchObject({ json: { results: [{ value: 2 }] } })
  const rows = await ask('viewer', 'GET', `${one}/export?format=ndjson`)
  expect(rows).toMatchObject({
    status: 200,
    text: '{"type":"noise","minutes":1}\n{"type":"noise","minutes":2}\n',
  })
  expect(await ask('organization_admin', 'PATCH', one, { enabled: false })).toMatchObject({
    json: { enabled: false, version: 2 },
  })
  expect(await ask('organization_admin', 'PATCH', one, { condition: { operator: 'gt' } })).toMatchObject({
    status: 400,
  })
  expect(await ask('content_admin', 'DELETE', one)).toMatchObject({ status: 403 })
  expect(await ask('organization_admin', 'DELETE', one)).toMatchObject({ status: 200 })
  expect(await ask('viewer', 'GET', `${one}/analytics`)).toMatchObject({ status: 404 })
  expect(await ask('viewer', 'GET', `${one}/export`)).toMatchObject({ status: 404 })
})

test('alerts are counted, listed, read and deleted', async () => {
  expect((await ask('member', 'GET', `${at}/unread`)).json).toEqual({ total: 1, byObserver: { watch: 1 } })
  const alerts = `${at}/watch/alerts`
  expect((await ask('member', 'GET', alerts)).json).toMatchObject({ results: [{ id: 'rang', read: false }] })
  expect((await ask('member', 'GET', `${alerts}/rang`)).json).toMatchObject({ id: 'rang', read: true })
  expect((await ask('member', 'GET', `${at}/unread`)).json).toEqual({ total: 0, byObserver: {} })
  expect((await ask('viewer', 'GET', `${at}/unread`)).json).toMatchObject({ total: 1 })
  expect(await ask('member', 'DELETE', `${alerts}/rang`)).toMatchObject({ status: 403 })
  expect(await ask('organization_admin', 'DELETE', `${alerts}/rang`)).toMatchObject({ json: { id: 'rang' } })
  expect(await ask('member', 'GET', `${alerts}/rang`)).toMatchObject({ status: 404 })
})

test('templates are available to everyone', async () => {
  expect(await ask('anonymous', 'GET', '/insights/templates')).toMatchObject({ status: 200 })
})

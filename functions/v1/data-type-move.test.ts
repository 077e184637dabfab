import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveV1 } from './serve.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { processMoves } from '#functions/domain/data-type/work.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  // Elmsford's data type, used by Oakton: by a public source and by a private one.
  const { db } = world.as('system')
  const source = (id: string, visibility: 'public' | 'private') => ({
    ...{ id, name: id, placeId: 'oakton', dataTypeId: 'lamp', visibility, createdBy: null },
  })
  await db
    .insertInto('source')
    .values([source('lamps', 'public')])
    .execute()
  await ingest(world.as('system'), 'lamps', [
    { type: 'LED', minutes: 5 },
    { type: 'Gas', minutes: 7 },
  ])
})
afterAll(() => world.close())

async function send(person: Person, method: string, path: string, body?: unknown) {
  const request = new Request(`http://localhost:8787/v1${path}`, {
    ...{ method, headers: { 'content-type': 'application/json', accept: 'application/json' } },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const response = await serveV1(request, world.as(person))
  const text = await response.text()
  const json: unknown = text ? JSON.parse(text) : null
  return {
    status: response.status,
    to: response.headers.get('location'),
    body: json as Record<string, unknown>,
  }
}

async function settle() {
  for (let i = 0; i < 4; i += 1) {
    await processMoves(world.as('system'))
    await sql`update data_type_move set due_at = now()`.execute(world.as('system').db)
  }
}

const readDataTypeId = async () => {
  const { body } = await send('anonymous', 'GET', '/sources/lamps')
  return String(body.dataTypeId)
}

describe('a data type deleted by its owner', () => {
  test('is gone for the owner at once, and copied for others', async () => {
    const answer = await send('super_admin', 'DELETE', '/dataTypes/lamp')
    expect(answer.status).toBe(200)
    // Still readable at the old path until its source has moved.
    const before = await send('anonymous', 'GET', '/places/oakton/dataTypes/lamp/data')
    expect([before.status, (before.body.results as unknown[]).length]).toEqual([200, 2])
    await settle()
  })

  test('redirects to the copy that the sources of a place have now, with everything below it', async () => {
    const to = await readDataTypeId()
    expect(to).toMatch(/^lamp-[a-z0-9]{5}$/)
    for (const rest of ['', '/data?limit=1', '/fields', '/analytics', '/export.csv']) {
      const led = await send('anonymous', 'GET', `/places/oakton/dataTypes/lamp${rest}`)
      expect([led.status, led.to]).toEqual([308, `/v1/places/oakton/dataTypes/${to}${rest}`])
    }
    const here = await send('anonymous', 'GET', `/places/oakton/dataTypes/${to}/data`)
    expect([here.status, (here.body.results as unknown[]).length]).toEqual([200, 2])
    expect((await send('anonymous', 'GET', '/dataTypes/lamp')).status).toBe(404)
    expect((await send('anonymous', 'GET', `/dataTypes/${to}`)).body).toMatchObject({
      name: 'Lamp',
      ownerPlaceId: 'oakton',
    })
  })

  test('never redirects to a source that is not visible, nor from a place without one', async () => {
    const { db } = world.as('system')
    await db.updateTable('source').set({ visibility: 'private' }).where('id', '=', 'lamps').execute()
    expect((await send('anonymous', 'GET', '/places/oakton/dataTypes/lamp')).status).toBe(404)
    expect((await send('organization_admin', 'GET', '/places/oakton/dataTypes/lamp')).status).toBe(308)
    expect((await send('organization_admin', 'GET', '/places/elmsford/dataTypes/lamp')).status).toBe(404)
    await db.updateTable('source').set({ visibility: 'public' }).where('id', '=', 'lamps').execute()
  })

  test('accepts no new sources while existing ones are moved', async () => {
    const { db } = world.as('system')
    await db
      .updateTable('dataType')
      .set({ deletedAt: null, closedAt: new Date() })
      .where('id', '=', 'lamp')
      .execute()
    const response = await send('organization_admin', 'POST', '/places/oakton/sources', {
      name: 'More',
      dataTypeId: 'lamp',
    })
    expect(response.status).toBe(400)
  })
})

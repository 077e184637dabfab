import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '#functions/api/call.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const params = { placeId: 'oakton' }
const fileFor = (person: Person, filters?: object) =>
  call(v1.place.activity['.csv'], world.as(person), { params, options: { ...(filters && { filters }) } })
const textFor = async (person: Person, filters?: object) => {
  const { body, fileName, contentType } = await fileFor(person, filters)
  return { text: await new Response(body).text(), fileName, contentType }
}
const line = (n: number, more: object = {}) => ({
  ...{ id: `line-${String(n).padStart(6, '0')}`, placeId: 'oakton', actorId: 'member', verb: 'updated' },
  ...{ targetType: 'source', targetId: 'open', targetName: `Source ${n}`, personId: null, ipPrefix: null },
  at: new Date(Date.UTC(2026, 0, 1) + n * 1000),
  ...more,
})

test('lists the same entries as the screen, newest first, and no cell is a formula', async () => {
  const { db } = world.as('system')
  const counts = JSON.stringify({ created: 3, updated: 0, removed: 1 })
  const private_ = { targetId: 'secret', targetName: 'Of nobody else' }
  await db
    .insertInto('activity')
    .values([
      line(1, { targetName: '=HYPERLINK("http://evil.example")', counts }),
      line(2, { targetName: ' @sum', verb: 'created' }),
      line(3, { targetType: 'page', targetId: 'p', targetName: 'A "page", quoted' }),
      line(4, private_),
      line(5, { placeId: 'elmsford', targetName: 'Of another place' }),
      line(6, {
        placeId: null,
        personId: 'member',
        targetType: 'user',
        verb: 'signedIn',
        ipPrefix: '203.0.113.0',
      }),
    ])
    .execute()
  const { text, fileName, contentType } = await textFor('organization_admin', {
    id: ['line-000001', 'line-000002', 'line-000003', 'line-000005', 'line-000006'],
  })
  expect([fileName, contentType]).toEqual(['oakton-activity.csv', 'text/csv; charset=utf-8'])
  expect(text.split('\r\n')).toEqual([
    'at,verb,targetType,targetId,targetName,actorId,actorName,created,updated,removed',
    '2026-01-01T00:00:03.000Z,updated,page,p,"A ""page"", quoted",member,member,,,',
    "2026-01-01T00:00:02.000Z,created,source,open,' @sum,member,member,,,",
    `2026-01-01T00:00:01.000Z,updated,source,open,"'=HYPERLINK(""http://evil.example"")",member,member,3,0,1`,
    '',
  ])
})

test('contains the entries that match the filters of the screen', async () => {
  const { text } = await textFor('organization_admin', { targetType: ['page'], actorId: ['member'] })
  expect(text.trim().split('\r\n').slice(1)).toEqual([expect.stringContaining('A ""page"", quoted')])
})

test('is for the admins of the place', async () => {
  for (const person of ['organization_admin', 'super_admin'] as const)
    expect((await textFor(person)).text).toContain("'=HYPERLINK")
  for (const person of ['content_admin', 'member', 'viewer', 'support'] as const)
    await expect(fileFor(person), person).rejects.toMatchObject({ kind: 'forbidden' })
  // The existence of the place is hidden from people outside of it.
  for (const person of ['stranger', 'none'] as const)
    await expect(fileFor(person), person).rejects.toMatchObject({ kind: 'notFound' })
  await expect(fileFor('anonymous')).rejects.toMatchObject({ kind: 'unauthenticated' })
})

test('is read in batches and has the newest 50,000 entries at most, each once', async () => {
  const { db } = world.as('system')
  for (let n = 0; n < 11; n++)
    await db
      .insertInto('activity')
      .values(Array.from({ length: 5000 }, (_, i) => line(1_000_000 + n * 5000 + i, { verb: 'imported' })))
      .execute()
  const { body } = await fileFor('organization_admin', { verb: ['imported'] })
  let parts = 0
  let text = ''
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts++
    text += new TextDecoder().decode(part.value)
  }
  expect(parts).toBe(11)
  const names = text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((row) => row.split(',')[4])
  expect(names).toHaveLength(50_000)
  expect(new Set(names).size).toBe(50_000)
  expect([names[0], names.at(-1)]).toEqual(['Source 1054999', 'Source 1005000'])
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { send, type Answer } from './testing/ask.testing.ts'
import { fill, buildIdSets } from './testing/ids.testing.ts'
import { openProofWorld, type ProofWorld } from './testing/world.testing.ts'
import { routes } from '#functions/api/routes.ts'

let world: ProofWorld
beforeAll(async () => {
  world = await openProofWorld()
  const { db } = world.as('system')
  await db
    .insertInto('passkey')
    .values({
      ...{ id: 'passkey-of-admin', userId: 'content_admin', name: 'Key on the ring', credentialId: 'a2V5' },
      ...{ publicKey: 'pQECAyYgASFYIA==', counter: 3, deviceType: 'singleDevice', backedUp: false },
      ...{ transports: 'usb,nfc', aaguid: null },
    })
    .execute()
})
afterAll(() => world.close())

type Row = Record<string, unknown>

/** The world has placeholder texts where only column names and ids of people are valid. */
const mended: Record<string, Row> = {
  'insight.updateById': { visualization: { type: 'table' } },
  'place.observer.updateById': { recipients: ['member'] },
  'source.importer.updateById': { sources: [{ url: 'https://example.com/calls.csv', parser: 'csv' }] },
}

const all = routes(v1)
const reading = new Set(all.filter(({ verb }) => verb === 'findById').map(({ path }) => path))
/** All nouns that can be read and changed at one path. */
const changing = all.filter(({ verb, path }) => verb === 'updateById' && reading.has(path))

/** All nouns with an update: each has a list. */
const updatableRoutes = all.filter(({ verb }) => verb === 'updateById')
/** Those whose rows are only in a list. */
const onlyListed = updatableRoutes.filter(({ path }) => !reading.has(path))
/** What is created first, where the world has no row. */
const created: Record<string, Row> = { 'place.mailDomain.updateById': { domain: 'oakton.example' } }

test('rows that can be sent back are those with an update and a read endpoint', () => {
  expect(changing.map(({ name }) => name).sort()).toEqual(
    expect.arrayContaining([
      'dataType.updateById',
      'insight.updateById',
      'place.updateById',
      'source.updateById',
    ]),
  )
})

describe.each(changing.map((route) => [route.name, route] as const))('%s', (name, route) => {
  const ask = (method: string, body?: Row): Promise<Answer> => {
    const { open, closed } = buildIdSets(world)
    const path = fill(route, name.includes('importer') ? closed : open)
    return send(world, world.asker('super_admin'), { method, path, body })
  }

  test('accepts a row as it was read, and rejects changes to read-only members by name', async () => {
    const mend = mended[name]
    if (mend) expect((await ask('patch', mend)).text).toContain('"id"')
    const read = await ask('get')
    expect(read.status, read.text).toBe(200)
    const row = read.json as Row
    const back = await ask('patch', row)
    expect(back.status, back.text).toBe(200)
    const newer = back.json as Row
    const member = 'createdAt' in newer ? 'createdAt' : 'id'
    expect(Object.keys(newer)).toContain(member)
    const wrong = await ask('patch', { ...newer, [member]: 'another' })
    expect(wrong.status).toBe(400)
    expect((wrong.json as { fields: unknown[] }).fields).toEqual([
      { path: [member], message: 'Cannot be changed.', validator: 'readOnly' },
    ])
    if (typeof row.version !== 'number' || newer.version === row.version) return
    // A concurrent change is a conflict, not an error of the body.
    expect((await ask('patch', row)).status).toBe(409)
  })
})

test('the nouns whose rows are only in a list are these', () => {
  expect(onlyListed.map(({ name }) => name).sort()).toEqual([
    'core.passkey.updateById',
    'invite.updateById',
    'place.collection.insight.updateById',
    'place.invite.updateById',
    'place.mailDomain.updateById',
    'place.user.updateById',
  ])
})

/** Passkeys are listed to their owner only. */
const askerByRoute: Record<string, string> = { 'core.passkey.updateById': 'content_admin' }

describe.each(updatableRoutes.map((route) => [route.name, route] as const))('%s', (name, route) => {
  test('accepts a row of the list as it was read, and rejects changes to read-only members by name', async () => {
    const { open, closed } = buildIdSets(world)
    const path = fill(route, name.includes('importer') ? closed : open)
    const listPath = path.slice(0, path.lastIndexOf('/'))
    const ask = (method: string, at: string, body?: Row) =>
      send(world, world.asker(askerByRoute[name] ?? 'super_admin'), { method, path: at, body })
    const mend = mended[name]
    if (mend) expect((await ask('patch', path, mend)).text).toContain('"id"')
    const first = created[name]
    if (first) expect((await ask('post', listPath, first)).text).toContain('"id"')
    const list = await ask('get', listPath)
    const id = path.slice(listPath.length + 1)
    const row = (list.json as { results: Row[] }).results.find((each) => each.id === id)
    expect(row, list.text).toBeDefined()
    const wrong = await ask('patch', path, { ...row, id: 'another' })
    expect(wrong.status, wrong.text).toBe(400)
    expect((wrong.json as { fields: unknown[] }).fields).toEqual([
      { path: ['id'], message: 'Cannot be changed.', validator: 'readOnly' },
    ])
    const back = await ask('patch', path, row)
    expect(back.status, back.text).toBe(200)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'valibot'
import * as contents from '#functions/domain/page/contents.ts'
import * as dataTypes from '#functions/domain/data-type/data-types.ts'
import * as pages from '#functions/domain/page/pages.ts'
import * as places from '#functions/domain/place/places.ts'
import * as placeUsers from '#functions/domain/place/place-users.ts'
import * as sources from '#functions/domain/source/sources.ts'
import * as users from '#functions/domain/place/users.ts'
import { withVersion } from '#functions/domain/noun/versions.ts'
import { Includes } from '#functions/shapes/includes.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

/** A request of a domain function in Oakton. */
const buildRequest = <Data>(params: Record<string, string>, data: Data) => ({
  params: { placeId: 'oakton', ...params },
  options: {},
  data,
  placeId: 'oakton',
})

const events = async () => {
  const rows = await world
    .as('system')
    .db.selectFrom('outbox')
    .select(['kind', 'placeId', 'payload'])
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  return rows[0]
}

describe('sources', () => {
  test('a row changed during its deletion is deleted in a version of its own', async () => {
    const ctx = world.as('content_admin')
    const source = await sources.create(ctx, buildRequest({}, { dataTypeId: 'call', name: 'Kept' }))
    const sourceId = source?.id ?? ''
    // Somebody else changes the source between the read and the write of the deletion.
    const transaction: typeof ctx.transaction = async (work) => {
      await sources.updateById(world.as('content_admin'), buildRequest({ sourceId }, { name: 'Changed' }))
      return ctx.transaction(work)
    }
    await sources.deleteById({ ...ctx, transaction }, buildRequest({ sourceId }, undefined))
    const row = await world
      .as('system')
      .db.selectFrom('source')
      .select(['name', 'version', 'deletedAt'])
      .where('id', '=', sourceId)
      .executeTakeFirst()
    expect(row).toMatchObject({ name: 'Changed', version: 3, deletedAt: expect.any(Date) as Date })
  })

  test('a change raises the version, notifies the queue and writes an activity entry', async () => {
    const ctx = world.as('content_admin')
    const source = await sources.create(
      ctx,
      buildRequest({}, { dataTypeId: 'call', name: 'New', visibility: 'public' }),
    )
    expect(source).toMatchObject({
      placeId: 'oakton',
      visibility: 'public',
      version: 1,
      count: 0,
      dataVersion: 0,
    })
    const sourceId = source?.id ?? ''
    const updatedSource = await sources.updateById(
      ctx,
      buildRequest({ sourceId }, { name: 'Newer', version: 1 }),
    )
    expect(updatedSource).toMatchObject({ name: 'Newer', visibility: 'public', version: 2 })
    expect(await events()).toEqual({ kind: 'source', placeId: 'oakton', payload: { id: sourceId } })
    expect(ctx.woken()).toBe(2)
    expect(await sources.deleteById(ctx, buildRequest({ sourceId }, undefined))).toEqual({ id: sourceId })
    expect(await sources.findById(world.as('system'), buildRequest({ sourceId }, undefined))).toBeUndefined()
    const trail = await world
      .as('viewer')
      .db.selectFrom('activity')
      .select(['verb', 'actorId'])
      .where('targetId', '=', sourceId)
      .orderBy('at')
      .execute()
    expect(trail.map(({ verb }) => verb)).toEqual(['created', 'updated', 'deleted'])
    expect(trail[0]?.actorId).toBe('content_admin')
  })

  test('rejects an old version with both versions, from the body and from If-Match', async () => {
    const ctx = world.as('content_admin')
    const expected = {
      kind: 'conflict',
      issues: [{ path: ['version'], value: 7, message: 'The current version is 1.' }],
    }
    const stale = sources.updateById(ctx, buildRequest({ sourceId: 'open' }, { name: 'x', version: 7 }))
    await expect(stale).rejects.toMatchObject(expected)
    const headers = new Headers({ 'if-match': '"7"' })
    const matched = world.as('content_admin', { request: { id: 'r', headers, ip: null } })
    await expect(
      sources.updateById(matched, buildRequest({ sourceId: 'open' }, { name: 'x' })),
    ).rejects.toMatchObject(expected)
    await expect(
      sources.deleteById(matched, buildRequest({ sourceId: 'open' }, undefined)),
    ).rejects.toMatchObject(expected)
  })

  test('gives notFound for another place', async () => {
    const ctx = world.as('organization_admin')
    expect(
      await sources.updateById(ctx, buildRequest({ sourceId: 'far-open' }, { name: 'x' })),
    ).toBeUndefined()
    expect(await sources.deleteById(ctx, buildRequest({ sourceId: 'far-inner' }, undefined))).toBeUndefined()
  })

  test('rejects an unknown data type, and a taken id', async () => {
    const ctx = world.as('content_admin')
    await expect(
      sources.create(ctx, buildRequest({}, { dataTypeId: 'nope', name: 'x' })),
    ).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['dataTypeId'] }],
    })
    for (const id of ['inner', 'far-open'])
      await expect(
        sources.create(ctx, buildRequest({}, { id, dataTypeId: 'call', name: 'x' })),
      ).rejects.toMatchObject({
        kind: 'conflict',
        message: 'There is a source with this id.',
      })
    // An id used by an invisible row does not cause a conflict.
    const other = await sources.create(
      ctx,
      buildRequest({}, { id: 'far-inner', dataTypeId: 'call', name: 'x' }),
    )
    expect(other?.id).toMatch(/^far-inner-[b-z2-9]{5}$/)
  })
})

describe('pages and contents', () => {
  test('texts are sanitised when they are written', async () => {
    const ctx = world.as('content_admin')
    const html =
      '<h1 onclick="x()">A</h1><script>alert(1)</script><a href="javascript:x()">b</a><img src=x onerror=y()><p style="color:red">c</p><iframe src="//evil"></iframe>'
    const content = await contents.create(
      ctx,
      buildRequest({ pageId: 'story' }, { kind: 'text', settings: { html } }),
    )
    expect(content?.settings).toEqual({ html: '<h2>A</h2><a>b</a><img src="x" /><p>c</p>' })
    expect(content?.position).toBe(1)
    expect(await events()).toEqual({
      kind: 'page',
      placeId: 'oakton',
      payload: { id: 'story', listChanged: false },
    })
  })

  test('rejects settings that do not fit the kind', async () => {
    const wrong = contents.create(
      world.as('content_admin'),
      buildRequest({ pageId: 'story' }, { kind: 'embed', settings: { url: 'javascript:x' } }),
    )
    await expect(wrong).rejects.toMatchObject({ kind: 'invalid', issues: [{ path: ['settings', 'url'] }] })
  })

  test('inserting a block in the middle shifts the others', async () => {
    const ctx = world.as('content_admin')
    const page = await pages.create(ctx, buildRequest({}, { title: 'Order', type: 'blank' }))
    const pageId = page?.id ?? ''
    for (const id of ['o-1', 'o-2'])
      await contents.create(ctx, buildRequest({ pageId }, { id, kind: 'divider', settings: {} }))
    await contents.create(
      ctx,
      buildRequest({ pageId }, { id: 'o-0', kind: 'divider', settings: {}, position: 0 }),
    )
    await contents.updateById(ctx, buildRequest({ pageId, contentId: 'o-2' }, { position: 1 }))
    const list = await contents.find(ctx, buildRequest({ pageId }, undefined))
    expect(list?.results.map(({ id }) => id)).toEqual(['o-0', 'o-2', 'o-1'])
  })

  test('publishing makes a page public and invalidates the lists', async () => {
    const ctx = world.as('content_admin')
    const anonymous = () =>
      pages.findById(world.as('anonymous'), buildRequest({ pageId: 'draft' }, undefined))
    expect(await anonymous()).toBeUndefined()
    expect(await pages.publish(ctx, buildRequest({ pageId: 'draft' }, undefined))).toMatchObject({
      publish: 'published',
    })
    expect(await events()).toEqual({ kind: 'page', placeId: 'oakton', payload: { id: 'draft' } })
    expect(await anonymous()).toMatchObject({ id: 'draft' })
    await pages.updateById(ctx, buildRequest({ pageId: 'draft' }, { publish: 'draft' as const }))
    expect(await anonymous()).toBeUndefined()
  })

  test('contents are visible where their page is', async () => {
    const read = (person: 'anonymous' | 'viewer' | 'content_admin', contentId: string) =>
      contents.findById(world.as(person), buildRequest({ contentId }, undefined))
    expect(await read('anonymous', 'hello')).toBeDefined()
    expect(await read('viewer', 'hidden')).toBeUndefined()
    expect(await read('content_admin', 'hidden')).toBeDefined()
    expect(await read('content_admin', 'far-content')).toBeUndefined()
    const list = await contents.find(world.as('viewer'), buildRequest({ pageId: 'secret-page' }, undefined))
    expect(list).toBeUndefined()
  })
})

describe('data types', () => {
  const schema = { type: { name: 'Type', type: 'text' } }

  test('the owner creates one, whose id is its name with a suffix', async () => {
    const ctx = world.as('organization_admin')
    const dataType = await dataTypes.create(ctx, buildRequest({}, { name: 'Street Lamp', schema }))
    expect(dataType).toMatchObject({ ownerPlaceId: 'oakton', schema, version: 1 })
    expect(dataType?.id).toMatch(/^street-lamp-[b-z2-9]{5}$/)
    const again = await dataTypes.create(ctx, buildRequest({}, { name: 'Street Lamp', schema }))
    expect(again?.id).toMatch(/^street-lamp-[b-z2-9]{5}$/)
    expect(again?.id).not.toBe(dataType?.id)
    await expect(
      dataTypes.create(ctx, buildRequest({}, { id: dataType?.id ?? '', name: 'Street Lamp', schema })),
    ).rejects.toMatchObject({ kind: 'conflict', issues: [{ path: ['id'] }] })
  })

  test('rejects invalid fields with their path', async () => {
    const bad = { name: 'Bad', schema: { type: { name: 'Type', type: 'nothing' } } }
    const creation = dataTypes.create(world.as('organization_admin'), buildRequest({}, bad))
    await expect(creation).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['schema', 'type', 'type'] }],
    })
  })

  test('a field with data keeps its type', async () => {
    const { db } = world.as('system')
    await db.updateTable('dataType').set({ tableName: 'tree' }).where('id', '=', 'tree').execute()
    const changes = { schema: { type: { name: 'Type', type: 'number' } } }
    const update = dataTypes.updateById(
      world.as('organization_admin'),
      buildRequest({ dataTypeId: 'tree' }, changes),
    )
    await expect(update).rejects.toMatchObject({
      kind: 'conflict',
      issues: [{ path: ['schema', 'type', 'type'] }],
    })
    await db.updateTable('dataType').set({ tableName: null }).where('id', '=', 'tree').execute()
  })

  test('one of another place cannot be changed, whatever place the request names', async () => {
    const ctx = world.as('organization_admin')
    expect(
      await dataTypes.updateById(ctx, buildRequest({ dataTypeId: 'lamp' }, { name: 'x' })),
    ).toBeUndefined()
    expect(
      await dataTypes.updateById(ctx, buildRequest({ dataTypeId: 'call' }, { name: 'x' })),
    ).toBeUndefined()
  })

  test('does not delete one with sources, nor one of another version than given', async () => {
    const call = { ...buildRequest({ dataTypeId: 'call' }, undefined), params: { dataTypeId: 'call' } }
    const deletion = dataTypes.deleteById(world.as('super_admin'), call)
    await expect(deletion).rejects.toMatchObject({ message: 'There are sources of this data type.' })
    const older = dataTypes.deleteById(withVersion(world.as('super_admin'), 7), call)
    await expect(older).rejects.toMatchObject({ issues: [{ path: ['version'], value: 7 }] })
  })
})

describe('places and people', () => {
  test('a place has the default colour, its domain, and its boundary on request', async () => {
    const includes = parse(Includes, { resource: 'boundary', attributes: ['name', 'area'], limit: 1 })
    const place = await places.findById(world.as('anonymous'), {
      ...buildRequest({}, undefined),
      options: { includes },
    })
    expect(place).toMatchObject({
      id: 'oakton',
      domain: null,
      hasMap: true,
      theme: { primaryColor: '#ec7945' },
      boundary: { id: 'us-ny', name: 'New York', area: { type: 'MultiPolygon' } },
    })
  })

  test('the about text is sanitised', async () => {
    const ctx = world.as('organization_admin')
    const updatedPlace = await places.updateById(
      ctx,
      buildRequest({}, { about: '<p>Hi</p><script>x</script>', theme: { primaryColor: '#000000' } }),
    )
    expect(updatedPlace).toMatchObject({ about: '<p>Hi</p>', theme: { primaryColor: '#000000' } })
  })

  test('the last organization admin keeps the role', async () => {
    const ctx = world.as('organization_admin')
    const params = { userId: 'organization_admin' }
    await expect(placeUsers.updateById(ctx, buildRequest(params, { role: 'viewer' }))).rejects.toMatchObject({
      kind: 'conflict',
    })
    await expect(placeUsers.deleteById(ctx, buildRequest(params, undefined))).rejects.toMatchObject({
      kind: 'conflict',
    })
    expect(
      await placeUsers.updateById(ctx, buildRequest({ userId: 'viewer' }, { role: 'organization_admin' })),
    ).toMatchObject({ role: 'organization_admin' })
    expect(await placeUsers.updateById(ctx, buildRequest(params, { role: 'viewer' }))).toMatchObject({
      role: 'viewer',
    })
  })

  test('a global role is not a role of a place', async () => {
    const update = placeUsers.updateById(
      world.as('organization_admin'),
      buildRequest({ userId: 'member' }, { role: 'super_admin' }),
    )
    await expect(update).rejects.toMatchObject({ kind: 'invalid', issues: [{ path: ['role'] }] })
  })

  test('email addresses are visible to admins only', async () => {
    const hasVisibleEmails = async (person: 'member' | 'content_admin') =>
      (await placeUsers.find(world.as(person), buildRequest({}, undefined))).results.some(
        (row) => 'email' in row && row.email,
      )
    expect(await hasVisibleEmails('member')).toBe(false)
    expect(await hasVisibleEmails('content_admin')).toBe(true)
  })

  test('nobody can give themselves a global role', async () => {
    const change = (person: 'member' | 'super_admin', userId: string) =>
      users.updateById(world.as(person), {
        ...buildRequest({ userId }, { role: 'super_admin' as const }),
        placeId: null,
      })
    await expect(change('member', 'member')).rejects.toMatchObject({ kind: 'forbidden' })
    await expect(change('super_admin', 'super_admin')).rejects.toMatchObject({ kind: 'forbidden' })
    expect(await change('super_admin', 'none')).toMatchObject({ role: 'super_admin' })
  })
})

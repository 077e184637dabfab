import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '#functions/api/call.ts'
import { requireConforming } from '#functions/api/conform.ts'
import { writeFigureReference } from '#functions/shapes/figure-reference.ts'
import { mediaPath } from '#functions/engine/media/address.ts'
import type { UsedNoun } from '#functions/shapes/use.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

const picture = { id: '0b1f8a52-3c1e-4b6e-9a52-5be1d1c4a001', name: 'bridge.jpg' }
let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  const { db } = world.as('system')
  const commonColumns = { placeId: 'oakton', createdBy: null }
  const html = (id: string) => {
    const value = writeFigureReference({ insightId: id, show: 'total', row: {}, digits: null, hasUnit: true })
    return `<p>We had <data value="${value}">12</data> calls.</p>`
  }
  const content = (
    id: string,
    pageId: string,
    kind: 'text' | 'map' | 'image' | 'insight',
    settings: object,
  ) => ({
    ...{ id, pageId, kind, settings: JSON.stringify(settings), position: 9, ...commonColumns },
  })
  await db
    .insertInto('content')
    .values([
      content('c1', 'story', 'insight', { insightId: 'calls' }),
      content('c2', 'story', 'text', { html: html('calls') }),
      content('c3', 'secret-page', 'text', { html: html('calls') }),
      content('c4', 'draft', 'text', { html: html('inner-calls') }),
      content('c5', 'inner-page', 'map', { sourceId: 'open' }),
      content('c6', 'inner-page', 'image', { url: mediaPath(picture), alt: 'A bridge' }),
    ])
    .execute()
  await db
    .insertInto('collectionInsight')
    .values([
      { collectionId: 'best', insightId: 'calls', placeId: 'oakton', position: 1 },
      { collectionId: 'ours', insightId: 'calls', placeId: 'oakton', position: 1 },
    ])
    .execute()
  const insight = (id: string, more: object) => ({
    ...{ id, name: id, ...commonColumns, visibility: 'private' as const, dataTypeId: 'call', sourceId: null },
    ...{ visualization: '{"type":"number"}', query: '{}', ...more },
  })
  const many = Array.from({ length: 12 }, (_, n) => insight(`Ward ${n + 1}`, { sourceId: 'inner' }))
  await db
    .insertInto('insight')
    .values([
      ...many,
      insight('joins', { query: JSON.stringify({ joins: [{ alias: 'other', sourceId: 'open' }] }) }),
      insight('coloured', {
        visualization: JSON.stringify({ type: 'map', settings: { boundarySetId: 'wards' } }),
      }),
    ])
    .execute()
  await db
    .updateTable('place')
    .set({ theme: JSON.stringify({ headerImage: mediaPath(picture) }) })
    .where('id', '=', 'oakton')
    .execute()
})
afterAll(() => world.close())

async function listUses(person: Person, noun: UsedNoun, ids: unknown) {
  const { uses } = v1.place
  const response = await call(uses, world.as(person), {
    params: { placeId: 'oakton' },
    options: { noun, ids },
  })
  requireConforming({ name: 'place.uses', endpoint: uses }, response)
  return response.results.map(({ usedId, noun, total, some }) => [
    usedId,
    noun,
    total,
    ...some.map(({ id }) => id),
  ])
}

test('lists where an insight is shown: collections and pages, as a chart or as a number in a text, each once', async () => {
  expect(await listUses('organization_admin', 'insight', ['calls', 'inner-calls', 'far-calls'])).toEqual([
    ['calls', 'collection', 2, 'best', 'ours'],
    ['calls', 'page', 2, 'secret-page', 'story'],
    ['inner-calls', 'page', 1, 'draft'],
  ])
})

test('shows only what the actor may see, and nothing to visitors', async () => {
  expect(await listUses('viewer', 'insight', 'calls')).toEqual([
    ['calls', 'collection', 2, 'best', 'ours'],
    ['calls', 'page', 1, 'story'],
  ])
  expect(await listUses('viewer', 'source', 'inner')).not.toContainEqual(expect.arrayContaining(['insight']))
  await expect(listUses('none', 'insight', 'calls')).rejects.toMatchObject({ kind: 'notFound' })
  await expect(listUses('anonymous', 'insight', 'calls')).rejects.toMatchObject({ kind: 'unauthenticated' })
})

test('a source is used by what queries or joins it, its importers, and maps of pages', async () => {
  const uses = await listUses('organization_admin', 'source', 'open,inner')
  expect(uses).toContainEqual(['open', 'insight', 1, 'joins'])
  expect(uses).toContainEqual(['open', 'page', 1, 'inner-page'])
  expect(uses).toContainEqual(['inner', 'importer', 1, 'feed'])
})

test('lists the first ten, sorted as people do, and counts all', async () => {
  const uses = await listUses('organization_admin', 'source', ['inner'])
  expect(uses).toContainEqual([
    'inner',
    'insight',
    12,
    ...Array.from({ length: 10 }, (_, n) => `Ward ${n + 1}`),
  ])
})

test('data types, boundary sets and files of the media library', async () => {
  const types = await listUses('organization_admin', 'dataType', ['call'])
  expect(types.map(([, noun]) => noun)).toEqual(expect.arrayContaining(['insight', 'observer', 'source']))
  expect(await listUses('organization_admin', 'boundarySet', ['wards'])).toEqual([
    ['wards', 'insight', 1, 'coloured'],
  ])
  expect(await listUses('organization_admin', 'asset', [picture.id])).toEqual([
    [picture.id, 'page', 1, 'inner-page'],
    [picture.id, 'place', 1, 'oakton'],
  ])
})

test('rejects invalid requests with their path', async () => {
  await expect(listUses('viewer', 'page' as UsedNoun, 'story')).rejects.toMatchObject({
    issues: [{ path: ['noun'] }],
  })
  const many = Array.from({ length: 201 }, (_, n) => `id-${n}`)
  await expect(listUses('viewer', 'insight', many)).rejects.toMatchObject({ kind: 'invalid' })
})

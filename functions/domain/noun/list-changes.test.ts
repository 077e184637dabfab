import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import * as dataTypes from '#functions/domain/data-type/data-types.ts'
import * as insights from '#functions/domain/insight/insights.ts'
import { getEventTags } from '#functions/domain/outbox/events.ts'
import * as pages from '#functions/domain/page/pages.ts'
import * as sources from '#functions/domain/source/sources.ts'
import type { Context } from '#functions/context.ts'

let world: TestWorld
let ctx: Context
let system: Context
beforeAll(async () => {
  world = await openWorld(city)
  ctx = world.as('organization_admin')
  system = world.as('system')
})
afterAll(() => world.close())
beforeEach(async () => {
  await system.db.deleteFrom('outbox').execute()
})

const buildRequest = <Data>(params: Record<string, string>, data: Data) => ({
  params: { placeId: 'oakton', ...params },
  options: {},
  data,
  placeId: 'oakton',
})

/** The lists of Oakton that the events since the last call make stale. */
async function staleLists(): Promise<string[]> {
  const events = await system.db.deleteFrom('outbox').returning(['kind', 'placeId', 'payload']).execute()
  const tags = events.flatMap(({ kind, placeId, payload }) =>
    getEventTags({ kind, placeId: placeId ?? 'oakton', payload: payload as Record<string, unknown> }),
  )
  return [...new Set(tags.filter((tag) => tag.endsWith(':oakton')))].sort()
}

/** What an insight asks: all records of one source. */
const question = {
  ...{ name: 'Calls', dataTypeId: 'call', sourceId: 'open' },
  query: { select: [{ aggregation: 'count' as const }] },
  visualization: { type: 'table' as const },
}

const nouns = [
  {
    noun: 'source',
    lists: ['dataTypes:oakton', 'sources:oakton'],
    create: async () =>
      (await sources.create(ctx, buildRequest({}, { name: 'Wells', dataTypeId: 'call' })))?.id ?? '',
    rename: (id: string) => sources.updateById(ctx, buildRequest({ sourceId: id }, { name: 'Deep wells' })),
    show: (id: string, isShown: boolean) =>
      sources.updateById(ctx, buildRequest({ sourceId: id }, { visibility: isShown ? 'public' : 'place' })),
    remove: (id: string, by = ctx) => sources.deleteById(by, buildRequest({ sourceId: id }, undefined)),
  },
  {
    noun: 'insight',
    lists: ['insights:oakton'],
    create: async () => (await insights.create(ctx, buildRequest({}, question)))?.id ?? '',
    rename: (id: string) => insights.updateById(ctx, buildRequest({ insightId: id }, { name: 'All calls' })),
    show: (id: string, isShown: boolean) =>
      insights.updateById(ctx, buildRequest({ insightId: id }, { visibility: isShown ? 'public' : 'place' })),
    remove: (id: string, by = ctx) => insights.deleteById(by, buildRequest({ insightId: id }, undefined)),
  },
  {
    noun: 'page',
    lists: ['pages:oakton'],
    create: async () =>
      (await pages.create(ctx, buildRequest({}, { title: 'Rain', type: 'blank', visibility: 'public' })))
        ?.id ?? '',
    rename: (id: string) => pages.updateById(ctx, buildRequest({ pageId: id }, { title: 'Rain and snow' })),
    show: (id: string, isShown: boolean) =>
      pages.updateById(ctx, buildRequest({ pageId: id }, { publish: isShown ? 'published' : 'draft' })),
    remove: (id: string, by = ctx) => pages.deleteById(by, buildRequest({ pageId: id }, undefined)),
  },
] as const

test.each(nouns)(
  'a $noun that visitors see neither before nor after a write changes no list of a hub',
  async ({ lists, create, rename, show, remove }) => {
    const id = await create()
    expect(id).not.toBe('')
    await rename(id)
    expect(await staleLists()).toEqual([])
    await show(id, true)
    expect(await staleLists()).toEqual(lists)
    await rename(id)
    expect(await staleLists()).toEqual(lists)
    await show(id, false)
    expect(await staleLists()).toEqual(lists)
    await remove(id)
    expect(await staleLists()).toEqual([])
    const second = await create()
    await show(second, true)
    await staleLists()
    await remove(second)
    expect(await staleLists()).toEqual(lists)
  },
)

test.each(nouns)(
  'a hidden $noun that is shown while it is deleted changes the lists',
  async ({ lists, create, show, remove }) => {
    const id = await create()
    const transaction: typeof ctx.transaction = async (work) => {
      await show(id, true)
      await staleLists()
      return ctx.transaction(work)
    }
    await remove(id, { ...ctx, transaction })
    expect(await staleLists()).toEqual(lists)
  },
)

test('a data type changes the lists of hubs once a source of it is public', async () => {
  const schema = { type: { name: 'Type', type: 'text' } }
  const dataTypeId = (await dataTypes.create(ctx, buildRequest({}, { name: 'Bench', schema })))?.id ?? ''
  const rename = (name: string) => dataTypes.updateById(ctx, buildRequest({ dataTypeId }, { name }))
  const source = await sources.create(ctx, buildRequest({}, { name: 'Benches', dataTypeId }))
  await rename('Seat')
  expect(await staleLists()).toEqual([])
  const sourceId = source?.id ?? ''
  await sources.updateById(ctx, buildRequest({ sourceId }, { visibility: 'public' as const }))
  await staleLists()
  await rename('Park bench')
  expect(await staleLists()).toEqual(['dataTypes:oakton'])
  await sources.deleteById(ctx, buildRequest({ sourceId }, undefined))
  expect(await staleLists()).toEqual(['dataTypes:oakton', 'sources:oakton'])
  await dataTypes.deleteById(ctx, buildRequest({ dataTypeId }, undefined))
  expect(await staleLists()).toEqual([])
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'valibot'
import * as collections from '#functions/domain/collection/collections.ts'
import * as dataTypes from '#functions/domain/data-type/data-types.ts'
import * as pages from '#functions/domain/page/pages.ts'
import * as sources from '#functions/domain/source/sources.ts'
import { Includes } from '#functions/shapes/includes.ts'
import type { ListOptions } from '#functions/shapes/options.ts'
import { city } from '#db/worlds/city.ts'
import { asReader } from '#functions/v1/testing/with-reason.testing.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const buildOaktonRequest = (options: ListOptions = {}) => ({
  params: { placeId: 'oakton' },
  options,
  data: undefined,
  placeId: 'oakton',
})
const everywhere = (options: ListOptions = {}) => ({ params: {}, options, data: undefined, placeId: null })
const ids = (list: { results: { id: string }[] }) => list.results.map(({ id }) => id)

const outside = ['anonymous', 'none', 'stranger', 'no_role'] as const
const inside = ['viewer'] as const
const admins = ['content_admin', 'organization_admin', 'support', 'super_admin', 'system'] as const

const pairWithIds = (who: readonly Person[], expectedIds: string[]) =>
  who.map((person): [Person, string[]] => [person, expectedIds])

describe('visibility of the sources of a place', () => {
  test.each([
    ...pairWithIds(outside, ['open']),
    ...pairWithIds(inside, ['inner', 'open']),
    ...pairWithIds(['member'], ['inner', 'mine', 'open']),
    ...pairWithIds(admins, ['inner', 'mine', 'open', 'secret']),
  ])('%s: %j', async (person, expectedIds) => {
    const list = await sources.find(await asReader(world, person), buildOaktonRequest())
    expect(ids(list)).toEqual(expectedIds)
    expect(list.meta).toEqual({ results: expectedIds.length, total: expectedIds.length })
  })

  test.each(['anonymous', 'viewer', 'member', 'organization_admin', 'super_admin', 'system'] as const)(
    'maxVisibility only narrows, also for %s',
    async (person) => {
      const listVisibleIds = (maxVisibility: 'public' | 'place' | 'private') =>
        sources.find(world.as(person), buildOaktonRequest({ maxVisibility })).then(ids)
      expect(await listVisibleIds('public')).toEqual(['open'])
      expect(await listVisibleIds('place')).toEqual(person === 'anonymous' ? ['open'] : ['inner', 'open'])
      expect(await listVisibleIds('private')).toEqual(
        ids(await sources.find(world.as(person), buildOaktonRequest())),
      )
    },
  )

  test('a single read matches the list', async () => {
    for (const person of ['anonymous', 'stranger', 'viewer', 'member', 'content_admin'] as const) {
      const listedIds = ids(await sources.find(world.as(person), buildOaktonRequest()))
      for (const sourceId of ['open', 'inner', 'secret', 'mine', 'far-open']) {
        const request = { ...buildOaktonRequest(), params: { placeId: 'oakton', sourceId }, options: {} }
        const read = await sources.findById(world.as(person), request)
        expect([person, sourceId, read !== undefined]).toEqual([
          person,
          sourceId,
          listedIds.includes(sourceId),
        ])
      }
    }
  })

  test('over all places, each by its own rule', async () => {
    expect(ids(await sources.find(world.as('stranger'), everywhere()))).toEqual([
      'far-inner',
      'far-open',
      'open',
    ])
    expect(ids(await sources.find(world.as('anonymous'), everywhere()))).toEqual(['far-open', 'open'])
  })
})

describe('pages', () => {
  test.each([
    ...pairWithIds(outside, ['story']),
    ...pairWithIds(inside, ['draft', 'inner-page', 'story']),
    ...pairWithIds(admins, ['draft', 'inner-page', 'secret-page', 'story']),
  ])('%s: %j', async (person, expectedIds) => {
    expect(ids(await pages.find(await asReader(world, person), buildOaktonRequest()))).toEqual(expectedIds)
  })

  test('a draft is not public, even when its visibility says so', async () => {
    expect(
      ids(await pages.find(world.as('super_admin'), buildOaktonRequest({ maxVisibility: 'public' }))),
    ).toEqual(['story'])
  })
})

describe('data types', () => {
  test('a place lists those it has a visible source of, and for members those it owns', async () => {
    expect(ids(await dataTypes.find(world.as('anonymous'), buildOaktonRequest()))).toEqual(['call'])
    expect(ids(await dataTypes.find(world.as('viewer'), buildOaktonRequest()))).toEqual(['call', 'tree'])
    expect(
      ids(await dataTypes.find(world.as('viewer'), buildOaktonRequest({ maxVisibility: 'public' }))),
    ).toEqual(['call'])
  })

  test('the included sources are filtered by what the actor may see', async () => {
    const findIncludedSources = async (person: Person, filters: Record<string, unknown>) => {
      const request = buildOaktonRequest({
        includes: parse(Includes, [{ resource: 'sources', attributes: ['name'], filters, limit: 10 }]),
      })
      const { results } = await dataTypes.find(world.as(person), request)
      return (results[0] as unknown as { sources: unknown }).sources
    }
    expect(await findIncludedSources('content_admin', { visibility: 'public' })).toEqual([
      { id: 'open', name: 'open' },
    ])
    expect(await findIncludedSources('anonymous', {})).toEqual([{ id: 'open', name: 'open' }])
    await expect(findIncludedSources('anonymous', { secret: 'x' })).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('the dependencies of an answer', () => {
  test('lists record the list, single reads the row', async () => {
    const ctx = world.as('anonymous')
    await sources.find(ctx, buildOaktonRequest({ includes: parse(Includes, 'dataType') }))
    expect([...ctx.depends].sort()).toEqual(['dataType:call', 'sources:oakton'])
    const other = world.as('anonymous')
    const params = { placeId: 'oakton', pageId: 'story' }
    await pages.findById(other, { ...buildOaktonRequest(), params, options: {} })
    expect([...other.depends]).toEqual(['page:story'])
  })
})

describe('lists', () => {
  test('search treats % and _ as literals', async () => {
    expect(ids(await sources.find(world.as('viewer'), buildOaktonRequest({ search: 'OPE' })))).toEqual([
      'open',
    ])
    expect(ids(await sources.find(world.as('viewer'), buildOaktonRequest({ search: '%' })))).toEqual([])
    expect(
      ids(await sources.find(world.as('viewer'), buildOaktonRequest({ search: "' or true --" }))),
    ).toEqual([])
  })

  test('total counts all matches, also beyond the end', async () => {
    const cut = (limit: number, offset: number) =>
      sources.find(world.as('content_admin'), buildOaktonRequest({ limit, offset })).then(({ meta }) => meta)
    expect(await cut(3, 0)).toEqual({ results: 3, total: 4, next: expect.any(String) as string })
    expect(await cut(3, 3)).toEqual({ results: 1, total: 4 })
    expect(await cut(3, 30)).toEqual({ results: 0, total: 4 })
    expect(await cut(0, 0)).toEqual({ results: 0, total: 4 })
  })

  test('collections include only visible insights', async () => {
    const includes = parse(Includes, 'insights')
    expect(ids(await collections.find(world.as('viewer'), buildOaktonRequest({ includes })))).toEqual([
      'best',
      'ours',
    ])
  })
})

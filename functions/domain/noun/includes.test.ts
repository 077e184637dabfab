import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'valibot'
import { withIncludes } from './includes.ts'
import { v1 } from '#functions/v1/index.ts'
import { call } from '#functions/api/call.ts'
import { parseQuery } from '#functions/engine/http/querystring.ts'
import { Includes } from '#functions/shapes/includes.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  await world
    .as('system')
    .db.insertInto('collectionInsight')
    .values([
      { collectionId: 'best', insightId: 'inner-calls', placeId: 'oakton', position: 0, notes: '' },
      { collectionId: 'best', insightId: 'calls', placeId: 'oakton', position: 1, notes: 'Look' },
    ])
    .execute()
})
afterAll(() => world.close())

const params = { placeId: 'oakton' }

describe('includes', () => {
  test('place data types with their public sources, by id and name', async () => {
    const text =
      'maxVisibility=public&includes[0][resource]=sources&includes[0][attributes][0]=id&includes[0][attributes][1]=name' +
      '&includes[0][filters][placeId]=oakton&includes[0][filters][visibility]=public'
    const { results } = await call(v1.place.dataType.find, world.as('super_admin'), {
      params,
      options: parseQuery(`?${text}`),
    })
    expect(results).toMatchObject([{ id: 'call', sources: [{ id: 'open', name: 'open' }] }])
    expect(Object.keys(results[0]?.sources?.[0] ?? {})).toEqual(['id', 'name'])
  })

  test('a hub’s search for sources, with id, name and category of their data types', async () => {
    const includes = [{ resource: 'dataType', attributes: ['id', 'name', 'category'] }]
    const options = { search: 'open', includes }
    const { results } = await call(v1.place.source.find, world.as('anonymous'), { params, options })
    expect(results.map(({ dataType }) => dataType)).toEqual([
      { id: 'call', name: 'Call', category: 'Safety' },
    ])
  })

  test('three levels, each by its own attributes and filters', async () => {
    const options = {
      includes: {
        resource: 'insights',
        attributes: 'name',
        includes: [
          {
            resource: 'dataType',
            attributes: ['name'],
            includes: [{ resource: 'sources', attributes: ['name'], limit: '1' }],
          },
        ],
      },
    }
    const readIncludedInsights = async (person: 'anonymous' | 'viewer') => {
      const { results } = await call(v1.place.collection.find, world.as(person), { params, options })
      return results[0]?.insights
    }
    const dataType = { id: 'call', name: 'Call', sources: [{ id: 'open', name: 'open' }] }
    expect(await readIncludedInsights('anonymous')).toEqual([{ id: 'calls', name: 'Calls', dataType }])
    const inner = { id: 'call', name: 'Call', sources: [{ id: 'inner', name: 'inner' }] }
    expect(await readIncludedInsights('viewer')).toEqual([
      { id: 'inner-calls', name: 'Inner calls', dataType: inner },
      { id: 'calls', name: 'Calls', dataType: inner },
    ])
  })

  test('maxVisibility applies to includes as well, for everyone', async () => {
    const options = { maxVisibility: 'public', includes: 'sources' }
    const { results } = await call(v1.place.dataType.find, world.as('super_admin'), { params, options })
    expect(results.flatMap(({ sources }) => sources ?? []).map(({ id }) => id)).toEqual(['open'])
  })

  test('unknown names and attributes are ignored', async () => {
    const options = {
      includes: [
        'nothing',
        'constructor',
        { resource: 'place', attributes: ['name', 'secret', '__proto__'] },
      ],
    }
    const { results } = await call(v1.place.source.find, world.as('anonymous'), { params, options })
    expect(results[0]?.place).toEqual({ id: 'oakton', name: 'Oakton' })
    expect(Object.keys(results[0] ?? {})).not.toContain('nothing')
  })

  test('a related row that does not match the filter is null', async () => {
    const options = { includes: [{ resource: 'place', filters: { isHub: 'false' } }] }
    const { results } = await call(v1.place.source.find, world.as('anonymous'), { params, options })
    expect(results[0]?.place).toBeNull()
  })

  test("a place's boundary includes its area, and a boundary can include only the area", async () => {
    const place = await call(v1.place.findById, world.as('anonymous'), {
      params,
      options: { includes: 'boundary' },
    })
    expect(place.boundary).toMatchObject({ id: 'us-ny', area: { type: 'MultiPolygon' } })
    const { results } = await call(v1.boundary.find, world.as('anonymous'), { options: { includes: 'area' } })
    expect(results[0]?.area).toMatchObject({ type: 'MultiPolygon' })
  })

  const deep = (levels: number): object => ({
    resource: 'dataType',
    ...(levels > 1 && { includes: [deep(levels - 1)] }),
  })
  const nested = Array.from({ length: 3 }, (): (string | number)[] => ['includes', 0]).flat()
  test.each([
    ['four levels', [deep(4)], [...nested, 'includes']],
    ['a limit over 100', [{ resource: 'sources', limit: 101 }], ['includes', 0, 'limit']],
    ['an unknown key', [{ resource: 'sources', where: {} }], ['includes', 0, 'where']],
    ['no name', [{ attributes: ['id'] }], ['includes', 0, 'resource']],
    ['a number', 5, ['includes']],
    [
      'an unknown column',
      ['place', { resource: 'dataType', filters: { createdBy: 'x' } }],
      ['includes', 1, 'filters', 'createdBy'],
    ],
    [
      'an unknown column below',
      [{ resource: 'dataType', includes: [{ resource: 'sources', filters: { $or: [{ secret: 1 }] } }] }],
      ['includes', 0, 'includes', 0, 'filters', 0, 'secret'],
    ],
  ])('%s is rejected with its path', async (_what, includes, path) => {
    const response = call(v1.place.source.find, world.as('anonymous'), { params, options: { includes } })
    await expect(response).rejects.toMatchObject({ kind: 'invalid', issues: [{ path }] })
  })

  test('accepts three levels', async () => {
    const options = { includes: [deep(3)] }
    await expect(call(v1.place.source.find, world.as('anonymous'), { params, options })).resolves.toBeTruthy()
  })

  test('runs a statement for each include and level, however many rows', async () => {
    const includes = parse(Includes, [
      { resource: 'sources', includes: ['place', { resource: 'dataType', includes: 'sources' }] },
    ])
    const countStatements = async (rows: { id: string }[]) => {
      const ctx = world.as('super_admin')
      let statements = 0
      const db = ctx.db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => ((statements += 1), result),
      })
      await withIncludes({ ...ctx, db }, 'dataType', rows, includes)
      return statements
    }
    expect(await countStatements([{ id: 'call' }])).toBe(4)
    expect(await countStatements(['call', 'tree', 'lamp'].map((id) => ({ id })))).toBe(4)
  })
})

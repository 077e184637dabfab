import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '#functions/api/call.ts'
import { requireConforming } from '#functions/api/conform.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const params = { placeId: 'oakton' }
const asPerson = (person: Person) => world.as(person)
const admin = () => asPerson('organization_admin')

async function listTags(person: Person) {
  const { tags } = v1.place
  const response = await call(tags, asPerson(person), { params })
  requireConforming({ name: 'place.tags', endpoint: tags }, response)
  return response.results
}

test('counts tags of all kinds of items together, ignoring case', async () => {
  const { source, page } = v1.place
  const tag = (tags: string[]) => ({ tags })
  await call(source.updateById, admin(), {
    params: { ...params, sourceId: 'open' },
    data: tag(['Ward 10', 'water']),
  })
  await call(source.updateById, admin(), { params: { ...params, sourceId: 'secret' }, data: tag(['Hidden']) })
  await call(page.updateById, admin(), {
    params: { ...params, pageId: 'story' },
    data: tag(['Water', 'Ward 9']),
  })
  await call(v1.insight.updateById, admin(), { params: { insightId: 'calls' }, data: tag(['Water']) })
  await call(v1.place.collection.updateById, admin(), {
    params: { ...params, collectionId: 'best' },
    data: tag(['ward 9']),
  })
  const none = { source: 0, insight: 0, collection: 0, page: 0 }
  expect(await listTags('viewer')).toMatchObject([
    { ...none, collection: 1, page: 1 },
    { ...none, name: 'Ward 10', spellings: ['Ward 10'], source: 1 },
    { ...none, name: 'Water', spellings: ['Water', 'water'], source: 1, insight: 1, page: 1 },
  ])
  expect((await listTags('organization_admin')).map(({ name }) => name)).toContain('Hidden')
  await expect(listTags('none')).rejects.toMatchObject({ kind: 'notFound' })
})

test('lists are filtered by tags in the query language', async () => {
  const { source, page, collection } = v1.place
  const listIds = async (filters: unknown) => {
    const options = { filters }
    const lists = await Promise.all([
      call(source.find, admin(), { params, options }),
      call(v1.insight.find, admin(), { options }),
      call(collection.find, admin(), { params, options }),
      call(page.find, admin(), { params, options }),
    ])
    return lists.flatMap(({ results }) => results.map(({ id }) => id))
  }
  expect(await listIds({ tags: { $overlap: ['water', 'Water'] } })).toEqual(['open', 'calls', 'story'])
  expect(await listIds({ tags: { $contains: ['Water', 'Ward 9'] } })).toEqual(['story'])
  expect(await listIds({ $not: { tags: [] } })).toEqual(['open', 'secret', 'calls', 'best', 'story'])
})

test('rejects an invalid list of tags, and ordering by tags', async () => {
  const { find, updateById } = v1.place.page
  const ask = (options: object) => call(find, admin(), { params, options })
  await expect(ask({ filters: { tags: { $iLike: 'w%' } } })).rejects.toMatchObject({ kind: 'invalid' })
  await expect(ask({ orderings: [{ value: { field: 'tags' } }] })).rejects.toMatchObject({
    issues: [{ path: ['orderings', 0, 'value', 'field'], message: 'Field does not exist.' }],
  })
  const write = (tags: unknown) =>
    call(updateById, admin(), { params: { ...params, pageId: 'story' }, data: { tags } })
  await expect(write(['a', 'A'])).rejects.toMatchObject({ issues: [{ message: 'Must not be there twice.' }] })
  await expect(write(['<b>'])).rejects.toMatchObject({ kind: 'invalid' })
  await expect(write(Array.from({ length: 21 }, (_, n) => `t${n}`))).rejects.toMatchObject({
    kind: 'invalid',
  })
})

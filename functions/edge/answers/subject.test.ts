import { expect, test } from 'vitest'
import { parseSubject } from './subject.ts'
import { routes } from '#functions/api/routes.ts'
import { revalidateAlways } from '#functions/v1/dataset.ts'
import { v1 } from '#functions/v1/index.ts'

const ids: Record<string, string> = { datumId: '17', placeId: 'oakton', dataTypeId: 'call' }
const all = routes(v1).map((route) => ({
  ...route,
  address: `/v1${route.path.replace(/:(\w+)/g, (_all, name: string) => ids[name] ?? 'An_id-1')}`,
}))

test('the cached paths are those of the endpoints marked as cacheable', () => {
  const cachedRoutes = all.filter(({ method, address }) => method === 'get' && parseSubject(address) !== null)
  const marked = all.filter(({ endpoint }) => endpoint.cache === revalidateAlways)
  expect(cachedRoutes.map(({ name }) => name).sort()).toEqual(marked.map(({ name }) => name).sort())
  expect(cachedRoutes.length).toBeGreaterThan(18)
})

test('a cached answer is a JSON read without personal data', () => {
  for (const { name, method, endpoint } of all.filter((route) => route.endpoint.cache === revalidateAlways)) {
    const { allow, stream, shownOnce, statuses, data, returns } = endpoint
    expect([name, method, stream, shownOnce, statuses, data]).toEqual([
      name,
      'get',
      ...Array(4).fill(undefined),
    ])
    expect([name, returns !== undefined, /^(source|insight)\.read$/.test(allow)]).toEqual([name, true, true])
  }
})

test('the subject is read from the path', () => {
  const about = { id: 'An_id-1', placeId: 'oakton' }
  expect(parseSubject('/v1/places/oakton/sources/An_id-1/data/cluster')).toEqual({
    ...about,
    kind: 'source',
    verb: 'cluster',
  })
  expect(parseSubject('/v1/sources/An_id-1/data/17/')).toMatchObject({ placeId: null, verb: 'datum' })
  expect(parseSubject('/v1/places/oakton/insights/An_id-1/analytics')).toEqual({
    ...about,
    kind: 'insight',
    verb: 'analytics',
  })
  expect(parseSubject('/v1/places/oakton/dataTypes/call/values')).toMatchObject({
    id: 'call',
    kind: 'dataType',
  })
})

test.each([
  '/v1/sources/open/export',
  '/v1/sources/open/export.csv',
  '/v1/sources/open/data.csv',
  '/v1/sources/open/data/x.css',
  '/v1/sources/open',
  '/v1/sources//data',
  '/v1/sources/a%62/data',
  '/v1/sources/../sources/open/data',
  '/v1//sources/open/data',
  '/V1/sources/open/data',
  '/v1/sources/open/Data',
  '/v1/sources/open/data//',
  '/v1/sources/open/data\n',
  '/v1/places/Oakton/sources/open/data',
  '/v1/insights/one/analytics',
  '/v1/places/oakton/observers/watch/analytics',
  `/v1/sources/${'a'.repeat(65)}/data`,
])('%j is not a path with cached answers', (pathname) => expect(parseSubject(pathname)).toBeNull())

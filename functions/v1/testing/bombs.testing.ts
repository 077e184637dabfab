import type { Wire } from './ask.testing.ts'

const filters = '/places/oakton/sources/open/data'
const asJson = { 'content-type': 'application/json', 'x-http-method-override': 'GET' }
/** A query in a body: a GET sent as POST. */
export const rewritten = (options: unknown, path = filters): Wire => ({
  method: 'post',
  path,
  headers: asJson,
  raw: typeof options === 'string' ? options : JSON.stringify(options),
})
/** A query in a URL. */
export const get = (query: string, path = filters): Wire => ({ method: 'get', path: `${path}?${query}` })
/** An array of `count` items made by their index. */
export const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_none, i) => make(i))

/** Deeply nested `$and` as text, since JSON.stringify would recurse. */
export const nested = (depth: number) => `${'{"$and":['.repeat(depth)}{"id":"x"}${']}'.repeat(depth)}`
const parens = (depth: number) => `${'{"function":"add","arguments":['.repeat(depth)}1${',1]}'.repeat(depth)}`

/** Expensive queries: name, request, expected status, and the path of the error. */
export const bombs: [string, () => Wire, number, unknown[]?][] = [
  ['an address of 16 KB and more', () => get(`search=${'x'.repeat(17_000)}`), 413],
  ['a rewritten question of 1 MB and more', () => rewritten({ search: 'x'.repeat(1_000_001) }), 413],
  [
    'one that says its size is small',
    () => ({
      ...rewritten({ search: 'x'.repeat(1_000_001) }),
      headers: { ...asJson, 'content-length': '5' },
    }),
    413,
  ],
  ['filters deeper than 32', () => rewritten(`{"filters":${nested(40)}}`), 400, ['filters']],
  ['filters 10,000 deep', () => rewritten(`{"filters":${nested(10_000)}}`), 400, ['filters']],
  ['filters deep in the address', () => get(`filters${'[a]'.repeat(4000)}=1`), 400, ['filters']],
  [
    '10,000 levels of a list',
    () => rewritten(`{"filters":${'['.repeat(10_000)}${']'.repeat(10_000)}}`),
    400,
    ['filters'],
  ],
  ['a list of 10,001', () => rewritten({ exclusions: times(10_001, String) }), 400, ['exclusions']],
  [
    'an object of 10,001',
    () => rewritten({ filters: Object.fromEntries(times(10_001, (i) => [`k${i}`, 1])) }),
    400,
    ['filters'],
  ],
  ['1,000,000 nodes', () => rewritten(`{"filters":[${'1,'.repeat(400_000)}1]}`), 400, ['filters']],
  ['10,000 parameters', () => get(times(8_000, () => 'a').join('&')), 400],
  [
    '10,000 filters of one field',
    () => rewritten({ filters: times(3000, () => ({ 'data.nope': 1 })) }),
    400,
    ['filters'],
  ],
  [
    'an aggregation 100 functions deep',
    () =>
      rewritten(
        `{"aggregations":[{"alias":"x","value":${parens(100)}}]}`,
        '/places/oakton/sources/open/analytics',
      ),
    400,
    ['aggregations'],
  ],
  [
    '2,000 aggregations',
    () =>
      rewritten(
        { aggregations: times(2000, (i) => ({ alias: `a${i}`, value: { function: 'count' } })) },
        '/places/oakton/sources/open/analytics',
      ),
    400,
    ['aggregations'],
  ],
  [
    '100 groupings',
    () =>
      rewritten(
        {
          aggregations: [{ alias: 'n', value: { function: 'count' } }],
          groupings: times(1000, () => ({ field: 'data.type' })),
        },
        '/places/oakton/sources/open/analytics',
      ),
    400,
  ],
  ['an index of a list far out', () => get('exclusions[999999999]=x'), 400],
  ['__proto__ in brackets', () => get('__proto__[polluted]=1'), 400, ['__proto__']],
  ['__proto__ in JSON', () => rewritten('{"__proto__":{"polluted":1},"filters":{"__proto__":1}}'), 400],
  ['a parameter twice', () => get('limit=1&limit=2'), 400, ['limit']],
  ['a value and an object', () => get('filters=1&filters[a]=1'), 400, ['filters']],
  ['a place twice', () => get('maxVisibility=public&maxVisibility=private'), 400, ['maxVisibility']],
  [
    'includes of 10,000',
    () => rewritten({ includes: times(10_001, () => 'place') }, '/sources'),
    400,
    ['includes'],
  ],
  ['deep filters of a list', () => rewritten(`{"filters":${nested(30)}}`, '/sources'), 400, ['filters']],
  [
    'a search of 10,000 letters',
    () => rewritten({ search: 'x'.repeat(10_000) }, '/sources'),
    400,
    ['search'],
  ],
]

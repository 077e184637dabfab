import { describe, expect, test } from 'vitest'
import { limit, parseQuery } from './querystring.ts'

/** As plain objects, since the parser's have no prototype. */
const parsePlainQuery = (text: string): unknown => JSON.parse(JSON.stringify(parseQuery(text)))

describe('parseQuery', () => {
  test.each<[string, unknown]>([
    ['a=b', { a: 'b' }],
    ['?a=b&c=d', { a: 'b', c: 'd' }],
    ['', {}],
    ['a', { a: null }],
    ['a=', { a: '' }],
    ['a=1=2', { a: '1=2' }],
    ['a=x+y%20z', { a: 'x y z' }],
    ['a=%E2%82%AC', { a: '€' }],
    ['a=%', { a: '%' }],
    ['a[b][c]=d', { a: { b: { c: 'd' } } }],
    ['a%5Bb%5D=c', { a: { b: 'c' } }],
    ['a[0]=x&a[1]=y', { a: ['x', 'y'] }],
    ['a[1]=y&a[0]=x', { a: ['x', 'y'] }],
    ['a[0]=x&a[7]=y', { a: ['x', 'y'] }],
    ['a[]=x&a[]=y', { a: ['x', 'y'] }],
    ['a=x&a=y', { a: ['x', 'y'] }],
    ['a[0][b]=c&a[0][d]=e', { a: [{ b: 'c', d: 'e' }] }],
    ['filters[0][data.severity][$gte]=0.5', { filters: [{ 'data.severity': { $gte: '0.5' } }] }],
    ['filters[0][data][type]', { filters: [{ data: { type: null } }] }],
    ['a[b=c', { 'a[b': 'c' }],
    ['[a]=b', { '[a]': 'b' }],
    ['a[10000]=x', { a: { '10000': 'x' } }],
    ['a[01]=x', { a: { '01': 'x' } }],
    ['filters={"a":null}', { filters: { a: null } }],
    ['groupings=[{"field":"day"}]', { groupings: [{ field: 'day' }] }],
    ['filters={broken', { filters: '{broken' }],
    ['name={"a":1}', { name: '{"a":1}' }],
    ['response=false', { response: 'false' }],
  ])('%s', (text, expected) => expect(parsePlainQuery(text)).toEqual(expected))

  test('no key changes a prototype', () => {
    const query = parseQuery('__proto__[polluted]=1&constructor[prototype][polluted]=1&a[__proto__][b]=1')
    expect(({} as { polluted?: string }).polluted).toBeUndefined()
    expect(Object.getPrototypeOf(query)).toBeNull()
    expect(Object.keys(query)).toEqual(['__proto__', 'constructor', 'a'])
    expect(Object.getPrototypeOf(query.a)).toBeNull()
  })

  test.each(['a=1&a[b]=2', 'a[b]=2&a=1', 'a[0]=1&a[0][b]=2'])(
    'rejects %s, which is both a value and an object',
    (text) => expect(() => parseQuery(text)).toThrow(expect.objectContaining({ kind: 'invalid' }) as Error),
  )
})

describe('hostile query strings', () => {
  const fast = (run: () => unknown) => {
    // Processor time, so that other load on the machine does not count.
    const cpuBefore = process.cpuUsage()
    let outcome: unknown
    try {
      outcome = run()
    } catch (error) {
      outcome = (error as { kind?: string }).kind ?? error
    }
    const { user, system } = process.cpuUsage(cpuBefore)
    expect((user + system) / 1000).toBeLessThan(500)
    return outcome
  }

  test('10,000 parameters, items and levels are parsed', () => {
    const parameters = Array.from({ length: limit }, (_, i) => `p${i}=1`).join('&')
    expect(Object.keys(fast(() => parseQuery(parameters)) as object)).toHaveLength(limit)
    const items = Array.from({ length: limit }, (_, i) => `a[${i}]=1`).join('&')
    expect((fast(() => parseQuery(items)) as { a: string[] }).a).toHaveLength(limit)
    expect(fast(() => parseQuery(`a${'[b]'.repeat(limit)}=1`))).toBeTypeOf('object')
  })

  test.each([
    ['parameters', Array.from({ length: limit + 1 }, () => 'a=1').join('&')],
    ['levels', `a${'[b]'.repeat(limit + 1)}=1`],
    ['brackets', `a${'[b]'.repeat(200_000)}=1`],
    ['many deep keys', Array.from({ length: limit + 1 }, (_, i) => `a${'[b]'.repeat(20)}[${i}]=1`).join('&')],
  ])('rejects too many %s', (_what, text) => expect(fast(() => parseQuery(text))).toBe('invalid'))

  test('sparse and wide keys take linear time', () => {
    fast(() => parseQuery('a[9999]=1&b[999999999]=1'))
    fast(() => parseQuery('&'.repeat(9_999)))
    fast(() => parseQuery(`${'['.repeat(100_000)}=1`))
    fast(() => parseQuery(`a=${'%'.repeat(500_000)}`))
  })
})

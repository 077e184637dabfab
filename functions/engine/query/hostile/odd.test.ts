import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../differential/database.testing.ts'
import { openDatabase, runEach } from '../differential/database.testing.ts'
import { callTable } from '../examples/fields.ts'
import { run, type Answer } from '../examples/run.ts'
import { QueryError, rows } from '../index.ts'

const { env } = callTable
const count = { function: 'count' }
const call = (name: string, ...args: unknown[]) => ({ function: name, arguments: args })
const aggregate = (value: unknown) => ({ aggregations: [{ alias: 'a', value }], limit: 1 })
const buildObjectWithKey = (key: string, value: unknown) =>
  JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`) as object

let database: Database
beforeAll(async () => {
  database = await openDatabase()
  await runEach(database, callTable.create)
})
afterAll(() => database.close())

/** The answer, 'refused', or the class of a data error of the database. Rethrows anything else. */
async function outcome(question: object): Promise<Answer | 'refused' | '22'> {
  try {
    return await run(database, 'call', question)
  } catch (error) {
    if (error instanceof QueryError) return 'refused'
    if (String((error as { code?: unknown }).code).startsWith('22')) return '22'
    throw error
  }
}
const evaluateValue = async (value: unknown) => {
  const result = await outcome(aggregate(value))
  return typeof result === 'string' ? result : result.rows[0]?.a
}

describe('numbers at their limits', () => {
  test.each([
    NaN,
    Infinity,
    -Infinity,
    'NaN',
    'Infinity',
    '-Infinity',
    '1e400',
    '0x10',
    '1_000',
    '١',
    '1,5',
    '5 ',
    '',
  ])('%s is not a number', async (number) => {
    expect(await evaluateValue(call('add', number, 1))).toBe('refused')
    expect(await outcome({ filters: { 'data.cost': number === '' ? [''] : { $gt: number } } })).toBe(
      'refused',
    )
    expect(await outcome({ within: { xmin: number, ymin: 0, xmax: 1, ymax: 1 } })).toBe('refused')
  })

  test.each(['NaN', 'Infinity', '1e400', -1, 1.5, '1e300', 2 ** 53, [], {}, true])(
    '%s is not a limit',
    async (limit) => {
      expect(await outcome({ limit })).toBe('refused')
      expect(await outcome({ offset: limit })).toBe('refused')
    },
  )

  test('overflow is a data error, in every function', async () => {
    expect(await evaluateValue(call('add', 1e308, '1e308'))).toBe('22')
    expect(await evaluateValue(call('subtract', -1e308, 1e308))).toBe('22')
    expect(await evaluateValue(call('multiply', 1e308, 10))).toBe('22')
    expect(await evaluateValue(call('divide', 1e308, 0.1))).toBe('22')
    expect(await evaluateValue(call('percentage', 1e308, 1e-308))).toBe('22')
    expect(await evaluateValue(call('sum', call('multiply', { field: 'id' }, 1e308)))).toBe('22')
  })

  test('results within the range are numbers', async () => {
    expect(await evaluateValue(call('remainder', 1e308, 7))).toBe(Number(10n ** 308n % 7n))
    expect(await evaluateValue(call('remainder', 1e308, 5e-324))).toBe(0)
    expect(await evaluateValue(call('round', 1.7976931348623157e308))).toBe(1.7976931348623157e308)
    expect(await evaluateValue(call('round', 5e-324))).toBe(0)
    expect(await evaluateValue(call('divide', 1, 5e-324))).toBe('22')
    expect(await evaluateValue(9007199254740993)).toBe(9007199254740992)
    expect(
      await outcome({ filters: { id: { $in: [2 ** 53, 2 ** 63, 1e308, -1e308, 1.5, 1] } } }),
    ).toMatchObject({
      rows: [{ id: 1 }],
    })
    expect(await outcome({ filters: { id: { $lt: 1e30 } }, offset: 4_503_599_627_370_496 })).toMatchObject({
      rows: [],
    })
  })

  test('a bounding box may have any corners', async () => {
    for (const far of [1e308, -1e308, 1e15, 0])
      expect(['number', 'string']).toContain(
        typeof (await evaluateValue(call('area', call('boundingBox', 0, 0, far, far)))),
      )
  })

  test('dates are limited to the years 1 to 9999', async () => {
    for (const date of [
      '0000-01-01',
      '10000-01-01',
      '-000001-01-01',
      '2017-02-30',
      '2017-01-01T24:00:00Z',
      '+002017-01-01',
    ])
      expect(await evaluateValue(call('extract', 'year', date)), date).toBe('refused')
    for (const number of [8.64e15, -8.64e15, 1e300]) expect(await outcome({ before: number })).toBe('refused')
    expect(await evaluateValue(call('extract', 'customYear', '0001-01-01'))).toBe(1)
    expect(await evaluateValue(call('extract', 'year', '9999-12-31T23:59:59.999Z'))).toBe(9999)
  })
})

describe('unusual texts', () => {
  const surrogates = ['\ud800', 'a\udfff', '\ud83d', '\udd25\ud83d']

  test.each(surrogates)('a lone surrogate %j matches nothing and breaks nothing', async (text) => {
    for (const filters of [
      { 'data.type': text },
      { 'data.type': { $like: `%${text}` } },
      { 'data.type': { $iLike: `${text}%` } },
      { 'data.type': { $regexp: text } },
      { 'data.tags': { $overlap: [text] } },
      buildObjectWithKey(`data.meta.${text}`, 'x'),
    ])
      expect(await outcome({ filters })).toMatchObject({ rows: [] })
    expect(await outcome({ search: text })).toMatchObject({ rows: [] })
    expect(await evaluateValue(call('distinctCount', text))).toBe(1)
    expect(await outcome({ aggregations: [{ alias: text, value: count }] })).toBe('refused')
  })

  test('rejects NUL everywhere', async () => {
    for (const question of [
      { search: 'a\0' },
      { filters: { 'data.type': '\0' } },
      { filters: buildObjectWithKey('data.meta.\0', 'x') },
      { filters: { 'data.type': { $in: ['a', '\0'] } } },
      { orderings: [{ value: { field: 'data.meta.\0' }, direction: 'asc' }] },
      aggregate('\0'),
      aggregate(call('geojson', '\0')),
      { exclusions: ['\0'] },
      { timezone: 'UTC\0' },
    ])
      expect(await outcome(question)).toBe('refused')
  })

  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'])(
    'the inherited property name %s has no meaning in the language',
    async (name) => {
      for (const question of [
        { filters: buildObjectWithKey(name, 1) },
        { filters: buildObjectWithKey(`data.${name}`, 1) },
        { filters: { data: buildObjectWithKey(name, 1) } },
        { filters: { 'data.type': buildObjectWithKey(name, 1) } },
        { filters: { 'data.type': buildObjectWithKey(`$${name}`, 1) } },
        { filters: buildObjectWithKey(`$${name}`, []) },
        aggregate({ field: name }),
        aggregate({ function: name }),
        aggregate(call('bucket', name, '2017-01-01')),
        aggregate(call('extract', name, '2017-01-01')),
        { timezone: name },
        { orderings: [{ value: { field: 'id' }, direction: name }] },
        { exclusions: [name] },
        { ...aggregate(count), joins: [{ alias: name }] },
        { ...aggregate(count), groupings: [{ field: name }] },
      ])
        expect(await outcome(question), JSON.stringify(question)).toBe('refused')
      // Below a map it is a key that no row has.
      expect(await outcome({ filters: buildObjectWithKey(`data.meta.${name}`, 'x') })).toMatchObject({
        rows: [],
      })
      expect(await outcome({ aggregations: [{ alias: name, value: 2 }], limit: 1 })).toMatchObject({
        rows: [buildObjectWithKey(name, 2)],
      })
    },
  )

  test('an option with an inherited property name has no effect', () => {
    const question = JSON.parse(
      '{"__proto__":{"limit":1,"search":"x"},"constructor":{"prototype":{"limit":1}}}',
    ) as object
    expect(rows(question, env)).toMatchObject({ limit: env.defaultLimit, where: [] })
    expect(({} as { limit?: unknown }).limit).toBeUndefined()
  })
})

describe('expensive patterns', () => {
  const long = 'a'.repeat(5000)
  const expressions = [
    ...[
      '(a+)+$',
      '(a|aa)+$',
      '(.*)*x',
      '(a*)*b',
      '((a*)*)*b',
      '(.*a){200}',
      '(.*a.*b){100}',
      '(a?){60}a{60}',
    ],
    ...[
      '(a{40}){50}',
      '[a-z]{255}[0-9]{255}',
      '(.|\\n){255}b',
      '(\\w+\\s?)+$',
      '((.*)(.*)(.*)(.*)){50}b',
      '(?=.*b)a',
    ],
    ...[
      '(a{255}){255}',
      '(x{0,255}){0,255}',
      '(a?){255}',
      '(a?){255}(a?){255}b',
      '((a{40}){50}){50}',
      '(a)\\1',
      'a{256}',
    ],
    ...['x'.repeat(1001), '('.repeat(500), '['.repeat(900), '\\', `${'('.repeat(400)}a${')'.repeat(400)}`],
  ]

  test.each(expressions)('%j is rejected or fast', async (pattern) => {
    const startMs = performance.now()
    for (const operator of ['$regexp', '$iRegexp'])
      expect(await outcome({ filters: { 'data.type': { [operator]: pattern } } })).not.toBe('22')
    try {
      rows({ filters: { 'data.type': { $regexp: pattern } } }, env)
    } catch {
      return
    }
    await database.query('select $1::text ~ $2::text', [long, pattern])
    expect(performance.now() - startMs).toBeLessThan(10_000)
  })

  test.each([
    `${'%a'.repeat(2000)}%b`,
    `${'%_'.repeat(2000)}b`,
    `${'%'.repeat(10_000)}b`,
    `${'_'.repeat(9999)}%`,
  ])('like, pattern %#, is fast', async (pattern) => {
    const startMs = performance.now()
    for (const operator of ['$like', '$iLike', '$notLike'])
      expect(await outcome({ filters: { 'data.type': { [operator]: pattern } } })).toBeTypeOf('object')
    await database.query('select $1::text ilike $2::text', [long, pattern])
    expect(performance.now() - startMs).toBeLessThan(10_000)
  })
})

describe('at the limits', () => {
  test('lists of the maximum length run', async () => {
    const many = Array.from({ length: 9_900 }, (_, i) => i + 0.5)
    for (const operator of ['$in', '$notIn', '$any', '$all'])
      expect(await outcome({ filters: { 'data.cost': { [operator]: many } } })).toBeTypeOf('object')
    expect(await outcome({ filters: { 'data.scores': { $overlap: many } } })).toMatchObject({ rows: [] })
    expect(
      await outcome({ filters: { 'data.type': { $like: { $any: many.map((each) => `${each}%`) } } } }),
    ).toMatchObject({ rows: [] })
    expect(
      await outcome({ filters: { $or: many.slice(0, 3000).map((each) => ({ id: each })) } }),
    ).toMatchObject({ rows: [] })
  })

  test('calculations of the maximum depth run', async () => {
    const nest = (depth: number, wrap: (inner: unknown) => unknown, inner: unknown): unknown =>
      depth === 0 ? inner : nest(depth - 1, wrap, wrap(inner))
    expect(await evaluateValue(nest(29, (inner) => call('add', inner, 1), 0))).toBe(29)
    expect(await evaluateValue(nest(29, (inner) => call('round', inner), 1))).toBe(1)
    expect(
      await evaluateValue(nest(29, (inner) => call('bucket', 'hour', inner), '2017-01-01T00:30:00Z')),
    ).toBe('2017-01-01T00:00:00.000Z')
    expect(
      await evaluateValue(nest(29, (inner) => call('bucket', 'customYear', inner), '2017-01-01T00:30:00Z')),
    ).toBe('2017-01-01T00:00:00.000Z')
    expect(await outcome({ filters: nest(30, (inner) => ({ $not: inner }), { id: 1 }) })).toMatchObject({
      rows: [{ id: 1 }],
    })
    expect(await evaluateValue(nest(40, (inner) => call('round', inner), 1))).toBe('refused')
  })
})

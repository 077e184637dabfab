import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mapper } from '../map/index.ts'
import { Distinct } from './distinct.ts'
import { Frequent } from './frequent.ts'
import { hashText } from './hash.ts'
import { profiler, profilerFrom, type Profiler } from './index.ts'

const toRows = (values: unknown[], from = 0) =>
  values.map((value, i) => ({ at: { row: from + i + 1 }, value }))
const buildProfile = (values: unknown[]) => {
  const all = profiler()
  all.add(toRows(values))
  return all.result()
}
/** A fixed sequence of numbers from 0 to 1 (mulberry32). */
function random(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

describe('estimates', () => {
  test.each([10, 2000, 2049, 5000, 50_000, 300_000])(
    'the number of %i different values is within 3 %%',
    (count) => {
      for (const prefix of ['', 'row ', 'https://example.com/']) {
        const distinct = new Distinct()
        for (let i = 0; i < count * 2; i += 1) distinct.add(hashText(`${prefix}${i % count}`))
        expect(Math.abs(distinct.count() - count) / count).toBeLessThan(distinct.isExact ? 1e-12 : 0.03)
        expect(distinct.repeats().repeated).toBe(distinct.repeats().of)
      }
    },
  )
  test('a repeated value in a hundred is detected', () => {
    const distinct = new Distinct()
    for (let i = 0; i < 200_000; i += 1) distinct.add(hashText(`id-${i}`))
    expect(distinct.repeats().repeated).toBe(0)
    for (let i = 0; i < 200_000; i += 100) distinct.add(hashText(`id-${i}`))
    expect(distinct.repeats().repeated).toBeGreaterThan(0)
  })
  test('finds the most frequent values, with counts too low by at most the error', () => {
    const next = random(5)
    const frequent = new Frequent()
    const exact = new Map<string, number>()
    for (let i = 0; i < 100_000; i += 1) {
      // A few values are frequent, most occur once: Zipf's law.
      const value = String(Math.floor(1 / (next() + 1e-5)))
      frequent.add(value)
      exact.set(value, (exact.get(value) ?? 0) + 1)
    }
    const { values, error } = frequent.top(20)
    expect(error).toBeLessThan(1000)
    for (const { value, count } of values) {
      expect(count).toBeLessThanOrEqual(exact.get(value)!)
      expect(count).toBeGreaterThanOrEqual(exact.get(value)! - error)
    }
    const best = [...exact].sort((a, b) => b[1] - a[1]).slice(0, 10)
    for (const [value] of best) expect(values.map((one) => one.value)).toContain(value)
  })
})

const cell = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    '',
    ' ',
    '-',
    'N/A',
    'yes',
    'no',
    '007',
    '1,234.5',
    '1.234,5',
    '1/2/2019',
    '13/2/2019',
    '2019-05-15',
    'POINT(1 2)',
  ),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constant({ type: 'Point', coordinates: [1, 2] }),
  fc.array(fc.integer(), { maxLength: 3 }),
)
const row = fc.dictionary(
  fc.constantFrom('a', 'b', 'c.d', 'lat', 'lon'),
  fc.oneof(cell, fc.dictionary(fc.constantFrom('x', 'y'), cell)),
  { maxKeys: 5 },
)

describe('partial profiles', () => {
  /** Checks that the parts of some rows, cut at one of them, give the profile of all. */
  function checkParts(values: Record<string, unknown>[], cut: number) {
    const whole = profiler()
    whole.add(toRows(values))
    const first = profiler()
    first.add(toRows(values.slice(0, cut)))
    const again = profilerFrom(JSON.parse(JSON.stringify(first)) as ReturnType<Profiler['toJSON']>)
    again.add(toRows(values.slice(cut), cut))
    expect(again.result()).toEqual(whole.result())
    const second = profiler()
    second.add(toRows(values.slice(cut), cut))
    first.merge(second)
    expect(first.result()).toEqual(whole.result())
  }

  test('merged, and stored as JSON in between, equal the whole', () => {
    fc.assert(fc.property(fc.array(row, { maxLength: 40 }), fc.nat(40), checkParts), { numRuns: 200 })
  })
  test('have pairs of coordinates in the order of the whole, though a part finds another one first', () => {
    checkParts([{ lon: 0 }, { lat: 0, a: { y: 1, x: false }, lon: 0 }, { a: { x: 0, y: 0 } }], 1)
  })
  test('of many values equal the whole as well', () => {
    const values = Array.from({ length: 20_000 }, (_, i) => ({ id: `id ${i}` }))
    const [left, right] = [profiler(), profiler()]
    left.add(toRows(values.slice(0, 12_000)))
    right.add(toRows(values.slice(12_000), 12_000))
    left.merge(right)
    const { columns } = buildProfile(values)
    expect({ ...left.result().columns[0], top: [], topError: 0 }).toEqual({
      ...columns[0],
      top: [],
      topError: 0,
    })
  })
})

describe('counts', () => {
  test('equal an exact count', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ a: cell }, { requiredKeys: [] }), { maxLength: 60 }), (values) => {
        const { rows, columns } = buildProfile(values)
        expect(rows).toBe(values.length)
        const cells = values.filter((value) => 'a' in value).map(({ a }) => a)
        const [column] = columns
        if (!column) {
          expect(cells.length).toBe(0)
          return
        }
        const texts = cells.filter((one) => typeof one === 'string')
        const blank = texts.filter((one) => one.trim() === '').length
        const nothing = texts.filter((one) =>
          /^(-|--|–|—|n\/a|na|#n\/a|null|none|\\n)$/i.test(one.trim()),
        ).length
        expect(column.missing).toBe(values.length - cells.length)
        expect(column.counts.nulls).toBe(cells.filter((one) => one === null).length)
        expect(column.counts.blanks).toBe(blank)
        expect(Object.values(column.counts.words).reduce((sum, times) => sum + times, 0)).toBe(nothing)
        expect(column.values).toBe(cells.length - column.counts.nulls - blank - nothing)
      }),
    )
  })
  test('of parsed values equal those of parsing the rows', async () => {
    const types = ['number', 'boolean', 'date'] as const
    const samples = fc.oneof(
      cell,
      fc.constantFrom(
        '3.14',
        '5',
        '1,000',
        '12.5%',
        '$4',
        'TRUE',
        '0',
        '1.2.2019',
        'Feb 3, 2014',
        '1e400',
        '9007199254740993',
        '2023-02-30',
        '5/2018',
      ),
    )
    const maps = await Promise.all(
      types.map((type) => mapper({}, { a: { name: 'A', type } }, { timeZone: 'UTC' })),
    )
    fc.assert(
      fc.property(fc.array(samples, { minLength: 1, maxLength: 30 }), (list) => {
        const values = list.map((a) => ({ a }))
        const [column] = buildProfile(values).columns
        types.forEach((type, i) => {
          const { parsed, reading } = column!.fits[type]
          if (Object.keys(reading).length > 0) return
          const read = toRows(values).filter((one) => {
            const result = maps[i]!(one)
            return result !== null && 'value' in result
          })
          expect([type, parsed]).toEqual([type, read.length])
        })
      }),
      { numRuns: 300 },
    )
  })
  test('include maps to the fifth level, and distinguish dots in names from nesting', () => {
    const deep = { a: { b: { c: { d: { e: { f: 1 } } } } }, 'x.y': 2 }
    expect(buildProfile([deep]).columns.map(({ path }) => path)).toEqual([
      'a',
      'a.b',
      'a.b.c',
      'a.b.c.d',
      'a.b.c.d.e',
      'x\\.y',
    ])
  })
  test('minimum, maximum, lengths, examples and rows that are not numbers', () => {
    const [column] = buildProfile([{ a: '5' }, { a: '-1.5' }, { a: 'x' }, { a: '1,000' }]).columns
    expect(column!.fits.number).toMatchObject({ parsed: 3, ratio: 0.75, least: -1.5, most: 1000 })
    expect(column!.ranges.length).toEqual([1, 5])
    expect(column!.examples).toEqual(['5', '-1.5', 'x', '1,000'])
    expect(column!.misses.number).toEqual([{ row: 3, value: 'x' }])
  })
  test('end at a thousand columns', () => {
    const wide = Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`c${i}`, '1']))
    const { columns, isCut } = buildProfile([wide])
    expect([columns.length, isCut]).toEqual([1000, true])
  })
})

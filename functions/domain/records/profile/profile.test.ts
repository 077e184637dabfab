import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataTable, tableNameFor } from '#db/data-table.ts'
import type { Tx } from '#db/schema.ts'
import { system, type Context } from '#functions/context.ts'
import type { FieldProfile } from '#functions/shapes/field-profile.ts'
import type { Field, FieldSchema } from '#functions/shapes/field.ts'
import { change, prepareRecordSubject } from '../change.ts'
import { ingest } from '../ingest.ts'
import { removeRecords, wipe } from '../remove.ts'
import { rollBackVersion } from '../replay.ts'
import { recordsWorld, type RecordsWorld } from '../testing.ts'
import { isCrossSection } from '#functions/v1/testing/figures.testing.ts'
import { profileSource } from './profile-sources.ts'
import { computeBin, edgeAt } from './numbers.ts'
import type { FieldState } from './state.ts'

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  kind: { name: 'Kind', type: 'text' },
  wide: { name: 'Wide', type: 'text' },
  amount: { name: 'Amount', type: 'number' },
  exotic: { name: 'Exotic', type: 'number' },
  at: { name: 'At', type: 'date' },
  day: { name: 'Day', type: 'date', precision: 'day' },
  month: { name: 'Month', type: 'date', precision: 'month' },
  isOpen: { name: 'Open', type: 'boolean' },
  tags: { name: 'Tags', type: 'array', items: { name: 'Tag', type: 'text' } },
  location: { name: 'Where', type: 'point' },
}

let world: RecordsWorld
let ctx: Context

beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(system)
  await world.dataType('thing', schema, 'at')
})
afterAll(() => world.close())

function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const exotic = [
  0, -0, 5e-324, -5e-324, 1.7976931348623157e308, -1.7e308, 1e15, 1000000000000001, 0.1, 0.3,
  9007199254740992, -1,
]

function thing(random: (below: number) => number, ids: number) {
  const maybe = <T>(value: T) => (random(6) === 0 ? undefined : value)
  const date = new Date(1e12 + random(900) * 864e5 + random(86_400_000)).toISOString()
  return {
    id: String(random(ids)),
    kind: maybe(['a', 'b', 'Ä', '__proto__', '', '😀', '\uffee'][random(7)]),
    wide: maybe(random(20) ? `wide ${random(180)}` : `${'l'.repeat(120)}${random(3)}`),
    amount: maybe((random(2000) - 700) / [1, 10, 3][random(3)]!),
    exotic: maybe(exotic[random(exotic.length)]),
    at: maybe(date),
    day: maybe(date.slice(0, 10)),
    month: maybe(`${date.slice(0, 7)}-01`),
    isOpen: maybe(random(3) === 0),
    tags: maybe(['x', 'y']),
    location: maybe({ type: 'Point', coordinates: [random(360) - 180, random(160) - 80] }),
  }
}

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

/** The rows of a source as the table has them. */
async function rowsIn(source: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select *, to_char(f_day, 'YYYY-MM-DD') as f_day, to_char(f_month, 'YYYY-MM-DD') as f_month
    from ${dataTable(tableNameFor('thing'))} where source_id = ${source}`.execute(ctx.db.withoutPlugins())
  return rows
}

/** The values of a field, formatted as in a profile. */
const valuesIn = (rows: Record<string, unknown>[], key: string) =>
  rows
    .map((row) => row[`f_${key}`])
    .filter((value) => value !== null)
    .map((value) =>
      value instanceof Date ? value.toISOString() : typeof value === 'boolean' ? String(value) : value,
    )

const compareValues = (a: unknown, b: unknown) => {
  if (typeof a === 'number') return a - Number(b)
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

/** The expected profile, computed from all values without the product's code. */
function expected(values: unknown[], records: number, field: Field) {
  const isDate = field.type === 'date'
  const isRange = isDate || field.type === 'number'
  const isListed = isRange || field.type === 'text' || field.type === 'boolean'
  const sorted = [...values].sort(compareValues)
  const counts = new Map<unknown, number>()
  for (const value of sorted) counts.set(value, (counts.get(value) ?? 0) + 1)
  const top = [...counts].sort((a, b) => b[1] - a[1] || compareValues(a[0], b[0])).slice(0, 50)
  const cut = (value: unknown) =>
    typeof value === 'string' && [...value].length > 100 ? `${value.slice(0, 100)}…` : value
  return {
    count: values.length,
    empty: records - values.length,
    distinct: isListed ? { count: counts.size } : null,
    min: isRange ? (sorted[0] ?? null) : null,
    max: isRange ? (sorted.at(-1) ?? null) : null,
    quantiles:
      isRange && sorted.length
        ? {
            values: [5, 25, 50, 75, 95].map((percent) => ({
              percent,
              value: sorted[Math.max(Math.ceil((percent * sorted.length) / 100), 1) - 1],
            })),
          }
        : null,
    top: isListed
      ? {
          values: top.map(([value, count]) => ({ value: cut(value), count })),
          of: { count: counts.size },
          others: values.length - top.reduce((sum, [, count]) => sum + count, 0),
        }
      : null,
  }
}

async function readProfiles(source: string) {
  const rows = await ctx.db
    .selectFrom('fieldProfile')
    .select(['field', 'profile', 'state', 'dataVersion', 'wholeRecords'])
    .where('sourceId', '=', source)
    .execute()
  return new Map(
    rows.map(({ field, profile, state, ...row }) => [
      field,
      { ...row, profile: profile as unknown as FieldProfile, state: JSON.parse(state) as FieldState },
    ]),
  )
}

/** Recounts each bar and gap from the values. */
function expectPictures(key: string, { histogram, coverage }: FieldProfile, values: unknown[]) {
  const { type, precision } = schema[key]!
  const different = new Set(values).size
  if (different < 2 || (type !== 'number' && type !== 'date'))
    expect({ key, histogram }).toEqual({ key, histogram: null })
  else {
    expect({ key, bars: histogram?.bars.length }).not.toEqual({ key, bars: 0 })
    expect(histogram?.bars.length).toBeLessThanOrEqual(62)
    for (const { from, to, count } of histogram?.bars ?? []) {
      const inside = values.filter((value) =>
        typeof value === 'number'
          ? value >= Number(from) && (value < Number(to) || to === Number.MAX_VALUE)
          : Date.parse(String(value)) >= Date.parse(String(from)) &&
            Date.parse(String(value)) < Date.parse(String(to)),
      )
      expect({ key, from, to, count }).toEqual({ key, from, to, count: inside.length })
    }
    expect(histogram?.bars.reduce((sum, { count }) => sum + count, 0)).toBe(values.length)
  }
  if (type !== 'date' || values.length === 0) return expect(coverage).toBeNull()
  const listPeriods = (digits: number) =>
    [...new Set(values.map((value) => String(value).slice(0, digits)))].sort()
  const isByMonth = precision === 'month' || listPeriods(10).length > 4000
  const periods = listPeriods(isByMonth ? 7 : 10)
  expect(coverage).toMatchObject({
    unit: isByMonth ? 'month' : 'day',
    from: periods[0],
    to: periods.at(-1),
    filled: periods.length,
  })
  for (const { from, to } of coverage?.longestGaps ?? [])
    expect(periods.filter((period) => period >= from && period <= to)).toEqual([])
  const missing = coverage!.periods - coverage!.filled
  const listedPeriods = coverage!.longestGaps.reduce((sum, gap) => sum + gap.periods, 0)
  if (coverage!.gaps <= 10) expect(listedPeriods).toBe(missing)
  else expect(listedPeriods).toBeLessThan(missing)
}

async function expectExact(source: string) {
  const rows = await rowsIn(source)
  const { dataVersion } = await ctx.db
    .selectFrom('source')
    .select('dataVersion')
    .where('id', '=', source)
    .executeTakeFirstOrThrow()
  const profiles = await readProfiles(source)
  if (rows.length === 0) return expect([...profiles.keys()]).toEqual([])
  expect([...profiles.keys()].sort()).toEqual(Object.keys(schema).sort())
  for (const [key, field] of Object.entries(schema)) {
    const values = valuesIn(rows, key)
    const { profile, dataVersion: of } = profiles.get(key)!
    expect({ key, of }).toEqual({ key, of: dataVersion })
    const { histogram: _bars, coverage: _periods, ...numbers } = profile
    expect({ key, ...numbers }).toEqual({ key, ...expected(values, rows.length, field) })
    expectPictures(key, profile, values)
  }
}

test(`after random writes of every kind a profile equals the table, however it was computed (SEED=${seed})`, async () => {
  const random = randomFrom(seed)
  const source = await world.source('thing')
  const createThings = (count: number, ids = 900) => Array.from({ length: count }, () => thing(random, ids))
  let fresh = 1e6
  await ingest(ctx, source, createThings(100))
  for (let step = 0; step < (isCrossSection ? 6 : 14); step++) {
    const what = ['upsert', 'append', 'replace', 'remove', 'add', 'add', 'back'][random(7)]
    if (what === 'remove') {
      const ids = (await rowsIn(source)).slice(0, random(40)).map(({ id }) => String(id))
      if (ids.length) await removeRecords(ctx, source, ids)
    } else if (what === 'back') {
      const { version } = await ingest(ctx, source, createThings(30), { mode: 'upsert' })
      const subject = await prepareRecordSubject(ctx, source)
      // Only the latest version can be rolled back.
      const { dataVersion } = await ctx.db
        .selectFrom('source')
        .select('dataVersion')
        .where('id', '=', source)
        .executeTakeFirstOrThrow()
      if (subject && version === dataVersion && version > 1)
        await change(ctx, subject, async (pending) => void (await rollBackVersion(pending, version)))
    } else if (what === 'add') {
      // All rows are new, so only these are read.
      const rows = createThings(random(120) + 1).map((row) => ({ ...row, id: String((fresh += 1)) }))
      await ingest(ctx, source, rows)
    } else await ingest(ctx, source, createThings([1, 30, 200][random(3)]!), { mode: what as 'upsert' })
    // Some profiles cover several writes.
    if (random(4) === 0) continue
    expect(['made', 'current', 'none']).toContain(await profileSource(ctx, source))
    await expectExact(source)
  }
  await ingest(
    ctx,
    source,
    createThings(1).map((row) => ({ ...row, id: 'last' })),
  )
  await profileSource(ctx, source)
  await expectExact(source)
  expect(await profileSource(ctx, source)).toBe('current')
  await wipe(ctx, source)
  expect(await profileSource(ctx, source)).toBe('none')
  await expectExact(source)
})

describe('edge cases', () => {
  const profileRows = async (rows: Record<string, unknown>[]) => {
    const source = await world.source('thing')
    await ingest(
      ctx,
      source,
      rows.map((row, i) => ({ id: `r${i}`, ...row })),
    )
    await profileSource(ctx, source)
    await expectExact(source)
    return readProfiles(source)
  }

  test('one record', async () => {
    const profiles = await profileRows([{ amount: 3 }])
    expect(profiles.get('amount')?.profile).toMatchObject({
      min: 3,
      max: 3,
      histogram: null,
      distinct: { count: 1 },
    })
  })

  test('nothing but empty fields', async () => {
    const profiles = await profileRows([{}, {}, {}])
    expect(profiles.get('amount')?.profile).toMatchObject({
      count: 0,
      empty: 3,
      quantiles: null,
      histogram: null,
    })
  })

  test('the same number and text in every record', async () => {
    const profiles = await profileRows(Array.from({ length: 3000 }, () => ({ amount: 7.25, kind: 'one' })))
    expect(profiles.get('amount')?.profile.top).toEqual({
      values: [{ value: 7.25, count: 3000 }],
      of: { count: 1 },
      others: 0,
    })
  })

  test('ties at the cut of 50 are ordered, and the number of all is given', async () => {
    const rows = Array.from({ length: 320 }, (_none, i) => ({ wide: `v${String(i % 160).padStart(3, '0')}` }))
    const top = (await profileRows(rows)).get('wide')?.profile.top
    expect(top?.values.map(({ value }) => value)).toEqual(
      Array.from({ length: 50 }, (_none, i) => `v${String(i).padStart(3, '0')}`),
    )
    expect(top).toMatchObject({ of: { count: 160 }, others: 220 })
  })

  test('the largest and the smallest numbers there are', async () => {
    const profiles = await profileRows(exotic.map((value) => ({ exotic: value })))
    expect(profiles.get('exotic')?.profile).toMatchObject({ min: -1.7e308, max: 1.7976931348623157e308 })
  })

  test('a number on the edge of a bin is in the bin that begins there', () => {
    for (let step = -12; step <= 12; step++)
      for (let bin = -200; bin <= 200; bin++)
        expect({ step, bin: computeBin(step, edgeAt(step, bin)) }).toEqual({
          step,
          bin: bin || expect.closeTo(0),
        })
  })

  test('a text of one surrogate pair, and long texts that differ only at their end', async () => {
    const long = 'é'.repeat(150)
    const profiles = await profileRows([
      { wide: `${long}1` },
      { wide: `${long}2` },
      { wide: '😀' },
      { wide: '\uffee' },
    ])
    expect(profiles.get('wide')?.profile.distinct).toEqual({ count: 4 })
  })
})

test('more than 10,000 different values: estimates are marked and close, and new records are added', async () => {
  const source = await world.source('thing')
  const random = randomFrom(seed + 1)
  const createRecords = (count: number, from: number) =>
    Array.from({ length: count }, (_none, i) => {
      const time = 1.5e12 + random(4e8) * 1000
      return {
        id: `m${from + i}`,
        wide: random(5) === 0 ? 'often' : `value ${from + i}`,
        amount: random(10) === 0 ? 42 : 10 ** (random(9) - 4) * (random(1e6) + 1) * (random(4) ? 1 : -1),
        at: new Date(time).toISOString(),
        // Fewer days than the limit, with more instants than the limit.
        day: new Date(time / 2).toISOString().slice(0, 10),
      }
    })
  await ingest(ctx, source, createRecords(14_000, 0))
  await profileSource(ctx, source)
  const whole = await readProfiles(source)
  expect(whole.get('wide')?.profile.top).toMatchObject({
    values: [{ value: 'often' }],
    of: { estimated: true },
  })
  // Each value occurs once, so none is more frequent.
  expect(whole.get('id')?.profile.top).toMatchObject({ values: [], others: 14_000 })
  await expectNear(source)
  await ingest(ctx, source, createRecords(2_000, 50_000))
  await profileSource(ctx, source)
  await expectNear(source)
  const grown = await readProfiles(source)
  expect(grown.get('wide')?.wholeRecords).toBe(14_000)
  await ctx.db.deleteFrom('fieldProfile').where('sourceId', '=', source).execute()
  await profileSource(ctx, source)
  const anew = await readProfiles(source)
  for (const [key, { state }] of anew) {
    const { top, leftOut, tooLowBy, ...same } = grown.get(key)!.state
    expect({ key, ...same }).toEqual({
      ...{ key, ...state },
      top: undefined,
      leftOut: undefined,
      tooLowBy: undefined,
    })
    if (state.leftOut === 0)
      expect({ top, leftOut, tooLowBy }).toEqual({ top: state.top, leftOut: 0, tooLowBy: 0 })
  }
})

async function expectNear(source: string) {
  const rows = await rowsIn(source)
  const profiles = await readProfiles(source)
  for (const key of ['id', 'wide', 'amount', 'at', 'day']) {
    const values = valuesIn(rows, key)
    const { profile } = profiles.get(key)!
    const right = expected(values, rows.length, schema[key]!)
    const { distinct, quantiles, top } = profile
    expect(profile).toMatchObject({ count: right.count, empty: right.empty, min: right.min, max: right.max })
    expectPictures(key, profile, values)
    const isMany = right.distinct!.count > 10_000
    expect({ key, estimated: distinct?.estimated }).toEqual({ key, estimated: isMany ? true : undefined })
    if (!isMany) continue
    expect(Math.abs(distinct!.count / right.distinct!.count - 1)).toBeLessThan(0.04)
    const counts = new Map<unknown, number>()
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
    for (const { value, count } of top!.values) {
      expect(counts.get(value)).toBeGreaterThanOrEqual(count)
      expect(counts.get(value)).toBeLessThanOrEqual(count + (top!.tooLowBy ?? 0))
    }
    // Values that are not listed are not more frequent than listed ones, within the known error.
    const least = Math.min(...top!.values.map(({ count }) => count + (top!.tooLowBy ?? 0)), Infinity)
    const listedValues = new Set(top!.values.map(({ value }) => value))
    const most = Math.max(
      ...[...counts].filter(([value]) => !listedValues.has(value as string)).map(([, count]) => count),
    )
    if (listedValues.size > 0) expect(most).toBeLessThanOrEqual(least)
    for (const [i, { value }] of (quantiles?.values ?? []).entries()) {
      const exact = right.quantiles!.values[i]!.value
      if (typeof quantiles!.within === 'number')
        expect(Math.abs(Number(value) - Number(exact))).toBeLessThanOrEqual(
          Math.abs(Number(exact)) * quantiles!.within + 1e-300,
        )
      else expect(String(exact).startsWith(String(value))).toBe(true)
    }
  }
}

test('added records do not cause earlier ones to be read again; a changed one does', async () => {
  const source = await world.source('thing')
  const numbers = (from: number) =>
    Array.from({ length: 300 }, (_none, i) => ({ id: `n${from + i}`, amount: from + i }))
  await ingest(ctx, source, numbers(0))
  await profileSource(ctx, source)
  // A change that the product does not notice: reading the records again would reveal it.
  await sql`update ${dataTable(tableNameFor('thing'))} set f_amount = 5 where source_id = ${source}`.execute(
    ctx.db,
  )
  await ingest(ctx, source, numbers(300))
  await profileSource(ctx, source)
  expect((await readProfiles(source)).get('amount')?.profile.distinct).toEqual({ count: 600 })
  await ingest(ctx, source, [{ id: 'n599', amount: 1 }])
  await profileSource(ctx, source)
  expect((await readProfiles(source)).get('amount')?.profile.distinct).toEqual({ count: 301 })
})

test('a record that returns with its id is counted again', async () => {
  const source = await world.source('thing')
  await ingest(
    ctx,
    source,
    [1, 2, 3].map((amount) => ({ id: `b${amount}`, amount })),
  )
  const [row] = await rowsIn(source)
  await removeRecords(ctx, source, [String(row?.id)])
  await profileSource(ctx, source)
  await expectExact(source)
  const subject = await prepareRecordSubject(ctx, source)
  if (!subject) throw new Error('There is such a source.')
  await change(ctx, subject, async (pending) => void (await rollBackVersion(pending, 2)))
  await profileSource(ctx, source)
  expect((await rowsIn(source)).length).toBe(3)
  await expectExact(source)
})

interface Insert {
  values(row: unknown): Insert
  onConflict(what: unknown): Insert
  execute(): Promise<unknown>
}

test('records changed during profiling give no mixed profile', async () => {
  const source = await world.source('thing')
  const random = randomFrom(seed + 2)
  await ingest(
    ctx,
    source,
    Array.from({ length: 50 }, () => thing(random, 900)),
  )
  // Changes the version after the first field is stored, so that later statements see another one.
  const raising = (tx: Tx) => {
    const insert = tx.insertInto.bind(tx) as (table: 'fieldProfile') => Insert
    const insertInto = (table: 'fieldProfile') => {
      let query = insert(table)
      const later = {
        values: (row: unknown) => ((query = query.values(row)), later),
        onConflict: (what: unknown) => ((query = query.onConflict(what)), later),
        async execute() {
          await query.execute()
          await tx.updateTable('source').set({ dataVersion: 99 }).where('id', '=', source).execute()
        },
      }
      return later
    }
    return new Proxy(tx, {
      get(target, name) {
        if (name === 'insertInto') return insertInto
        const value = Reflect.get(target, name, target) as unknown
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
  }
  const racing = Object.create(ctx, {
    transaction: { value: (run: (tx: Tx) => Promise<unknown>) => ctx.transaction((tx) => run(raising(tx))) },
  }) as Context
  expect(await profileSource(racing, source)).toBe('changed')
  expect((await readProfiles(source)).size).toBe(0)
  expect(await profileSource(ctx, source)).toBe('made')
  await expectExact(source)
})

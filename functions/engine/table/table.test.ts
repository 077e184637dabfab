import { expect, test } from 'vitest'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { ColumnFileWriter, openColumnFile, valueAt, type Column } from './column-file.ts'
import { selectRows } from './select.ts'
import { stateChart } from './state-chart.ts'
import { toQueryParams } from './table-query.ts'
import { readTableState, wholeTable, writeTableState, type TableState } from './table-state.ts'

const schema = {
  id: { name: 'Id', type: 'number' },
  state: { name: 'State', type: 'text', values: [{ value: 'Ohio', name: 'The Buckeye State' }] },
  notes: { name: 'Notes', type: 'text' },
  count: { name: 'Count', type: 'number' },
  share: { name: 'Share', type: 'number' },
  isOpen: { name: 'Open', type: 'boolean' },
  day: { name: 'Day', type: 'date', precision: 'day' },
  at: { name: 'At', type: 'date' },
  tags: { name: 'Tags', type: 'array', items: { type: 'text' } },
  spot: { name: 'Spot', type: 'point' },
  border: { name: 'Border', type: 'polygon' },
} as unknown as FieldSchema

type Row = { id: string; data: Record<string, unknown> }

/** A seeded random generator, so that a failure is reproducible. */
function random(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * below)
  }
}

const states = ['Ohio', 'ohio', 'Texas', 'Île-de-France', 'Area 2', 'Area 10', '日本', '%_\\', '<b>']
function records(count: number, seed = 1): Row[] {
  const pick = random(seed)
  const pickOrNull = <T>(value: T): T | null => (pick(8) === 0 ? null : value)
  return Array.from({ length: count }, (_, i) => ({
    id: `r${i}`,
    data: {
      id: pickOrNull(i * 7),
      state: pickOrNull(states[pick(states.length)]),
      notes: pickOrNull(`note ${pick(400)} of ${states[pick(states.length)] ?? ''}`),
      count: pickOrNull(pick(50) - 25),
      share: pickOrNull(pick(1000) / 7),
      isOpen: pickOrNull(pick(2) === 1),
      day: pickOrNull(
        new Date(Date.UTC(1895 + pick(200), pick(12), 1 + pick(28))).toISOString().slice(0, 10),
      ),
      at: pickOrNull(new Date(Date.UTC(2020, 0, 1) + pick(700) * 3_600_000).toISOString()),
      tags: pickOrNull(['a', states[pick(states.length)]]),
      spot: pickOrNull({ type: 'Point', coordinates: [pick(360) - 180, pick(180) - 90] }),
      border: { type: 'Polygon', coordinates: [] },
    },
  }))
}

async function buildColumnFile(rows: Row[]) {
  const writer = new ColumnFileWriter(schema)
  for (const { id, data } of rows) expect(writer.add(id, data)).toBe(true)
  const bytes = await writer.finish()
  const parts: number[] = []
  const file = await openColumnFile((offset, length) => {
    parts.push(length)
    return Promise.resolve(bytes.subarray(offset, offset + length))
  })
  return { file, bytes, parts }
}

test('a file round-trips every value of each record, except lines and polygons', async () => {
  const rows = records(700)
  const { file } = await buildColumnFile(rows)
  expect(file.rows).toBe(700)
  expect(file.columns.map(({ key }) => key)).toEqual(Object.keys(schema).filter((key) => key !== 'border'))
  for (const { key } of file.columns) {
    const column = (await file.read(key)) as Column
    expect(rows.map((_, i) => valueAt(column, i))).toEqual(rows.map(({ data }) => data[key]))
  }
  const ids = await file.readIds()
  expect(rows.map((_, i) => valueAt(ids, i))).toEqual(rows.map(({ id }) => id))
  expect(await file.read('border')).toBeUndefined()
})

test('round-trips numbers beyond 32-bit integers, and missing values', async () => {
  const values = [0.1, -0, 2 ** 31, -(2 ** 31), 9_007_199_254_740_991, 1e-300, null]
  for (const own of [values, [1, -2, 2 ** 31 - 1, null], [null, null], []]) {
    const { file } = await buildColumnFile(own.map((count, i) => ({ id: String(i), data: { count } })))
    const column = (await file.read('count')) as Column
    expect(own.map((_, i) => valueAt(column, i))).toEqual(own)
  }
})

test('a column has its minimum and maximum, its number of missing values, and its most frequent texts', async () => {
  const rows = records(700)
  const { file } = await buildColumnFile(rows)
  const head = Object.fromEntries(file.columns.map((column) => [column.key, column]))
  const days = rows
    .map(({ data }) => data.day)
    .filter((day) => day !== null)
    .sort()
  expect(head.day).toMatchObject({ min: days[0], max: days.at(-1), empty: 700 - days.length })
  const counts = states.map((value) => ({
    value,
    count: rows.filter(({ data }) => data.state === value).length,
  }))
  expect(head.state?.choices).toHaveLength(counts.length)
  expect(head.state?.choices).toEqual(expect.arrayContaining(counts))
  expect(head.state?.choices?.map(({ count }) => count)).toEqual(
    counts.map(({ count }) => count).sort((a, b) => b - a),
  )
})

test('only the header and the requested columns are read from the file', async () => {
  const { file, bytes, parts } = await buildColumnFile(records(20_000))
  parts.length = 0
  await file.read('count')
  expect(parts.reduce((all, one) => all + one, 0)).toBeLessThan(bytes.length / 10)
})

test('a file above the size limit is not written', () => {
  const writer = new ColumnFileWriter(schema)
  let isTaken = true
  let rows = 0
  for (; isTaken && rows < 100_000; rows += 1)
    isTaken = writer.add(`r${rows}`, { notes: 'x'.repeat(200) + rows })
  expect(isTaken).toBe(false)
  expect(rows).toBeGreaterThan(15_000)
})

test('rejects bytes that are not a column file', async () => {
  for (const bytes of [
    new Uint8Array(),
    new TextEncoder().encode('id,day\n1,2012-01-01'),
    new Uint8Array(200),
  ])
    await expect(
      openColumnFile((offset, length) => Promise.resolve(bytes.subarray(offset, offset + length))),
    ).rejects.toThrow('This is no column file.')
})

const timeZone = 'America/Los_Angeles'
/** The local day of an instant, calculated differently than in the product. */
const toLocalDay = (instant: unknown) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date(String(instant)))

const conditions: [string, Partial<TableState>, (data: Record<string, unknown>, id: string) => boolean][] = [
  ['everything', {}, () => true],
  [
    'one value',
    { filters: [{ key: 'state', kind: 'is', values: ['Ohio'] }] },
    ({ state }) => state === 'Ohio',
  ],
  [
    'several values',
    { filters: [{ key: 'state', kind: 'is', values: ['Ohio', '<b>', 'nowhere'] }] },
    ({ state }) => state === 'Ohio' || state === '<b>',
  ],
  ['no value', { filters: [{ key: 'count', kind: 'none' }] }, ({ count }) => count === null],
  ['no text', { filters: [{ key: 'state', kind: 'none' }] }, ({ state }) => state === null],
  [
    'a part of a text',
    { filters: [{ key: 'notes', kind: 'has', text: 'OHIO' }] },
    ({ notes }) =>
      String(notes ?? '')
        .toLowerCase()
        .includes('ohio'),
  ],
  [
    'numbers',
    { filters: [{ key: 'count', kind: 'range', from: '-3', to: '7' }] },
    ({ count }) => count !== null && Number(count) >= -3 && Number(count) <= 7,
  ],
  [
    'numbers up to one',
    { filters: [{ key: 'share', kind: 'range', to: '71.5' }] },
    ({ share }) => share !== null && Number(share) <= 71.5,
  ],
  [
    'what is true',
    { filters: [{ key: 'isOpen', kind: 'is', values: ['true'] }] },
    ({ isOpen }) => isOpen === true,
  ],
  [
    'days',
    { filters: [{ key: 'day', kind: 'range', from: '1950-02-03', to: '2001-12-31' }] },
    ({ day }) => day !== null && String(day) >= '1950-02-03' && String(day) <= '2001-12-31',
  ],
  [
    'days of instants, on the clock of the place',
    { filters: [{ key: 'at', kind: 'range', from: '2020-01-03', to: '2020-01-05' }] },
    ({ at }) => at !== null && toLocalDay(at) >= '2020-01-03' && toLocalDay(at) <= '2020-01-05',
  ],
  [
    'a search',
    { search: 'TEXAS' },
    ({ state, notes }) => `${String(state)} ${String(notes)}`.toLowerCase().includes('texas'),
  ],
  ['an id', { search: 'r12' }, (_, id) => id.includes('r12')],
  [
    'all at once',
    {
      search: 'note',
      filters: [
        { key: 'isOpen', kind: 'is', values: ['false'] },
        { key: 'count', kind: 'range', from: '0' },
      ],
    },
    ({ notes, isOpen, count }) => notes !== null && isOpen === false && count !== null && Number(count) >= 0,
  ],
]

test.each(conditions)('finds %s', async (_name, change, isMeant) => {
  const rows = records(700, 3)
  const { file } = await buildColumnFile(rows)
  const expectedIds = rows.filter(({ id, data }) => isMeant(data, id)).map(({ id }) => id)
  expect(expectedIds.length).toBeGreaterThan(0)
  const selection = await selectRows(file, { ...wholeTable, ...change }, { timeZone, pageSize: 1000 })
  expect(selection.rows.map((row) => rows[row]?.id)).toEqual(expectedIds)
  expect(selection.total).toBe(expectedIds.length)
})

test.each(['asc', 'desc'] as const)('sorts %s, stably and with missing values last', async (direction) => {
  const rows = records(400, 5)
  const { file } = await buildColumnFile(rows)
  const compare = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare
  for (const key of ['count', 'share', 'day', 'at', 'isOpen', 'state']) {
    const sort = { key, direction }
    const { rows: order } = await selectRows(file, { ...wholeTable, sort }, { timeZone, pageSize: 400 })
    const values = order.map((row) => rows[row]?.data[key] ?? null)
    const presentValues = values.filter((value) => value !== null)
    expect(values.slice(presentValues.length).every((value) => value === null)).toBe(true)
    expect(presentValues).toHaveLength(rows.filter(({ data }) => data[key] !== null).length)
    const sign = direction === 'asc' ? 1 : -1
    for (let i = 1; i < presentValues.length; i += 1) {
      const [a, b] = [presentValues[i - 1], presentValues[i]] as [string, string]
      const by = key === 'state' ? compare(a, b) : a < b ? -1 : Number(a > b)
      expect(sign * by).toBeLessThanOrEqual(0)
      if (a === b) expect(order[i - 1]).toBeLessThan(order[i] ?? 0)
    }
  }
})

test('pages continue after and before a record, in any order, and include each record once', async () => {
  const rows = records(230, 7)
  const { file } = await buildColumnFile(rows)
  const state: TableState = { ...wholeTable, sort: { key: 'state', direction: 'desc' } }
  const page = (change: Partial<TableState>) =>
    selectRows(file, { ...state, ...change }, { timeZone, pageSize: 50 })
  const findId = (row: number | undefined) => rows[row ?? -1]?.id ?? null
  const pagedRows: number[] = []
  let currentPage = await page({})
  const first = currentPage.rows
  for (let at = 0; currentPage.rows.length > 0; at += 50) {
    expect(currentPage.before).toBe(at)
    pagedRows.push(...currentPage.rows)
    const next = await page({ after: findId(currentPage.rows.at(-1)) })
    if (next.rows.length > 0) {
      const back = await page({ before: findId(next.rows[0]) })
      expect(back.rows).toEqual(currentPage.rows)
    }
    currentPage = next
  }
  expect(new Set(pagedRows).size).toBe(230)
  expect((await page({ after: 'of no record' })).rows).toEqual(first)
})

const columns = [
  ...Object.entries({
    state: 'text',
    notes: 'text',
    count: 'integer',
    isOpen: 'boolean',
    day: 'day',
    at: 'instant',
    tags: 'json',
  } as const),
].map(([key, kind]) => ({ key, kind }))

test('round-trips a state through a URL', () => {
  const state: TableState = {
    search: 'a&b=c "d"',
    filters: [
      { key: 'state', kind: 'is', values: ['Ohio', 'x,y'] },
      { key: 'notes', kind: 'has', text: '100%' },
      { key: 'count', kind: 'range', from: '-1.5', to: '2e3' },
      { key: 'day', kind: 'range', to: '2020-02-29' },
      { key: 'tags', kind: 'none' },
    ],
    within: { set: 'wards-2024', area: 'N 1&2' },
    sort: { key: 'day', direction: 'desc' },
    columns: ['state', 'count'],
    chart: 'state',
    after: 'r 1/2',
    before: null,
    earlier: ['', 'r5'],
  }
  expect(readTableState(new URLSearchParams(writeTableState(state).toString()), columns)).toEqual({
    state,
    problems: [],
  })
  expect(writeTableState(wholeTable).toString()).toBe('')
  expect(readTableState(new URLSearchParams('utm_source=x&is.state=&from.count='), columns)).toEqual({
    state: wholeTable,
    problems: [],
  })
})

test('ignores and reports invalid parameters', () => {
  const address =
    'is.gone=1&from.count=abc&from.day=2021-02-29&to.at=yesterday&is.day=x&has.count=1&from.state=1&sort=tags&columns=state,gone&is.__proto__=1'
  const { state, problems } = readTableState(new URLSearchParams(address), columns)
  expect(state).toEqual({ ...wholeTable, columns: ['state'] })
  expect(problems.map(({ name, problem }) => `${name} ${problem}`)).toEqual([
    'is.gone unknownColumn',
    'from.count noNumber',
    'from.day noDate',
    'to.at noDate',
    'is.day wrongKind',
    'has.count wrongKind',
    'from.state wrongKind',
    'is.__proto__ unknownColumn',
    'sort wrongKind',
    'columns unknownColumn',
  ])
})

test('limits the conditions of a URL and the length of a search', () => {
  const many = Array.from({ length: 5000 }, (_, i) => `is.state=${i}`).join('&')
  const { state, problems } = readTableState(new URLSearchParams(`${many}&q=${'x'.repeat(10_000)}`), columns)
  expect(state.filters).toEqual([
    { key: 'state', kind: 'is', values: Array.from({ length: 50 }, (_, i) => String(i)) },
  ])
  expect(state.search).toHaveLength(200)
  expect(problems.length).toBeLessThanOrEqual(20)
})

test('converts a state to an API query', () => {
  const { state } = readTableState(
    new URLSearchParams(
      'q=100%25&is.isOpen=true&from.at=2020-03-08&to.at=2020-03-08&to.count=5&none.tags=1&sort=-day&columns=state,day',
    ),
    columns,
  )
  const apiParams = Object.fromEntries(toQueryParams(state, columns, timeZone))
  expect(JSON.parse(apiParams.filters ?? '')).toEqual({
    $and: [
      { 'data.isOpen': { $in: [true] } },
      // The day on which clocks go forward has 23 hours.
      { 'data.at': { $gte: '2020-03-08T08:00:00.000Z', $lt: '2020-03-09T07:00:00.000Z' } },
      { 'data.count': { $lte: 5 } },
      { 'data.tags': null },
      {
        $or: [
          { id: { $iLike: '%100\\%%' } },
          { 'data.state': { $iLike: '%100\\%%' } },
          { 'data.notes': { $iLike: '%100\\%%' } },
        ],
      },
    ],
  })
  expect(JSON.parse(apiParams.orderings ?? '')).toEqual([{ value: { field: 'data.day' }, direction: 'desc' }])
  expect(apiParams.fields).toBe('state,day')
})

test.each([
  ['state', 'bar', ({ state }: Record<string, unknown>) => state],
  ['isOpen', 'bar', ({ isOpen }: Record<string, unknown>) => isOpen],
  ['count', 'histogram', ({ count }: Record<string, unknown>) => Math.floor(Number(count) / 2.5) * 2.5],
  ['day', 'bar', ({ day }: Record<string, unknown>) => `${String(day).slice(0, 4)}-01-01`],
  ['at', 'bar', ({ at }: Record<string, unknown>) => toLocalDay(at)],
])('counts the records of a state by %s', async (key, type, getValue) => {
  const rows = records(700, 9)
  const { file } = await buildColumnFile(rows)
  const state = { ...wholeTable, filters: [{ key: 'share', kind: 'range' as const, to: '100' }] }
  const how = { timeZone, locale: 'en', title: 'a', measured: 'Records' }
  const input = await stateChart(file, state, key, how)
  expect(input?.visualization.type).toBe(type)
  const expectedCounts = new Map<unknown, number>()
  for (const { data } of rows) {
    if (data.share === null || Number(data.share) > 100 || data[key] === null) continue
    const value = getValue(data)
    expectedCounts.set(value, (expectedCounts.get(value) ?? 0) + 1)
  }
  const actualCounts = new Map((input?.rows ?? []).map(({ x, n }) => [x, Number(n)]))
  const sum = (counts: Map<unknown, number>) => [...counts.values()].reduce((all, n) => all + n, 0)
  expect(sum(actualCounts)).toBe(sum(expectedCounts))
  if (key !== 'count')
    for (const [value, n] of expectedCounts) expect([value, actualCounts.get(value)]).toEqual([value, n])
  // Codes are drawn by the names that their column has.
  expect(input?.output.schema.x?.values).toEqual(schema[key]?.values)
  const none = { ...wholeTable, search: 'nothing has this' }
  expect(await stateChart(file, none, key, how)).toBeNull()
})

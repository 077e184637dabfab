import { sql } from 'kysely'
import type { QueryEnv, Scope } from '../types.ts'
import type { Kind } from './cells.testing.ts'
import { Random } from './random.testing.ts'
import type { Subject } from './evaluator.testing.ts'
import type { PlainRow } from './values.testing.ts'

/** A field with its column: its cells are made from the values below. */
interface Column {
  path: string
  type: Kind
  column: string
  sqlType: string
  items?: Kind
  searchable?: boolean
}

const list = (path: string, items: Kind, sqlType: string): Column => ({
  path,
  type: 'array',
  items,
  column: path.replace('data.', 'f_'),
  sqlType,
})
const field = (path: string, type: Kind, sqlType: string, more: Partial<Column> = {}): Column => ({
  path,
  type,
  column: path.startsWith('data.') ? path.replace('data.', 'f_') : path.toLowerCase(),
  sqlType,
  ...more,
})

/** A field of every type, and for some types several with different kinds of values. */
const columns: readonly Column[] = [
  field('id', 'number', 'bigint'),
  field('sourceId', 'text', 'text'),
  field('createdAt', 'date', 'timestamptz'),
  field('updatedAt', 'date', 'timestamptz'),
  field('geometry', 'geometry', 'geometry'),
  field('data.name', 'text', 'text', { searchable: true }),
  field('data.code', 'text', 'text', { searchable: true }),
  field('data.cost', 'number', 'double precision'),
  field('data.tax', 'number', 'double precision'),
  field('data.rough', 'number', 'double precision'),
  field('data.huge', 'number', 'double precision'),
  field('data.at', 'date', 'timestamptz'),
  field('data.end', 'date', 'timestamptz'),
  field('data.old', 'date', 'timestamptz'),
  field('data.urgent', 'boolean', 'boolean'),
  field('data.closed', 'boolean', 'boolean'),
  list('data.tags', 'text', 'text[]'),
  list('data.scores', 'number', 'double precision[]'),
  list('data.flags', 'boolean', 'boolean[]'),
  list('data.days', 'date', 'timestamptz[]'),
  list('data.parts', 'object', 'jsonb'),
  list('data.spots', 'point', 'jsonb'),
  field('data.meta', 'object', 'jsonb'),
  field('data.spot', 'point', 'geometry'),
  field('data.path', 'line', 'geometry'),
  field('data.zone', 'polygon', 'geometry'),
  field('data.zones', 'multipolygon', 'geometry'),
]

const random = new Random(20_261_121)
const half = (from: number, to: number) => from + random.below((to - from) * 4) / 4
/** Sixty-fourths of a degree: exact in binary, so that touching is touching. */
const grid = (from: number, to: number) => from + random.below((to - from) * 64) / 64

/** Moments around which clocks change, years end or calendars are odd. */
export const edges = [
  '2021-03-14T06:59:59.999Z',
  '2021-03-14T07:00:00Z',
  '2021-11-07T05:30:00Z',
  '2021-11-07T06:00:00Z',
  '2021-11-07T06:30:00Z',
  '2021-03-28T00:59:59Z',
  '2021-10-31T00:30:00Z',
  '2021-10-31T01:30:00Z',
  '2021-04-03T14:45:00Z',
  '2021-04-03T15:15:00Z',
  '2021-10-02T15:45:00Z',
  '2011-12-30T09:59:59Z',
  '2011-12-30T10:00:00Z',
  '2021-11-07T04:30:00Z',
  '2018-11-04T03:00:00Z',
  '2006-04-02T03:31:00Z',
  '2006-04-02T04:15:00Z',
  '2020-02-29T12:00:00Z',
  '2020-12-31T23:59:59.999Z',
  '2021-01-01T00:00:00Z',
  '2021-01-01T12:00:00Z',
  '1999-12-31T23:59:59.999Z',
  '2000-01-01T00:00:00Z',
  '2010-01-01T00:00:00Z',
  '2019-08-31T23:59:59Z',
  '2019-09-01T00:00:00Z',
  '1970-01-01T00:00:00Z',
]
const old = [
  '0012-01-01T00:00:00Z',
  '0099-12-31T23:59:59.999Z',
  '0999-07-04T04:00:00Z',
  '1582-10-10T00:00:00Z',
  '1883-11-18T17:00:00Z',
  '1900-02-28T23:00:00Z',
  '1919-03-31T04:45:00Z',
  '1969-12-31T23:59:59.999Z',
  '2400-02-29T00:00:00Z',
  '9990-12-31T00:00:00Z',
]
const names = [
  'fire',
  'Fire',
  'flood',
  '',
  ' ',
  '100%',
  'a_b',
  'a\\b',
  "O'Hara",
  '"quoted"',
  'Ångström',
  'ångström',
  'straße',
  '東京',
  '🔥 alarm',
  'line\nbreak',
  '$1',
  'null',
  'true',
  'Ann_1',
  'Ann%2',
  'Zoë',
]
const codes = ['5', '10', '-1.5', '1e3', '2020-01-01', 'true', '0x10', 'NaN', 'A-1', 'a-1', 'B22', '05']
const roughs = [
  0.1,
  0.3,
  1 / 3,
  2.5,
  -2.5,
  0.5,
  -0.5,
  0.49999999999999994,
  1e15 + 0.5,
  9007199254740991,
  1e-7,
  123456789.987,
  4503599627370497.5,
  -0.3,
  1e21,
]
const huges = [1e308, -1e308, 1e200, 1e-308, 5e-324, -1e-200, 0, 1]

const moment = () =>
  random.chance(0.4)
    ? random.pick(edges)
    : new Date(
        Date.UTC(
          2000 + random.below(30),
          random.below(12),
          1 + random.below(28),
          random.below(24),
          random.below(60),
          random.below(60),
          random.below(1000),
        ),
      ).toISOString()
const point = () => ({ type: 'Point', coordinates: [grid(-20, 20), grid(30, 60)] })
function square() {
  const [x, y, w, h] = [grid(-20, 20), grid(30, 60), 1 / 64 + grid(0, 4), 1 / 64 + grid(0, 4)]
  const shell = [
    [x, y],
    [x + w, y],
    [x + w, y + h],
    [x, y + h],
    [x, y],
  ]
  const hole = [
    [x + w / 4, y + h / 4],
    [x + w / 4, y + h / 2],
    [x + w / 2, y + h / 2],
    [x + w / 4, y + h / 4],
  ]
  return random.chance(0.3) ? [shell, hole] : [shell]
}
function line() {
  let [x, y] = [grid(-20, 20), grid(30, 60)]
  return random.some(2, 4, () => {
    x += grid(-2, 2)
    y += 1 / 64 + grid(0, 1)
    return [x, y]
  })
}
/** Two that cannot touch: one is west of 20 degrees east, the other far in the east. */
const createTwoSquares = () => [square(), square().map((ring) => ring.map(([x = 0, y = 0]) => [x + 60, y]))]

const makers: Record<string, () => unknown> = {
  sourceId: () => random.pick(['a', 'b', 'c']),
  createdAt: moment,
  updatedAt: moment,
  'data.name': () => random.pick(names),
  'data.code': () => random.pick(codes),
  'data.cost': () => half(-20, 60),
  'data.tax': () => random.pick([-3, -2, -1.5, -1, -0.5, 0, 0, 0.5, 1, 1.5, 2, 3, 7]),
  'data.rough': () => random.pick(roughs),
  'data.huge': () => random.pick(huges),
  'data.at': moment,
  'data.end': moment,
  'data.old': () => random.pick(old),
  'data.urgent': () => random.chance(0.5),
  'data.closed': () => random.chance(0.5),
  'data.tags': () => random.some(0, 3, () => random.pick(['hot', 'red', 'new', '', null, 'a,b', '"', '\\'])),
  'data.scores': () => random.some(0, 3, () => random.pick([0, 1, 2.5, -1, null])),
  'data.flags': () => random.some(0, 2, () => random.pick([true, false, null])),
  'data.days': () => random.some(0, 3, () => random.pick([...edges.slice(0, 8), null])),
  'data.parts': () => random.some(0, 2, () => ({ n: random.below(3) })),
  'data.spots': () => random.some(0, 2, point),
  'data.meta': () =>
    random.pick<unknown>([
      { unit: 'E1', deep: { x: '7', y: 7 }, list: ['p', 'q', 3] },
      { unit: 'E2', deep: { x: null, z: true } },
      { unit: 5, list: [] },
      { unit: null },
      {},
    ]),
  'data.spot': point,
  'data.path': () => ({ type: 'LineString', coordinates: line() }),
  'data.zone': () => ({ type: 'Polygon', coordinates: square() }),
  'data.zones': () => ({ type: 'MultiPolygon', coordinates: createTwoSquares() }),
  geometry: () =>
    random.pick([
      point(),
      { type: 'LineString', coordinates: line() },
      { type: 'Polygon', coordinates: square() },
      { type: 'MultiLineString', coordinates: [line(), line()] },
    ]),
}

/** The rows, deterministic: nulls are everywhere, and the last row has nothing but an id. */
export const plainRows: readonly PlainRow[] = Array.from({ length: 200 }, (_, i): PlainRow => {
  const entries = Object.entries(makers).map(([path, make]) => {
    const value = make()
    const isNull = i === 199 || random.chance(0.12)
    return [path, isNull && path !== 'sourceId' ? null : value]
  })
  return { id: i + 1, ...(Object.fromEntries(entries) as PlainRow), ...(i === 199 ? { sourceId: null } : {}) }
})

export const subject: Subject = {
  fields: columns.map(({ path, type, items, searchable }) => ({
    path,
    type,
    searchable,
    items: items && { type: items },
  })),
  rows: plainRows,
  timeZone: 'America/New_York',
  defaultLimit: 60,
  maxLimit: 120,
}

export const env: QueryEnv = {
  fields: columns.map(({ path, type, column, items, searchable }) => ({
    path,
    name: path,
    type,
    sql: sql.ref(`t.${column}`),
    searchable,
    items: items && { name: 'Item', type: items as Exclude<Kind, 'geometry'> },
  })),
  timeZone: subject.timeZone,
  defaultLimit: subject.defaultLimit,
  maxLimit: subject.maxLimit,
  geometry: sql`t.geometry`,
}
export const scope: Scope = { from: sql`thing as t`, where: [] }

/** The statements that create the table, with their parameters. */
export function tableStatements(): { text: string; parameters: (string | null)[] }[] {
  const definition = columns.map(
    ({ column, sqlType }) => `${column} ${sqlType === 'geometry' ? 'geometry(Geometry, 4326)' : sqlType}`,
  )
  const values = columns.map(({ sqlType }, i) =>
    sqlType === 'geometry'
      ? `st_setsrid(st_geomfromgeojson($${i + 1}::text), 4326)`
      : `$${i + 1}::text::${sqlType}`,
  )
  return [
    { text: `create table thing (${definition.join(', ')})`, parameters: [] },
    ...plainRows.map((row) => ({
      text: `insert into thing values (${values.join(', ')})`,
      parameters: columns.map(({ path, sqlType }) => encoded(row[path], sqlType)),
    })),
  ]
}

function encoded(value: unknown, sqlType: string): string | null {
  if (value === null || value === undefined) return null
  if (sqlType === 'jsonb' || sqlType === 'geometry') return JSON.stringify(value)
  if (!Array.isArray(value)) return String(value)
  const items = value.map((item) => (item === null ? 'NULL' : `"${String(item).replace(/["\\]/g, '\\$&')}"`))
  return `{${items.join(',')}}`
}

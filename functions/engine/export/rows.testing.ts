import type { FileColumn, FileRow } from './file.ts'
import type { Field } from '#functions/shapes/field.ts'
import type { Geometry } from '#functions/shapes/fields/geometry.ts'

/** Rows that have broken one exporter or another. */

const long = `${'x'.repeat(64)}y`

export const schema: Record<string, Field> = {
  text: {
    name: 'Text, "quoted"',
    type: 'text',
    notes: 'Said | so',
    validation: { required: true, maxLength: 99_999 },
  },
  name: { name: 'الاسم', type: 'text' },
  n: {
    name: 'N',
    type: 'number',
    measurement: { type: 'distance', value: 'meter' },
    validation: { min: -1e300 },
  },
  isOn: { name: 'Is on', type: 'boolean' },
  at: { name: 'At', type: 'date' },
  tags: { name: 'Tags', type: 'array', items: { name: 'Tag', type: 'text' } },
  counts: { name: 'Counts', type: 'array', items: { name: 'Count', type: 'number' } },
  map: { name: 'Map', type: 'object' },
  [long]: { name: long, type: 'text' },
  [`${long}2`]: { name: 'Alike', type: 'text' },
  spot: { name: 'Spot', type: 'point' },
  way: { name: 'Way', type: 'line' },
  ways: { name: 'Ways', type: 'multiline' },
  area: { name: 'Area', type: 'polygon' },
  areas: { name: 'Areas', type: 'multipolygon' },
}

export const columns: FileColumn[] = Object.entries(schema).map(([key, field]) => ({
  key,
  name: field.name,
  type: field.type,
  items: field.items,
  field,
}))

const texts = [
  'plain',
  '',
  'a, b',
  'say "x"',
  'two\nlines',
  'two\r\nlines',
  '\ttab',
  ' spaces ',
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\rcr',
  '＝1',
  'Ünïcödé 漢字 👩‍👩‍👧 𝒳',
  'שלום עולם',
  '‮evil‬',
  '<b>&amp;</b>]]>',
  '_x0041_',
  'a\u0001b\u001f',
  "O'Hara",
  'null',
  '\\N',
  'x'.repeat(300),
  '漢'.repeat(200),
]

export const numbers = [
  0, -0, 1, -1.5, 0.1, 1e-7, 0.00012345, 0.00001, 123456789012345, 1234567890123456, 1e21, 1.5e300, -2.5e-300,
]

const square = (x: number, y: number, size: number, isClockwise = false): number[][] => {
  const ring = [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x, y + size],
    [x, y],
  ]
  return isClockwise ? ring.reverse() : ring
}

export const shapes: Record<string, Geometry> = {
  spot: { type: 'Point', coordinates: [-74.0059731, 40.7127753] },
  way: {
    type: 'LineString',
    coordinates: [
      [179.5, -16],
      [-179.5, -17],
      [-179, -17.5],
    ],
  },
  ways: {
    type: 'MultiLineString',
    coordinates: [
      [
        [0, 1],
        [2, 3],
      ],
      [
        [4, 5],
        [6, 7],
        [8, 9],
      ],
    ],
  },
  // Outer ring clockwise and hole counterclockwise: the wrong way for GeoJSON.
  area: { type: 'Polygon', coordinates: [square(10, 10, 10, true), square(12, 12, 2)] },
  areas: {
    type: 'MultiPolygon',
    coordinates: [[square(30, 30, 5)], [square(40, 40, 5), square(41, 41, 1, true)]],
  },
}

/** A row for each text and number, each geometry alone, everything at once, and nothing at all. */
export const rows: FileRow[] = [
  ...texts.map((text): Omit<FileRow, 'id'> => ({ data: { text, name: `n ${text}` }, geometry: null })),
  ...numbers.map((n) => ({ data: { text: 'n', n, isOn: n > 0 }, geometry: null })),
  ...Object.entries(shapes).map(([key, geometry]) => ({ data: { text: key, [key]: geometry }, geometry })),
  {
    data: {
      text: 'all',
      n: 12.5,
      isOn: false,
      at: '2024-02-29T23:59:59.123Z',
      tags: ['a', 'b, c', '"d"', '👩‍👩‍👧'],
      counts: [1, 2.5, -3],
      map: { a: { b: [1, null, 'x'] }, 'ключ "k"': '<&>' },
      [long]: 'first',
      [`${long}2`]: 'second',
      ...shapes,
    },
    geometry: shapes.areas ?? null,
  },
  { data: { text: 'old', at: '1850-01-01T00:00:00.000Z', tags: [] }, geometry: null },
  { data: {}, geometry: null },
].map((row, i) => ({ id: String(i + 1), ...row }))

import { expect, test } from 'vitest'
import { autoFormat, camelCase, inferValue } from './auto-format.ts'
import { readAll } from './reading.testing.ts'

test.each<[string, unknown]>([
  ['', undefined],
  ['  ', undefined],
  ['undefined', undefined],
  ['-', null],
  ['null', null],
  ['NaN', null],
  ['/Date(1540000000000)/', '2018-10-20T01:46:40.000Z'],
  ['/Date(1540000000000-0700)/', '2018-10-20T01:46:40.000Z'],
  ['POINT (1 2)', { type: 'Point', coordinates: [1, 2] }],
  ['SRID=4326;POINT(1 2)', { type: 'Point', coordinates: [1, 2] }],
  ['POINT (1)', 'POINT (1)'],
  ['{"a":[1]}', { a: [1] }],
  ['"quoted"', 'quoted'],
  ['12.50', 12.5],
  ['1e3', 1000],
  ['1e400', '1e400'],
  ['00000000', 0],
  ['0095', 95],
  ['1,234.50', 1234.5],
  ['1,23', '1,23'],
  ['9007199254740993', '9007199254740993'],
  ['{"id":9007199254740993,"n":[1e400,1.5]}', { id: '9007199254740993', n: ['1e400', 1.5] }],
  ['Yes', true],
  ['y', true],
  ['TRUE', true],
  ['N', false],
  ['false', false],
  ['2016-01-01 11:31:23 PM', '2016-01-01T23:31:23'],
  ['February 3rd, 2014', '2014-02-03'],
  ['February 3, 2014', '2014-02-03'],
  ['Feb 3, 2014', '2014-02-03'],
  ['2019-5-15', '2019-05-15'],
  ['2019-05-15', '2019-05-15'],
  ['2019-05-15T10:00:00+02:00', '2019-05-15T08:00:00.000Z'],
  ['2019-05-15T10:00:00.25Z', '2019-05-15T10:00:00.250Z'],
  ['2019-05-15 10:00:00.25', '2019-05-15T10:00:00.25'],
  ['2019-05-15 01:00:00.5 PM', '2019-05-15T13:00:00.5'],
  ['1/2/2019', '2019-01-02'],
  ['01/02/2019', '2019-01-02'],
  ['1-2-2019', '2019-01-02'],
  ['01-02-2019', '2019-01-02'],
  ['5/2018', '2018-05-01'],
  ['5-2018', '2018-05-01'],
  ['13/02/2019', '13/02/2019'],
  ['2019-02-30', '2019-02-30'],
  ['2/30/2019', '2/30/2019'],
  ['Tue, 15 May 2018 12:07:52 GMT', '2018-05-15T12:07:52.000Z'],
  ['15 May 2018 12:07:52 -0400', '2018-05-15T16:07:52.000Z'],
  ['May 15, 2018 12:07:52 -0400', '2018-05-15T16:07:52.000Z'],
  ['Tue May 15 2018 12:07:52 GMT-0400 (Eastern Daylight Time)', '2018-05-15T16:07:52.000Z'],
  ...[
    'R-1',
    'R-105',
    'R&1',
    'R;1',
    'R 1',
    'R/1',
    '1/2',
    '1/2/3/4',
    '15947037E095300019',
    'May 15',
    '0101000020E6100000',
  ].map((text): [string, unknown] => [text, text]),
  [' text ', 'text'],
])('%j is %j', (text, value) => {
  expect(inferValue(text)).toEqual(value)
})

test('keys are trimmed, then written in camelCase, and none is lost', () => {
  const row = { ' Some Key_name ': '1', 'some-key-name': '2', gone: '', deep: { 'A B': ['3', '-'] } }
  expect(autoFormat(row, 'simple')).toEqual({
    'Some Key_name': 1,
    'some-key-name': 2,
    deep: { 'A B': [3, null] },
  })
  expect(autoFormat(row, 'aggressive')).toEqual({ someKeyName: 1, someKeyName_2: 2, deep: { aB: [3, null] } })
  expect(['startLon', 'HTTPServer', 'ID', '%', 'Straße 2'].map(camelCase)).toEqual([
    'startLon',
    'httpServer',
    'id',
    '%',
    'straße2',
  ])
})

test('columns of coordinates become a geometry', async () => {
  const point = { type: 'Point', coordinates: [1, 2] }
  expect(autoFormat({ lon: '1', lat: '2', n: 'x' }, 'extreme')).toEqual({ n: 'x', location: point })
  expect(autoFormat({ Longitude: '1', LATITUDE: '2' }, 'extreme')).toEqual({ location: point })
  expect(autoFormat({ x: '500000', y: '5000000' }, 'extreme')).toEqual({ x: 500_000, y: 5_000_000 })
  expect(autoFormat({ x: '1', y: '2', location: 'here' }, 'extreme')).toEqual({
    x: 1,
    y: 2,
    location: 'here',
  })
  const line = { start_lon: '1', start_lat: '2', end_lon: '3', end_lat: '4' }
  expect(autoFormat(line, 'extreme')).toEqual({
    location: {
      type: 'LineString',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
  })
  const read = await readAll('csv', 'Lon,Lat,When\n1,2,1/2/2019\n', { autoFormat: 'extreme' })
  expect(read.values).toEqual([{ when: '2019-01-02', location: point }])
})

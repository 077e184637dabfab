import { expect, test } from 'vitest'
import { buildPbf, buildXlsx, buildZip, buildOds, odsRow } from './files.testing.ts'
import { listSelectors } from './index.ts'
import { chunked, readAll } from './reading.testing.ts'

test('GTFS: shapes become paths of trips, times become schedules of stops, types become words, and ids stay texts', async () => {
  const zip = buildZip({
    'feed/stop_times.txt':
      'trip_id,stop_id,stop_sequence,arrival_time\n1,01,2,08:10:00\n1,02,1,08:00:00\n2,01,1,25:00:00\n',
    'feed/stops.txt':
      '\ufeffstop_id,stop_name,stop_lat,stop_lon,location_type,wheelchair_boarding,zone_id\n01,"A, B",1.5,2.5,1,1,\n02,C,1,2,,2,\n03,D,1,2,0,0,\n',
    'feed/routes.txt': 'route_id,route_type\n1,3\n2,1000\n3,2\n',
    'feed/trips.txt': 'trip_id,route_id,shape_id\n001,1,s\n002,1,\n',
    'feed/shapes.txt': 'shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\ns,3,4,20\ns,1,2,3\n',
    'feed/calendar_dates.txt': 'service_id,date,exception_type\nw,20240101,2\n',
    'feed/frequencies.txt': '',
  })
  const read = await readAll('gtfs', zip)
  const time = (trip_id: string, stop_id: string, stop_sequence: number, arrival_time: string) => ({
    trip_id,
    stop_id,
    stop_sequence,
    arrival_time,
  })
  expect(read.refusal).toBeNull()
  expect(read.values).toEqual([
    {
      type: 'stop',
      data: {
        stop_id: '01',
        stop_name: 'A, B',
        stop_lat: 1.5,
        stop_lon: 2.5,
        location_type: 'station',
        wheelchair_boarding: true,
        schedule: [time('1', '01', 2, '08:10:00'), time('2', '01', 1, '25:00:00')],
      },
    },
    {
      type: 'stop',
      data: {
        stop_id: '02',
        stop_name: 'C',
        stop_lat: 1,
        stop_lon: 2,
        wheelchair_boarding: false,
        schedule: [time('1', '02', 1, '08:00:00')],
      },
    },
    {
      type: 'stop',
      data: { stop_id: '03', stop_name: 'D', stop_lat: 1, stop_lon: 2, location_type: 'stop' },
    },
    { type: 'route', data: { route_id: '1', route_type: 'bus' } },
    { type: 'route', data: { route_id: '2', route_type: 'water transport' } },
    { type: 'route', data: { route_id: '3', route_type: 'rail' } },
    {
      type: 'trip',
      data: {
        trip_id: '001',
        route_id: '1',
        shape_id: 's',
        path: {
          type: 'LineString',
          coordinates: [
            [2, 1],
            [4, 3],
          ],
        },
      },
    },
    { type: 'trip', data: { trip_id: '002', route_id: '1' } },
    { type: 'calendar_date', data: { service_id: 'w', date: '20240101', exception_type: 2 } },
  ])
  expect(read.notices.map(({ message }) => message)).toEqual(['feed/frequencies.txt is empty.'])
})

test('GTFS: rows can be filtered by type', async () => {
  const zip = buildZip({
    'stops.txt': 'stop_id,stop_name\n1,A\n',
    'facilities.txt': 'facility_id,stop_id\nlift,1\n',
    'trips.txt': 'trip_id,route_id\n1,1\n',
    'shapes.txt': 'shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n',
  })
  const kinds = async (selector?: string | string[]) => {
    const { values, refusal } = await readAll('gtfs', zip, selector === undefined ? {} : { selector })
    return refusal ?? values.map((value) => (value as { type: string }).type)
  }
  expect(await kinds()).toEqual(['stop', 'facility', 'trip'])
  expect(await kinds('*')).toEqual(['stop', 'facility', 'trip'])
  expect(await kinds('stop')).toEqual(['stop'])
  expect(await kinds(['trip', 'stop'])).toEqual(['stop', 'trip'])
  expect(await kinds('route')).toBe('The timetable has no rows of the kind "route".')
  expect(await listSelectors('gtfs', chunked(zip))).toEqual(['*', 'stop', 'facility', 'trip'])
})

test('GTFS: data that no row includes are counted', async () => {
  const zip = buildZip({
    'stops.txt': 'stop_id,stop_name\n1,A\n',
    'stop_times.txt': 'trip_id,stop_id,stop_sequence\n1,1,1\n1,9,2\n1,8,3\n',
    'trips.txt': 'trip_id,route_id,shape_id\n1,1,gone\n2,1,s\n',
    'shapes.txt': 'shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\ns,3,4,1\ns,1,2,2\ns,1,,3\n',
  })
  const read = await readAll('gtfs', zip)
  expect(read.values).toHaveLength(3)
  expect(read.notices.map(({ message }) => message).sort()).toEqual([
    'shapes.txt: 1 points have no sequence or position and are left out of their shapes.',
    'stop_times.txt: 2 times are of stops that are not among the stops: they are left out.',
    'trips.txt: 1 trips name a shape that is not in shapes.txt.',
  ])
})

test('GTFS: schedules of stops go on where a step ended, and are left out where times are too many', async () => {
  const ids = Array.from({ length: 1000 }, (_, i) => `s${i}`)
  const feed = (timesOfStop: number) => {
    const times = ids.flatMap((id, i) =>
      Array.from({ length: timesOfStop }, (_, trip) => `${(trip * 7919 + i * 104_729) % 1_000_003},${id}\n`),
    )
    return buildZip({
      'stops.txt': `stop_id\n${ids.join('\n')}\n`,
      'stop_times.txt': `trip_id,stop_id\n${times.join('')}`,
    })
  }
  const timesIn = (values: unknown[]) =>
    values.map((value) => (value as { data: { schedule?: unknown[] } }).data.schedule?.length ?? 0)
  // Three portions, of which the first two are not read again.
  const rest = await readAll('gtfs', feed(250), { selector: 'stop' }, { from: { byte: null, rows: 900 } })
  expect(rest.refusal).toBeNull()
  expect(timesIn(rest.values)).toEqual(Array.from({ length: 100 }, () => 250))
  const many = await readAll('gtfs', feed(1001), { selector: 'stop' })
  expect(timesIn(many.values)).toEqual(ids.map(() => 0))
  expect(many.notices.map(({ message }) => message)).toEqual([
    'stop_times.txt has more than 1,000,000 times: the stops are read without their schedule. To have it, pack a timetable of fewer days or lines.',
  ])
})

test('GTFS Realtime: names and enum values of the protocol, numbers without rounding errors', async () => {
  const trip = buildPbf([
    [1, 't1'],
    [3, '20240101'],
    [4, 3],
  ])
  const update = buildPbf([
    [1, trip],
    [
      2,
      buildPbf([
        [1, 5],
        [
          2,
          buildPbf([
            [1, -30],
            [2, 1704067200],
          ]),
        ],
        [4, '007'],
      ]),
    ],
    [2, buildPbf([[1, 6]])],
  ])
  const vehicle = buildPbf([
    [
      2,
      buildPbf([
        [1, { float: 40.7128 }],
        [2, { float: -74.006 }],
      ]),
    ],
    [4, 1],
    [9, 99],
    [5, 1704067200],
    [1000, 'ours'],
  ])
  const alert = buildPbf([
    [6, 4],
    [7, 2],
    [
      10,
      buildPbf([
        [
          1,
          buildPbf([
            [1, 'Strike é'],
            [2, 'en'],
          ]),
        ],
      ]),
    ],
  ])
  const entities = [
    [1, 'a'],
    [3, update],
  ] as [number, string | Uint8Array][]
  const feed = buildPbf([
    [
      1,
      buildPbf([
        [1, '2.0'],
        [3, 1704067200],
      ]),
    ],
    [2, buildPbf(entities)],
    [
      2,
      buildPbf([
        [1, 'b'],
        [4, vehicle],
      ]),
    ],
    [
      2,
      buildPbf([
        [1, 'c'],
        [2, 0],
        [5, alert],
      ]),
    ],
  ])
  const read = await readAll('gtfsrt', feed)
  expect(read.values).toEqual([
    {
      id: 'a',
      trip_update: {
        trip: { trip_id: 't1', start_date: '20240101', schedule_relationship: 'CANCELED' },
        stop_time_update: [
          { stop_sequence: 5, arrival: { delay: -30, time: 1704067200 }, stop_id: '007' },
          { stop_sequence: 6 },
        ],
      },
    },
    {
      id: 'b',
      vehicle: {
        position: { latitude: 40.7128, longitude: -74.006 },
        current_status: 'STOPPED_AT',
        occupancy_status: 99,
        timestamp: 1704067200,
      },
    },
    {
      id: 'c',
      is_deleted: false,
      alert: {
        cause: 'STRIKE',
        effect: 'REDUCED_SERVICE',
        header_text: { translation: [{ text: 'Strike é', language: 'en' }] },
      },
    },
  ])
  expect(read.notices[0]?.message).toContain('The field 1000 of VehiclePosition')
  for (let cut = 1; cut < feed.length; cut++) {
    const part = await readAll('gtfsrt', feed.slice(0, cut))
    expect(part.values).toEqual(read.values.slice(0, part.values.length))
    expect(part.values.length === 3 && part.refusal === null).toBe(false)
  }
})

test('GTFS Realtime: modified trips have the names and enum values of the protocol', async () => {
  const text = (words: string) => buildPbf([[1, buildPbf([[1, words]])]])
  const stop = buildPbf([
    [1, 's9'],
    [3, text('Detour')],
    [6, { float: 40.5 }],
    [13, 1],
  ])
  const modification = buildPbf([
    [1, buildPbf([[1, 4]])],
    [3, 120],
    [4, buildPbf([[2, 's9']])],
  ])
  const changes = buildPbf([
    [
      1,
      buildPbf([
        [1, 't1'],
        [1, 't2'],
        [2, 'shape'],
      ]),
    ],
    [3, '20240101'],
    [4, modification],
  ])
  const entity = (id: string, field: number, message: Uint8Array): [number, Uint8Array] => [
    2,
    buildPbf([
      [1, id],
      [field, message],
    ]),
  ]
  const feed = buildPbf([
    [1, buildPbf([[1, '2.0']])],
    entity('a', 7, stop),
    entity('b', 8, changes),
    entity(
      'c',
      5,
      buildPbf([
        [2, buildPbf([[1, 5]])],
        [6, 13],
      ]),
    ),
  ])
  const read = await readAll('gtfsrt', feed)
  expect(read.notices).toEqual([])
  expect(read.values).toEqual([
    {
      id: 'a',
      stop: {
        stop_id: 's9',
        stop_name: { translation: [{ text: 'Detour' }] },
        stop_lat: 40.5,
        wheelchair_boarding: 'AVAILABLE',
      },
    },
    {
      id: 'b',
      trip_modifications: {
        selected_trips: [{ trip_ids: ['t1', 't2'], shape_id: 'shape' }],
        service_dates: ['20240101'],
        modifications: [
          {
            start_stop_selector: { stop_sequence: 4 },
            propagated_modification_delay: 120,
            replacement_stops: [{ stop_id: 's9' }],
          },
        ],
      },
    },
    { id: 'c', alert: { communication_period: [{ start: 5 }], cause: 'SPECIAL_EVENT' } },
  ])
})

test('Excel: shared strings as displayed, null for an empty reference, and an error for a missing sheet', async () => {
  const buildSharedStringCell = (n: string) => ({ xml: `<c t="s"><v>${n}</v></c>` })
  const rows = [
    ['a', 'b'],
    [buildSharedStringCell('0'), { xml: '<c t="s"/>' }],
    [buildSharedStringCell('1'), buildSharedStringCell('0')],
  ]
  const read = await readAll(
    'excel',
    buildXlsx({ A: rows }, { strings: ['two_x000D_\nlines', 'a _x005F_x0041_'] }),
  )
  expect(read.values).toEqual([
    { a: 'two\r\nlines', b: null },
    { a: 'a _x0041_', b: 'two\r\nlines' },
  ])
  const damagedWorkbook = buildXlsx(
    { A: [['a'], [1]], B: [['b'], [2]] },
    { extra: { 'xl/_rels/workbook.xml.rels': '<Relationships/>' } },
  )
  expect(await readAll('excel', damagedWorkbook)).toMatchObject({
    values: [],
    refusal: 'The workbook is damaged: its sheet "A" is not in it. Save it anew.',
  })
})

test('OpenDocument: typed values, repeated rows and columns, without notes and merged cells; hidden sheets are reported', async () => {
  const cell = (type: string, name: string, value: string) =>
    `<table:table-cell office:value-type="${type}" office:${name}="${value}"><text:p>shown</text:p></table:table-cell>`
  const source = buildOds(
    {
      'First & one': [
        odsRow([], 3),
        odsRow(['id', 'n', 'when', 'text']),
        odsRow([
          '007',
          cell('percentage', 'value', '0.125'),
          cell('date', 'date-value', '2024-02-29T00:00:00'),
          '<table:table-cell office:value-type="string"><office:annotation><text:p>a note</text:p></office:annotation><text:p>two<text:s text:c="2"/>and</text:p><text:p><text:span>lines</text:span></text:p></table:table-cell>',
        ]),
        odsRow([], 65_000),
        odsRow(
          [
            '008',
            '<table:table-cell office:value-type="float" office:value="5" table:number-columns-repeated="2"/>',
            '<table:covered-table-cell office:value-type="string"><text:p>under</text:p></table:covered-table-cell>',
            '<table:table-cell table:number-columns-repeated="16000"/>',
          ],
          2,
        ),
        odsRow([], 900_000),
      ].join(''),
      Other:
        odsRow(['x', 'y', 'z']) +
        odsRow([
          cell('boolean', 'boolean-value', 'true'),
          cell('time', 'time-value', 'PT27H30M05.25S'),
          cell('date', 'date-value', '2024-02-29T13:30:00.123456789'),
        ]),
    },
    { hidden: ['Other'] },
  )
  const read = await readAll('ods', source)
  const [first, last] = [{ sheet: 'First & one' }, { sheet: 'Other' }]
  expect(read.rows).toEqual([
    {
      at: { row: 1, line: 5, ...first },
      value: { id: '007', n: 0.125, when: '2024-02-29', text: 'two  and\nlines' },
    },
    { at: { row: 2, line: 65_006, ...first }, value: { id: '008', n: 5, when: 5, text: null } },
    { at: { row: 3, line: 65_007, ...first }, value: { id: '008', n: 5, when: 5, text: null } },
    { at: { row: 4, line: 2, ...last }, value: { x: true, y: '27:30:05.250', z: '2024-02-29T13:30:00.123' } },
  ])
  expect(read.notices.map(({ message }) => message)).toContain(
    'The sheet "Other" is hidden; it is read as the others.',
  )
  expect(await listSelectors('ods', chunked(source))).toEqual(['*', 'First & one', 'Other'])
  const other = await readAll('ods', source, { selector: 'Other' })
  expect(other.values).toHaveLength(1)
  expect((await readAll('ods', source, { selector: 'None' })).refusal).toContain('has no sheet "None"')
  expect((await readAll('ods', source, {}, { from: { rows: 2, byte: null } })).rows).toEqual(
    read.rows.slice(2),
  )
  // Repetitions are emitted in portions, up to the size of a sheet.
  const many = buildOds({ A: odsRow(['a']) + odsRow([1], 30_000) })
  expect((await readAll('ods', many)).rows).toHaveLength(30_000)
  const far = buildOds({ A: odsRow(['a']) + odsRow([1], 10_000_000) })
  expect((await readAll('ods', far)).refusal).toMatch(/repeated more than 1048576 times/)
})

test('Excel: each sheet has its own header, types are kept, and sheets can be selected by name', async () => {
  const book = buildXlsx(
    {
      First: [
        ['id', 'n', 'ok'],
        ['007', 1.5, true],
        ['008', null, false],
      ],
      'Other & more': [['x'], [1]],
      Empty: [],
    },
    { strings: ['a'] },
  )
  const read = await readAll('excel', book)
  expect(read.rows).toEqual([
    { at: { row: 1, line: 2, sheet: 'First' }, value: { id: '007', n: 1.5, ok: true } },
    { at: { row: 2, line: 3, sheet: 'First' }, value: { id: '008', n: null, ok: false } },
    { at: { row: 3, line: 2, sheet: 'Other & more' }, value: { x: 1 } },
  ])
  expect(read.notices.at(-1)?.message).toBe('The sheet "Empty" is empty.')
  expect(await listSelectors('excel', chunked(book))).toEqual(['*', 'First', 'Other & more', 'Empty'])
  expect((await readAll('excel', book, { selector: 'Other & more' })).values).toEqual([{ x: 1 }])
  const rest = await readAll('excel', book, {}, { from: { rows: 2, byte: null } })
  expect(rest.rows).toEqual(read.rows.slice(2))
  expect(
    (await readAll('excel', buildZip({ 'a.xlsx': book, 'b.txt': '' }), { zip: true })).rows[2]?.at.entry,
  ).toBe('a.xlsx')
})

import type { FeatureCollection } from 'geojson'
import { describe, expect, test } from 'vitest'
import { hatchColour, hatchOpacity } from '#functions/engine/map/hatch.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { classIndex } from '#functions/engine/map/classes.ts'
import { buildDrawing } from './drawing.ts'
import { drawMap, mapKeys, nothingLeft, getPopupColumns, regionClasses, describeMapGaps } from './map.ts'
import { renderPicture } from './picture.ts'
import { renderPng } from './png.ts'

const square = (gid: string, name: string, west: number) => ({
  type: 'Feature' as const,
  properties: { gid, name },
  geometry: {
    type: 'Polygon' as const,
    coordinates: [
      [
        [west, 40],
        [west + 1, 40],
        [west + 1, 41],
        [west, 41],
        [west, 40],
      ],
    ],
  },
})
const shapes: FeatureCollection = {
  type: 'FeatureCollection',
  features: [square('s-1', 'Ohio', -83), square('s-2', 'Iowa', -94)],
}
const input = {
  visualization: { type: 'map' as const, settings: { region: 'state' } },
  output: {
    aggregations: [],
    groupings: [],
    orderings: [],
    schema: {
      state: { name: 'State', type: 'text' as const },
      n: { name: 'N', type: 'number' as const },
      x: { name: 'X', type: 'number' as const },
    },
  },
  rows: [{ state: 'Ohio', n: 1234.5 }],
  title: 'By state',
  timeZone: 'UTC',
}

test.each([
  ['en', 'Ohio: 1,235', 'Iowa: No data'],
  ['es', 'Ohio: 1235', 'Iowa: Sin datos'],
  ['ar-u-nu-latn', 'Ohio: 1,235', 'Iowa: لا توجد بيانات'],
])(
  "in %s regions have their value, or that there is none, as a title in the page's language",
  async (locale, ...titles) => {
    const tiles = memoryBucket()
    await tiles.put('boundaries/us-states.geojson', JSON.stringify(shapes))
    const keys = await mapKeys(tiles, input)
    const names = { id: 'm', title: 'By state', description: '' }
    const { svg } = drawMap(keys, { ...input, locale }, names, { width: 640, height: 420 })
    expect([...svg.matchAll(/<title>([^<]*)</g)].map(([, title]) => title)).toEqual(titles)
  },
)

test('codes are matched by, and displayed with, the names of their field', async () => {
  const tiles = memoryBucket()
  await tiles.put('boundaries/us-states.geojson', JSON.stringify(shapes))
  const state = { name: 'State', type: 'text' as const, values: [{ value: 'OH', name: 'Ohio' }] }
  const output = { ...input.output, schema: { ...input.output.schema, state } }
  const rows = [
    { state: 'OH', n: 1 },
    { state: 'Iowa', n: 2 },
    { state: 'ZZ', n: 3 },
  ]
  const keys = await mapKeys(tiles, { ...input, output, rows })
  expect(keys.rows.map(({ key, row }) => [key, keys.getRowName(row)])).toEqual([
    ['s-1', 'Ohio'],
    ['s-2', 'Iowa'],
  ])
})

describe('parts of an answer that are not on the map', () => {
  const rows = [
    ...[
      { state: 'Ohio', n: 10 },
      { state: 'Iowa', n: 20 },
      { state: 'PR', n: 3 },
    ],
    ...[
      { state: 'GU', n: 1 },
      { state: null, n: 2 },
    ],
  ]
  const picture = async (changes: object, withBorders = true) => {
    const tiles = memoryBucket()
    if (withBorders) await tiles.put('boundaries/us-states.geojson', JSON.stringify(shapes))
    const subject = { ...input, rows, credit: '', locale: 'en', ...changes }
    const size = { width: 2000, height: null, theme: 'light' } as const
    const { svg } = await renderPicture(tiles, subject as never, size)
    return {
      texts: [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text),
      isDrawn: svg.includes('<svg x='),
      svg,
    }
  }

  test.each([
    ['en', '2 of 4 values match no state: PR, GU. Records without a state are not on the map (N: 2).'],
    [
      'es',
      '2 de 4 valores no corresponden a ningún estado: PR, GU. Los registros sin estado no están en el mapa (N: 2).',
    ],
    [
      'fr',
      '2 valeurs sur 4 ne correspondent à aucun État\u00a0: PR, GU. Les enregistrements sans État ne sont pas sur la carte (N: 2).',
    ],
  ])('are reported in a picture, in %s', async (locale, expectedText) => {
    const { texts, isDrawn } = await picture({ locale })
    expect(texts.join(' ')).toContain(expectedText)
    expect(isDrawn).toBe(true)
  })

  test('lists a few and counts the others', async () => {
    const many = [{ state: 'Ohio', n: 1 }, ...Array.from({ length: 8 }, (_, n) => ({ state: `X${n}`, n }))]
    expect((await picture({ rows: many })).texts.join(' ')).toContain(
      '8 of 9 values match no state: X0, X1, X2, X3, X4 and 3 more.',
    )
    const one = [...rows.slice(0, 2), { state: 'PR', n: 1 }]
    expect((await picture({ rows: one })).texts.join(' ')).toContain('1 of 3 values matches no state: PR.')
    expect((await picture({ rows: rows.slice(0, 2) })).texts.join(' ')).not.toContain('match')
  })

  test('are reported in Arabic as well', async () => {
    const tiles = memoryBucket()
    await tiles.put('boundaries/us-states.geojson', JSON.stringify(shapes))
    const keys = await mapKeys(tiles, { ...input, rows })
    expect(describeMapGaps(keys, nothingLeft, { ...input, locale: 'ar-u-nu-latn' })).toBe(
      'قيم لا تطابق أي ولاية: 2 من 4 (PR، GU). السجلات بلا ولاية ليست على الخريطة (N: 2).',
    )
  })

  test('regions calculated from positions are noted with their outlines, and their inaccuracy near borders', async () => {
    const tiles = memoryBucket()
    const own = { ...shapes, name: 'Länder', origin: 'Natural Earth, 1:10 million' }
    await tiles.put('boundaries/lands.geojson', JSON.stringify(own))
    const regionLookup = { point: 'at', boundarySetId: 'lands', value: 'name' as const }
    const writeNote = async (state: object) => {
      const visualization = {
        type: 'map' as const,
        settings: { region: 'state', color: 'n', boundarySetId: 'lands' },
      }
      const schema = { ...input.output.schema, state: { ...input.output.schema.state, ...state } }
      const subject = { ...input, visualization, output: { ...input.output, schema }, locale: 'en' }
      return describeMapGaps(await mapKeys(tiles, subject), nothingLeft, subject)
    }
    expect(await writeNote({ regionOf: regionLookup })).toBe(
      'Each record counts for the region that its point lies in, by the outlines of “Länder” (Natural Earth, 1:10 million). ' +
        'Where outlines are coarse, records close to a border can count for the neighbouring region.',
    )
    expect(await writeNote({})).toBe('')
    expect(await writeNote({ regionOf: { ...regionLookup, boundarySetId: 'wards' } })).toBe('')
  })

  test('of a region with several values the first is shown, which is reported', async () => {
    const { texts, svg } = await picture({ rows: [...rows.slice(0, 2), { state: 'ohio', n: 99 }] })
    expect(texts.join(' ')).toContain('1 region has several values; the map shows the first of them.')
    expect(svg).toContain('<title>Ohio: 10</title>')
  })

  test.each([
    ['no value names a region', { rows: rows.slice(2) }, true, 'no value names a state'],
    ['there are no borders', {}, false, 'its borders are missing'],
    ['there is no number', { rows: [{ state: 'Ohio', n: null }] }, true, 'no number to colour it by'],
    [
      ...[
        'no row has a place',
        { visualization: { type: 'map', settings: { latitude: 'n', longitude: 'x' } } },
        true,
      ],
      'no row has a place',
    ],
  ] as [string, object, boolean, string][])(
    'are everything if %s: then the reason is shown instead of a drawing',
    async (_, changes, has, why) => {
      const { texts, isDrawn } = await picture(changes, has)
      expect(texts.join(' ')).toContain(why)
      expect(texts.join(' ')).not.toContain('No data yet')
      expect(isDrawn).toBe(false)
    },
  )

  test('include regions with a value outside of the picture of the United States', async () => {
    const island = square('s-3', 'Puerto Rico', -67)
    island.geometry.coordinates = [island.geometry.coordinates[0]!.map(([x = 0, y = 0]) => [x, y - 22])]
    const tiles = memoryBucket()
    const features = [...shapes.features, island]
    await tiles.put('boundaries/us-states.geojson', JSON.stringify({ ...shapes, features }))
    const drawValues = async (values: object[]) => {
      const keys = await mapKeys(tiles, { ...input, rows: values as never })
      const names = { id: 'm', title: '', description: '' }
      const drawing = drawMap(keys, { ...input, locale: 'en' }, names, { width: 640, height: 420 })
      return {
        said: describeMapGaps(keys, drawing, { ...input, locale: 'en' }),
        missing: drawing.legend.missing,
      }
    }
    expect(
      await drawValues([
        { state: 'Ohio', n: 1 },
        { state: 'Puerto Rico', n: 3 },
      ]),
    ).toEqual({
      said: '1 region with a value lies outside of this picture: Puerto Rico.',
      missing: 1,
    })
    expect(
      await drawValues([
        { state: 'Ohio', n: 1 },
        { state: 'Iowa', n: 3 },
      ]),
    ).toEqual({ said: '', missing: 0 })
  })

  test('regions without a value are hatched in the legend and on the map', async () => {
    const { svg } = await picture({ rows: [{ state: 'Ohio', n: 10 }] })
    expect(svg.split(`stroke="${hatchColour}" stroke-opacity="${hatchOpacity}"`)).toHaveLength(3)
    expect(svg).toContain('>No data</text>')
  })
})

test('detects the region set of a map from its values', async () => {
  const tiles = memoryBucket()
  const putBoundaries = (setId: string, features: object[]) =>
    tiles.put(`boundaries/${setId}.geojson`, JSON.stringify({ type: 'FeatureCollection', features }))
  const coded = (gid: string, code: string, name: string, parent?: string) => {
    const { geometry } = square(gid, name, -83)
    return { type: 'Feature', properties: { gid, code, name, parent }, geometry }
  }
  await putBoundaries('us-states', [
    coded('us-state-39', '39', 'Ohio'),
    coded('us-state-13', '13', 'Georgia'),
  ])
  await putBoundaries('world-countries', [
    coded('country-268', '268', 'Georgia'),
    coded('country-250', '250', 'France'),
  ])
  await putBoundaries('us-counties', [
    coded('us-county-39049', '39049', 'Franklin', 'us-state-39'),
    coded('us-county-13119', '13119', 'Franklin', 'us-state-13'),
  ])
  const findRegions = async (values: unknown[], boundarySetId?: string) => {
    const settings = { region: 'state', ...(boundarySetId ? { boundarySetId } : {}) }
    const rows = values.map((state) => ({ state, n: 1 }))
    const { setId, rows: keyed } = await mapKeys(tiles, {
      ...input,
      visualization: { type: 'map', settings },
      rows,
    })
    return [setId, ...keyed.map(({ key }) => key)]
  }
  expect(await findRegions(['OH', 'Georgia'])).toEqual(['us-states', 'us-state-39', 'us-state-13'])
  expect(await findRegions(['FRA', 'Georgia', 'Francia y más', 'FR'])).toEqual([
    ...['world-countries', 'country-250', 'country-268', 'country-250'],
  ])
  expect(await findRegions([39049, 'Franklin County, GA', 'x'])).toEqual([
    ...['us-counties', 'us-county-39049', 'us-county-13119'],
  ])
  expect(await findRegions(['nowhere', 'x'])).toEqual(['us-states'])
  // The configured set has precedence.
  expect(await findRegions(['OH', 'Georgia'], 'world-countries')).toEqual(['world-countries', 'country-268'])
})

test('uses the region set of its column, unless the map has another one', async () => {
  const tiles = memoryBucket()
  const putBoundaries = (setId: string, gid: string) =>
    tiles.put(
      `boundaries/${setId}.geojson`,
      JSON.stringify({ type: 'FeatureCollection', features: [square(gid, 'Georgia', -83)] }),
    )
  await putBoundaries('us-states', 'us-state-13')
  await putBoundaries('world-countries', 'country-268')
  const findSetId = async (region?: 'world-countries', boundarySetId?: string) => {
    const state = { ...input.output.schema.state, ...(region && { region }) }
    const output = { ...input.output, schema: { ...input.output.schema, state } }
    const settings = { region: 'state', ...(boundarySetId && { boundarySetId }) }
    const rows = [{ state: 'Georgia', n: 1 }]
    return (await mapKeys(tiles, { output, rows, visualization: { type: 'map', settings } })).setId
  }
  expect(await findSetId()).toBe('us-states')
  expect(await findSetId('world-countries')).toBe('world-countries')
  expect(await findSetId('world-countries', 'us-states')).toBe('us-states')
})

test('a specification has the classes of the drawing, and the number of regions without a value', async () => {
  const tiles = memoryBucket()
  const names = Array.from({ length: 30 }, (_none, at) => `R${at}`)
  const features = [...names, 'Empty'].map((name, at) => square(`g-${at}`, name, at))
  await tiles.put('boundaries/us-states.geojson', JSON.stringify({ type: 'FeatureCollection', features }))
  const rows = names.map((state, at) => ({ state, n: at * at }))
  // Of two rows of a region every drawing uses the first.
  const subject = { ...input, rows: [...rows, { state: 'r3', n: 9999 }], locale: 'es', credit: '' }
  const keys = await mapKeys(tiles, subject)
  const { legend } = drawMap(
    keys,
    subject,
    { id: 'm', title: '', description: '' },
    { width: 640, height: 420 },
  )
  const { spec } = await buildDrawing(tiles, subject)
  const [, layer] = (spec as { layer: Record<string, never>[] }).layer as unknown as [
    unknown,
    {
      data: { values: { gid: string; value: number; class: string }[] }
      encoding: { fill: { scale: { domain: string[]; range: string[] } } }
    },
  ]
  const { domain, range } = layer.encoding.fill.scale
  expect(domain).toEqual([...legend.classes.map(({ label }) => label), 'Sin datos'])
  expect(new Set(range).size).toBe(domain.length)
  expect(legend.missing).toBe(1)
  expect(layer.data.values).toHaveLength(30)
  for (const { value, class: label } of layer.data.values) {
    const at = legend.classes[classIndex(legend.classes, value) ?? -1]
    expect(label).toBe(at?.label)
  }
})

test.each([
  ['en', ['1 point', '5 points']],
  ['es', ['1 punto', '5 puntos']],
  ['fr', ['1 point', '5 points']],
])('circles of a legend are labelled with a number of points, in %s', async (locale, labels) => {
  const tiles = memoryBucket()
  await tiles.put('boundaries/us-states.geojson', JSON.stringify(shapes))
  const buildPointRow = (n: number, x: number) => ({ state: '', n, x })
  const subject = {
    ...input,
    visualization: { type: 'map' as const, settings: { latitude: 'n', longitude: 'x' } },
    rows: [...Array.from({ length: 5 }, () => buildPointRow(40.5, -83)), buildPointRow(41, -90)],
    ...{ locale, credit: '' },
  }
  const keys = await mapKeys(tiles, subject)
  const names = { id: 'm', title: '', description: '' }
  const { legend } = drawMap(keys, subject, names, { width: 640, height: 420 })
  expect(legend.classes.map(({ label }) => label)).toEqual(labels)
  const { svg } = await renderPicture(tiles, subject, { width: 800, height: null, theme: 'light' })
  for (const label of labels) expect(svg).toContain(`>${label}</text>`)
})

test('the legend of regions is titled with the measure', async () => {
  const tiles = memoryBucket()
  await tiles.put('boundaries/us-states.geojson', JSON.stringify(shapes))
  const n = {
    name: 'Warmest',
    type: 'number' as const,
    measurement: { type: 'temperature', value: 'celsius' },
  }
  const output = { ...input.output, schema: { ...input.output.schema, n } }
  const subject = { ...input, output, locale: 'en', credit: '' }
  const keys = await mapKeys(tiles, subject)
  const names = { id: 'm', title: '', description: '' }
  expect(drawMap(keys, subject, names, { width: 640, height: 420 }).legend.unit).toBe('Warmest (°C)')
  const { svg } = await renderPicture(tiles, subject, { width: 800, height: null, theme: 'light' })
  expect(svg).toContain('>Warmest (°C)</text>')
})

describe('settings of the author', () => {
  const tiles = memoryBucket()
  const size = { width: 640, height: 420 }
  const names = { id: 'm', title: '', description: '' }
  const drawWith = async (settings: object, rows: object[]) => {
    await tiles.put('boundaries/us-states.geojson', JSON.stringify(shapes))
    const subject = {
      ...{ ...input, locale: 'en', credit: '' },
      visualization: { type: 'map' as const, settings },
      rows: rows as typeof input.rows,
    }
    const keys = await mapKeys(tiles, subject)
    return { keys, subject, drawing: drawMap(keys, subject, names, size) }
  }
  const two = [
    { state: 'Ohio', n: 3 },
    { state: 'Iowa', n: 30 },
  ]

  test('classes are the same in the picture, the legend, live maps and the specification', async () => {
    const classes = { by: 'own', bounds: [10, 20] }
    const settings = { region: 'state', classes, palette: 'purple-green' }
    const { keys, subject, drawing } = await drawWith(settings, two)
    const expected = [
      { label: '3 – 9', from: 3, fill: 'var(--div-purple-1)' },
      { label: '10 – 19', from: 10, fill: 'var(--div-purple-4)' },
      { label: '20 – 30', from: 20, fill: 'var(--div-purple-7)' },
    ]
    expect(drawing.legend.classes).toMatchObject(expected)
    expect(regionClasses(keys, subject)).toMatchObject(expected)
    expect(drawing.svg).toMatch(/fill="var\(--div-purple-1\)"[^>]*><title>Ohio: 3</)
    expect(drawing.svg).toMatch(/fill="var\(--div-purple-7\)"[^>]*><title>Iowa: 30</)
    const { svg } = await renderPicture(tiles, subject, { width: 800, height: null, theme: 'light' })
    for (const { label } of expected) expect(svg).toContain(`>${label}</text>`)
    const { spec } = await buildDrawing(tiles, subject)
    expect(JSON.stringify(spec)).toContain('"domain":["3 – 9","10 – 19","20 – 30"]')
    // A picture that follows the theme of its reader has the colours of its palette, and of no other.
    const auto = await renderPicture(tiles, subject, { width: 800, height: null, theme: 'auto' })
    expect(auto.svg).toContain('--div-purple-4:')
    expect(auto.svg).not.toContain('--seq-orange-1:')
  })

  const buildRow = (n: unknown, at: number) => ({ state: `P${at}`, n, x: -83 - at, y: 41 })
  const sized = { latitude: 'y', longitude: 'x', size: 'n', label: 'state' }
  const circles = (svg: string) =>
    [...svg.matchAll(/ r="([\d.]+)"><title>([^<]*)</g)].map(([, r, text]) => [r, text])

  test('circles are sized by value if set, and never summed', async () => {
    // The first two are at the same position.
    const rows = [buildRow(9, 0), buildRow(1, 0), buildRow(4, 3)]
    const { drawing } = await drawWith({ ...sized, sizeByValue: true }, rows)
    expect(circles(drawing.svg)).toEqual([
      ['24', 'P0: 9'],
      ['16', 'P3: 4'],
      ['8', 'P0: 1'],
    ])
    expect(drawing.legend).toMatchObject({ unit: 'N', classes: [{ label: '1' }, { label: '5' }] })
    const mapOfCounts = await drawWith(sized, rows)
    expect(mapOfCounts.drawing.legend.classes.map(({ label }) => label)).toEqual(['2 points'])
  })

  test.each([
    ['a point has no value', null],
    ['a value is less than nothing', -2],
  ])('if %s, circles count points', async (_, value) => {
    const { drawing } = await drawWith({ ...sized, sizeByValue: true }, [buildRow(9, 0), buildRow(value, 3)])
    expect(drawing.legend.classes.map(({ label }) => label)).toEqual(['1 point'])
  })

  test('a pop-up has the chosen columns, except those that the answer no longer has', async () => {
    const { keys, subject } = await drawWith({ region: 'state', color: 'n', popup: ['x', 'gone', 'n'] }, two)
    const [line, ...others] = getPopupColumns(keys, subject)
    expect(others).toEqual([])
    expect(line?.formatLine({ x: 1234.5 })).toBe('X: 1,235')
    expect(line?.formatLine({ x: null })).toBeNull()
  })
})

/** Three squares of ten degrees with names in a script that the fonts of pictures lack. */
async function foreignSet(names: readonly { code: string; name: string; 'name:en'?: string }[]) {
  const tiles = memoryBucket()
  const features = names.map((properties, i) => ({
    ...square(`a${i}`, properties.name, 98 + i),
    properties: { gid: `a${i}`, ...properties },
  }))
  await tiles.put('boundaries/wards.geojson', JSON.stringify({ type: 'FeatureCollection', features }))
  const settings = { region: 'state', boundarySetId: 'wards', labels: true }
  const rows = names.map(({ code }, i) => ({ state: code, n: i + 1 }))
  return {
    tiles,
    subject: { ...input, locale: 'en', credit: '', visualization: { type: 'map' as const, settings }, rows },
  }
}

test('names of regions in other scripts stay in the SVG, and are in English or a code in files of pixels', async () => {
  const { tiles, subject } = await foreignSet([
    { code: 'TH-10', name: 'กรุงเทพ', 'name:en': 'Bangkok' },
    { code: 'เขต', name: 'ภูเก็ต' },
    { code: 'TH-50', name: 'เชียงใหม่' },
  ])
  const size = { width: 800, height: null, theme: 'light' as const, isForPixels: true }
  const { svg, ...box } = await renderPicture(tiles, subject, size)
  expect([...svg.matchAll(/data-plain="([^"]*)">([^<]*)</g)].map(([, plain, name]) => [name, plain])).toEqual(
    [
      // An English hub shows the English name everywhere.
      ['ภูเก็ต', ''],
      ['เชียงใหม่', 'TH-50'],
    ],
  )
  expect(svg).toContain('>Bangkok</text>')
  const expectedSvg = svg.replace(/(<text[^>]*>)เชียงใหม่/, '$1TH-50').replace(/<text[^>]*>ภูเก็ต<\/text>/, '')
  expect(expectedSvg).not.toBe(svg)
  // Nothing in the picture needs the note: its names have other forms.
  expect(svg).not.toContain('stands for them')
  expect(await renderPng(svg, box, 1)).toEqual(await renderPng(expectedSvg, box, 1))
})

test('bars of names in other scripts say that letters are missing, in files of pixels only', async () => {
  const { tiles, subject } = await foreignSet([
    { code: 'दिल्ली', name: 'दिल्ली' },
    { code: 'Goa', name: 'Goa' },
  ])
  const bars = { ...subject, visualization: { type: 'bar' as const } }
  const size = { width: 800, height: null, theme: 'light' as const }
  const [svg, pixels] = await Promise.all([
    renderPicture(tiles, bars, size),
    renderPicture(tiles, bars, { ...size, isForPixels: true }),
  ])
  expect(svg.svg).toContain('दिल्ली')
  expect(svg.svg).not.toContain('stands for them')
  expect(pixels.svg.replace(/<[^>]*>/g, ' ')).toContain('“…” stands for them')
  const plain = { ...bars, rows: bars.rows.slice(1) }
  const plainPixels = await renderPicture(tiles, plain, { ...size, isForPixels: true })
  expect(plainPixels.svg).not.toContain('stands for them')
})

import { describe, expect, test } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import { chartTokens } from '#functions/engine/chart/palette.ts'
import type { MapData } from '#app/islands/map-data.ts'
import type { Context } from '#functions/context.ts'
import { figurePicture, type FigureAnswer, type FigureSubject } from '#functions/engine/picture/figure.ts'
import { boundaryKey, manifestKey } from '#functions/engine/tile/manifest.ts'
import { regionsOfCountry } from '#functions/shapes/region-sets.ts'
import { regionFiles } from '#scripts/tiles/region-files.ts'
import type { AnsweredInsight } from './load-answer.server.ts'
import { showInsight } from './figure.server.ts'

const buildContext = (mode: 'hub' | 'main') => {
  const attachments = new Map<string, { body: string; of: string | undefined }>()
  const attach = async (type: string, body: string, of?: string) => {
    attachments.set(of === 'i subject' ? of : type, { body, of })
    return of === 'i subject' ? '/f/1-2.json' : `/f/${type}`
  }
  const site = { mode, placeId: 'seattle', canonicalHost: 'data.seattle.gov' }
  const settings = { publicHost: 'commonplace.test', scheme: 'https' }
  return { ctx: { site, settings, attach } as unknown as Context, attachments }
}
const { ctx } = buildContext('hub')

function insight(type: 'bar' | 'table', count: number): AnsweredInsight {
  return {
    ...{ id: 'i', placeId: 'p', name: 'Calls', notes: '', visualization: { type } },
    output: {
      ...{ aggregations: [], groupings: [{ field: 'kind' }], orderings: [] },
      schema: { kind: { name: 'Kind', type: 'text' }, calls: { name: 'Calls', type: 'number' } },
    } as unknown as AnsweredInsight['output'],
    rows: Array.from({ length: count }, (_, i) => ({ kind: `Kind ${i}`, calls: i })),
    question: { placeId: 'p', dataTypeId: 'd', sourceId: 's', visibility: 'public', query: {} },
  }
}

test.each([
  ['bar', 60, 60, undefined],
  ['bar', 61, 20, 'The first 20 of 61 rows; the CSV below has all 61.'],
  ['bar', 1250, 20, 'The first 20 of 1,250 rows; the CSV below has all 1,250.'],
  ['table', 200, 200, undefined],
  ['table', 1250, 200, 'The first 200 of 1,250 rows; the CSV below has all 1,250.'],
] as const)('a %s of %i rows has %i in its table, and says so when these are not all', async (...counts) => {
  const [type, count, rows, caption] = counts
  const view = await showInsight(ctx, insight(type, count), { locale: 'en', timeZone: 'UTC' })
  if (view.kind !== 'figure') throw new Error('A number is no figure.')
  expect(view.figure.table?.rows).toHaveLength(rows)
  expect(view.figure.table?.caption).toBe(caption)
  expect(view.figure.csvHref).toBe('/f/text/csv; charset=utf-8')
})

test.each([
  ['en', 12, 'The answer has 12 of 56 rows, not all.'],
  ['en', 500, '20 of 500 are listed here. The answer has 500 of 42,049 rows, not all.'],
  ['es', 12, 'La respuesta contiene 12 de 56 filas, no todas.'],
  ['fr', 12, 'La réponse compte 12 lignes sur 56, et non toutes.'],
  ['ar-u-nu-latn', 12, 'في الإجابة 12 من أصل 56 صفًا، لا جميعها.'],
])(
  'in %s a table of %i rows of an answer that was cut does not say that they are all',
  async (locale, count, expectedCaption) => {
    const barInsight = insight('bar', count)
    const cut = { ...barInsight, output: { ...barInsight.output, total: count === 12 ? 56 : 42_049 } }
    const view = await showInsight(ctx, cut, { locale, timeZone: 'UTC' })
    if (view.kind !== 'figure') throw new Error('A number is no figure.')
    expect(view.figure.table?.caption).toBe(expectedCaption)
  },
)

test('a hub page references a file with both drawings; elsewhere they are inline', async () => {
  const { ctx: hub, attachments } = buildContext('hub')
  const view = await showInsight(hub, insight('bar', 3), { locale: 'ar-u-nu-latn', timeZone: 'UTC' })
  if (view.kind !== 'figure') throw new Error('A number is no figure.')
  const { storedDrawing, svg } = view.figure
  expect(storedDrawing).toEqual({
    href: '/f/image/svg+xml',
    wide: expect.stringMatching(/^0 0 800 \d+$/) as string,
    narrow: expect.stringMatching(/^0 0 340 \d+$/) as string,
  })
  const { body = '', of } = attachments.get('image/svg+xml') ?? {}
  expect(of).toBe('i chart')
  const [, wide = '', narrow = ''] = body.split(/<g id="(?:wide|narrow)"/)
  for (const drawing of [wide, narrow]) {
    expect(drawing).toContain('fill="var(--')
    expect(drawing).toContain('>Kind 2</text>')
    // The page's style sheet does not apply within a referenced file.
    expect(drawing).not.toMatch(/<text(?! unicode-bidi="plaintext")/)
  }
  expect(body).not.toMatch(/<(?:title|desc|script|style)|style=/)
  expect(svg).toContain('>Kind 2</text>')
  expect(view.figure).toMatchObject({ svgHref: '/f/1-2.svg', picture: { href: '/f/1-2' } })
  const subject = JSON.parse(attachments.get('i subject')?.body ?? '') as FigureSubject
  expect(subject).toMatchObject({ title: 'Calls', credit: 'https://data.seattle.gov', answer: 'json' })
  const answer = JSON.parse(attachments.get('application/json')?.body ?? '') as FigureAnswer
  expect(answer.rows).toHaveLength(3)
  const options = { width: 800, height: null, theme: 'light' } as const
  const picture = (await figurePicture(memoryBucket(), subject, answer, {}, options)).svg
  expect(picture).toContain('>https://data.seattle.gov</text>')
  expect(picture).toContain('>Kind 2</text>')
  expect(picture).not.toContain('var(--')
  const { ctx: workspace } = buildContext('main')
  expect(
    await showInsight(workspace, insight('bar', 3), { locale: 'en', timeZone: 'UTC' }),
  ).not.toHaveProperty('figure.stored')
})

test('a table has no drawing file', async () => {
  const { ctx: hub, attachments } = buildContext('hub')
  await showInsight(hub, insight('table', 3), { locale: 'en', timeZone: 'UTC' })
  expect([...attachments.keys()]).toEqual(['text/csv; charset=utf-8'])
})

describe('a map', () => {
  const tiles = memoryBucket()
  const ring = [
    [-83, 40],
    [-82, 40],
    [-82, 41],
    [-83, 41],
    [-83, 40],
  ]
  const ohio = {
    ...{ type: 'Feature', properties: { gid: 'us-state-39', code: '39', name: 'Ohio' } },
    geometry: { type: 'Polygon', coordinates: [ring] },
  }
  const show = async (rows: Record<string, unknown>[]) => {
    await tiles.put(
      'boundaries/us-states.geojson',
      JSON.stringify({ type: 'FeatureCollection', features: [ohio] }),
    )
    const map = { type: 'map' as const, settings: { region: 'kind' } }
    const mapInsight = { ...insight('bar', 0), visualization: map, rows }
    const view = await showInsight({ ...ctx, tiles } as Context, mapInsight, {
      locale: 'en',
      timeZone: 'UTC',
    })
    if (view.kind !== 'figure') throw new Error('A number is no figure.')
    return view.figure
  }

  test('lists the values that match no region', async () => {
    const figure = await show([
      { kind: '39', calls: 2 },
      { kind: 'PR', calls: 1 },
    ])
    expect(figure.sentence).toContain('1 of 2 values matches no state: PR.')
    expect(figure.svg).toContain('<title>Ohio: 2</title>')
    expect((await show([{ kind: '39', calls: 2 }])).sentence).not.toContain('match')
  })

  test('hydrates with the classes, colours and zooms of its author, and its pop-ups show the chosen fields', async () => {
    const bodies: string[] = []
    const attach = async (_type: string, body: string) => `/f/${bodies.push(body)}`
    const { ctx: hub } = buildContext('hub')
    const world = { name: 'us', hash: '0123456789ab', bounds: [-180, -85, 180, 85], minZoom: 0, maxZoom: 8 }
    const set = { ...world, attribution: '', layers: ['state', 'state_line', 'state_label'] }
    await tiles.put('manifest.json', JSON.stringify({ sets: [set], boundaries: [] }))
    await tiles.put(
      'boundaries/us-states.geojson',
      JSON.stringify({ type: 'FeatureCollection', features: [ohio] }),
    )
    const settings = {
      ...{ region: 'kind', palette: 'orange' as const, labels: false, popup: ['kind'] },
      ...{ classes: { by: 'own' as const, bounds: [5, 10] }, zoom: { least: 2, most: 9 } },
    }
    const mapInsight = {
      ...insight('bar', 0),
      visualization: { type: 'map' as const, settings },
      rows: [{ kind: '39', calls: 7 }],
    }
    await showInsight({ ...hub, tiles, attach } as Context, mapInsight, { locale: 'en', timeZone: 'UTC' })
    const live = JSON.parse(bodies.find((body) => body.includes('darkStyle')) ?? '') as MapData
    expect(live.zoom).toEqual({ least: 2, most: 9 })
    expect(live.points).toMatchObject([{ key: 'us-state-39', value: '7', lines: ['Kind: 39'] }])
    expect(live.style.layers.map(({ type }) => type)).not.toContain('symbol')
    // The only value is in the second of three classes, in each theme.
    expect(JSON.stringify(live.style)).toContain(chartTokens.light['--seq-orange-4'])
    expect(JSON.stringify(live.darkStyle)).toContain(chartTokens.dark['--seq-orange-4'])
  })

  test('opens on most of a country, and has a part for each inset of its picture, in the name of its regions', async () => {
    const bodies: string[] = []
    const attach = async (_type: string, body: string) => `/f/${bodies.push(body)}`
    const setId = regionsOfCountry('FR')
    const { files } = await regionFiles()
    const bytes = files.find(({ key }) => key === boundaryKey(setId))?.bytes ?? ''
    await tiles.put(boundaryKey(setId), bytes)
    await tiles.put(manifestKey, JSON.stringify({ sets: [], boundaries: [] }))
    const settings = { region: 'kind', boundarySetId: setId }
    const mapInsight = {
      ...insight('bar', 0),
      visualization: { type: 'map' as const, settings },
      rows: [
        { kind: 'Paris', calls: 7 },
        { kind: 'Mayotte', calls: 1 },
      ],
    }
    const { ctx: hub } = buildContext('hub')
    const context = { ...hub, tiles, attach } as Context
    const view = await showInsight(context, mapInsight, { locale: 'en', timeZone: 'UTC' })
    const live = JSON.parse(bodies.find((body) => body.includes('darkStyle')) ?? '') as MapData
    const [west, south, east, north] = live.bounds
    expect(west > -6 && south > 41 && east < 10 && north < 52).toBe(true)
    const names = live.parts?.map(({ name }) => name) ?? []
    expect(names.toSorted()).toEqual(['French Guiana', 'Martinique, Guadeloupe', 'Mayotte', 'Réunion'])
    expect(live.parts?.find(({ name }) => name === 'Mayotte')?.bounds.map(Math.round)).toEqual([
      ...[45, -13, 45, -13],
    ])
    const { svg = '' } = view.kind === 'figure' ? view.figure : {}
    for (const name of names) expect(svg, name).toContain(`>${name.split(',')[0]}`)
  }, 120_000)

  const towns: [string, number, number][] = [
    ['Suva', 178.44, -18.14],
    ['Labasa', 179.37, -16.42],
    ['Waiyevo', -179.97, -16.79],
    ['Tubou', -178.81, -18.24],
  ]
  const grid = Array.from({ length: 200 }, (_, i): [string, number, number] => [
    ...([`Place ${i}`, -122.4 + (i % 20) / 100, 47.5 + Math.floor(i / 20) / 100] as const),
  ])
  test.each([
    ['on both sides of the antimeridian', towns, [178.44, -18.24, 181.19, -16.42]],
    ['of a city, and one at 0, 0', [...grid, ['Nowhere', 0, 0]], [-122.4, 47.5, -122.21, 47.59]],
  ] as const)('of points %s opens on them, not on the whole earth', async (_, places, box) => {
    const bodies: string[] = []
    const attach = async (_type: string, body: string) => `/f/${bodies.push(body)}`
    await tiles.put(manifestKey, JSON.stringify({ sets: [], boundaries: [] }))
    const barInsight = insight('bar', 0)
    const mapInsight = {
      ...barInsight,
      visualization: { type: 'map' as const, settings: {} },
      output: {
        ...barInsight.output,
        schema: { name: { name: 'Name', type: 'text' }, at: { name: 'At', type: 'point' } },
      },
      rows: places.map(([name, lon, lat]) => ({ name, at: { type: 'Point', coordinates: [lon, lat] } })),
    } as unknown as AnsweredInsight
    const { ctx: hub } = buildContext('hub')
    await showInsight({ ...hub, tiles, attach } as Context, mapInsight, { locale: 'en', timeZone: 'UTC' })
    const live = JSON.parse(bodies.find((body) => body.includes('darkStyle')) ?? '') as MapData
    live.bounds.forEach((degrees, i) => expect(degrees).toBeCloseTo(box[i] ?? NaN, 1))
    // All of them are listed.
    expect(live.points).toHaveLength(places.length)
  })

  test('that would be blank says why, and its table is shown instead', async () => {
    const figure = await show([{ kind: 'PR', calls: 1 }])
    expect(figure).toMatchObject({ svg: '', table: { rows: [['PR', '1']] } })
    expect(figure.sentence).toMatch(
      /no value names a state\. Choose the column that does, or other regions\./,
    )
    expect(figure).not.toHaveProperty('mapHref')
  })
})

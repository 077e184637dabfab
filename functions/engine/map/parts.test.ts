import { geoAlbersUsa, geoEqualEarth, geoMercator, type GeoProjection } from 'd3-geo'
import { expect, test } from 'vitest'
import { drawNorth } from './draw-north.ts'
import { drawInsetScales, drawScale } from './draw-scale.ts'
import { earthNet, earthOutline, toWholeEarth } from './earth.ts'
import type { MapProjection } from './insets.ts'
import { addProjectionParts } from './parts.ts'

const size = { width: 960, height: 500 }
const lettering = { fontSize: 11, isNarrow: false }
const states = () => addProjectionParts('albersUsa', geoAlbersUsa().precision(0) as GeoProjection, size)
const buildEarthProjection = () =>
  addProjectionParts('equalEarth', geoEqualEarth().fitSize([960, 480], { type: 'Sphere' }), size)

test('the parts of the United States have the projections that d3 composes, each within its cell', () => {
  const { main, insets = [], ...projection } = Object.assign(states(), { plain: geoAlbersUsa() })
  const [alaska, hawaii] = insets
  const places: [[number, number], GeoProjection | undefined][] = [
    ...[-123.1, -97.5, -68.8, -81.8].map((lon): [[number, number], typeof main] => [
      [lon, 44 + lon / 20],
      main,
    ]),
    ...[-150, -134.4, -165.4].map((lon): [[number, number], typeof main] => [[lon, 60], alaska?.projection]),
    [[-157.8, 21.3], hawaii?.projection],
    [[-155.5, 19.6], hawaii?.projection],
  ]
  for (const [point, part] of places) {
    const [x = NaN, y = NaN] = part?.(point) ?? []
    const [ourX, ourY] = projection.plain(point) ?? []
    expect(x).toBeCloseTo(ourX ?? NaN, 6)
    expect(y).toBeCloseTo(ourY ?? NaN, 6)
    const inset = insets.find((each) => each.projection === part)
    if (!inset) continue
    expect(x).toBeGreaterThan(inset.x)
    expect(x).toBeLessThan(inset.x + inset.width)
    expect(y).toBeGreaterThan(inset.y)
    expect(y).toBeLessThan(inset.y + inset.height)
  }
})

/** The turns of the arrows of a picture, with the side that each is on. */
function arrows(projection: GeoProjection): [side: string, turn: number][] {
  const svg = drawNorth(projection, size, [], lettering)
  return [...svg.matchAll(/translate\(([\d.]+) [\d.]+\) rotate\((-?\d+)\)/g)].map(([, x, turn]) => [
    Number(x) < 480 ? 'left' : 'right',
    Number(turn),
  ])
}

test('an arrow shows north at each edge where it is not up, or once where it is up nowhere', () => {
  expect(arrows(states().main as GeoProjection)).toEqual([
    ['left', 19],
    ['right', -18],
  ])
  expect(arrows(geoMercator().center([10, 60]).scale(2000).translate([480, 250]))).toEqual([])
  // A map of one state in a cone of its neighbours leans everywhere.
  expect(arrows(geoMercator().center([10, 60]).angle(-20).scale(2000).translate([480, 250]))).toEqual([
    ['right', 20],
  ])
})

test('an arrow is beside what its edge has already, or is left out', () => {
  const main = states().main as GeoProjection
  const occupiedBox = { x: 0, y: 170, width: 60, height: 160 }
  const [first = ''] = /translate\([^)]*\)/.exec(drawNorth(main, size, [occupiedBox], lettering)) ?? []
  const y = Number(/ ([\d.]+)\)/.exec(first)?.[1])
  expect(y < 158 || y > 354).toBe(true)
  const full = { x: 0, y: 0, width: 60, height: 500 }
  expect(drawNorth(main, size, [full], lettering).match(/rotate/g)).toHaveLength(1)
})

test('the scale of the United States is beside the insets, which have their own', () => {
  const projection = states()
  const scale = drawScale(projection, size, lettering, 'en')
  expect(scale?.svg).toContain('>1000 km<')
  const { x, y, width } = scale?.occupied ?? { x: NaN, y: NaN, width: NaN }
  expect([x > 480, x + width <= 960, y < 100]).toEqual([true, true, true])
  const own = drawInsetScales(projection.insets ?? [], lettering)
  expect([...own.matchAll(/>(\d+ km)</g)].map(([, text]) => text)).toEqual(['1000 km', '200 km'])
  expect(drawInsetScales(projection.insets ?? [], { fontSize: 20, isNarrow: true })).toBe('')
})

test('where the scale differs by latitude the bar says that it is that of the middle, up to 60 degrees', () => {
  const tall = (degrees: number): MapProjection =>
    geoMercator().fitSize([960, 500], {
      type: 'MultiPoint',
      coordinates: [
        [0, -degrees / 2],
        [1, degrees / 2],
      ],
    })
  const drawScaleText = (degrees: number, locale = 'en') =>
    />([^<]*)<\/text>/.exec(drawScale(tall(degrees), size, lettering, locale)?.svg ?? '')?.[1]
  expect([20, 30, 58, 70].map((degrees) => drawScaleText(degrees))).toEqual([
    '1000 km',
    '1000 km in the middle',
    '2000 km in the middle',
    undefined,
  ])
  expect(drawScaleText(30, 'de')).toBe('1000 km in der Mitte')
})

test('the whole earth has an outline, a net of meridians, and a text instead of a scale', () => {
  const projection = buildEarthProjection()
  const ring = earthOutline(projection)
  expect(ring[0]).toEqual(ring.at(-1))
  expect(Math.min(...ring.map(([x = 0]) => x))).toBeCloseTo(0, 0)
  expect(Math.max(...ring.map(([x = 0]) => x))).toBeCloseTo(960, 0)
  expect(earthNet(projection)).toHaveLength(11 + 5)
  const scale = drawScale(projection, { width: 960, height: 480 }, lettering, 'en')
  expect(
    scale?.svg
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  ).toBe('Areas are true to size, distances are not.')
  expect(scale?.svg).not.toContain('<path')
  // Tiles end at 85 degrees south, and their land goes on beyond the antimeridian.
  expect(toWholeEarth([180.4, -85.02])).toEqual([180, -90])
  expect(toWholeEarth([-180.4, 60])).toEqual([-180, 60])
})

import { VectorTile } from '@mapbox/vector-tile'
import { Resvg } from '@resvg/resvg-wasm'
import type { Feature, Geometry, MultiPolygon, Polygon, Position } from 'geojson'
import { gunzipSync } from 'node:zlib'
import { PbfReader } from 'pbf'
import { PMTiles } from 'pmtiles'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '#functions/api/call.ts'
import { fitMap } from '#functions/engine/map/insets.ts'
import { staticMap } from '#functions/engine/map/static-map.ts'
import { paintSvg } from '#functions/engine/picture/paint.ts'
import { renderPng } from '#functions/engine/picture/png.ts'
import { readShapes } from '#functions/engine/picture/shapes.ts'
import { setArchiveKey } from '#functions/engine/tile/manifest.ts'
import { v1 } from '#functions/v1/index.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { collection } from './sets.testing.ts'
import { processTiles } from './set-tiles.ts'

// Areas around a pole reach every longitude: as tiles, and as the still picture of their set.

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const { boundarySet } = v1.place
const tiles = memoryBucket()

/** An area that ends at a parallel with waves of two degrees, once around the earth. */
const buildPolarArea = (latitude: number, isNorth: boolean): Geometry => {
  const ring = Array.from({ length: 181 }, (_, i): Position => {
    const lon = (isNorth ? 1 : -1) * (2 * (i % 180) - 180)
    return [lon, latitude + Math.sin((lon * Math.PI) / 20)]
  })
  return { type: 'Polygon', coordinates: [ring] }
}

const lons = [-179, -133, -90.5, -1, 0.5, 44, 90.5, 178]
const poles = [
  { name: 'arctic', shape: buildPolarArea(72, true), inside: [75, 80, 84], outside: [68, 55] },
  { name: 'antarctic', shape: buildPolarArea(-70, false), inside: [-73, -80, -84], outside: [-66, -50] },
]

test.each(poles)(
  'the $name around its pole is whole in each zoom of its tiles and in its picture',
  async (pole) => {
    const as = world.as('content_admin', { tiles })
    const set = await call(boundarySet.create, as, {
      params: { placeId: 'oakton' },
      data: { name: 'Pole', visibility: 'public', geojson: collection([{ name: pole.name }, pole.shape]) },
    })
    await processTiles(world.as('system', { tiles }))
    const shapes = await readShapes(tiles, set.id)
    const facts = shapes.tiles
    if (!facts) throw new Error('It has no tiles.')
    const key = setArchiveKey(set.id, facts.hash)
    const bytes = await (await tiles.get(key))?.arrayBuffer()
    const source = {
      getKey: () => key,
      getBytes: async (offset: number, length: number) => ({ data: bytes!.slice(offset, offset + length) }),
    }
    const archive = new PMTiles(source, undefined, async (data) => data)
    const isDrawn = async (zoom: number, lon: number, lat: number) => {
      const [x, y] = computeTile(zoom, lon, lat)
      const tile = await archive.getZxy(zoom, x, y)
      if (!tile) return false
      const { area } = new VectorTile(new PbfReader(gunzipSync(new Uint8Array(tile.data)))).layers
      return Array.from({ length: area?.length ?? 0 }, (_, i) => area!.feature(i).toGeoJSON(x, y, zoom)).some(
        (each) => planarContains(each as Feature<Polygon | MultiPolygon>, [lon, lat]),
      )
    }
    for (let zoom = facts.minZoom; zoom <= facts.maxZoom; zoom++)
      for (const lon of lons) {
        for (const lat of pole.inside)
          expect(await isDrawn(zoom, lon, lat), `${zoom}/${lon}/${lat}`).toBe(true)
        for (const lat of pole.outside)
          expect(await isDrawn(zoom, lon, lat), `${zoom}/${lon}/${lat}`).toBe(false)
      }
    const size = { width: 640, height: 420 }
    const values = new Map(shapes.features.map(({ properties }) => [String(properties?.['gid']), 1]))
    const { svg } = staticMap({ shapes, values, ...size, title: 'Pole', description: '', locale: 'en' })
    expect(svg).not.toMatch(/NaN|Infinity/)
    const painted = paintSvg(svg, 'light').replace(
      '<svg ',
      `<svg width="${size.width}" height="${size.height}" `,
    )
    await renderPng(painted, size, 1)
    const { pixels } = new Resvg(painted).render()
    const projection = fitMap('mercator', [shapes], [], size)
    const isFilled = (lon: number, lat: number) => {
      const [x = 0, y = 0] = projection([lon, lat]) ?? []
      return (pixels[4 * (Math.round(y) * size.width + Math.round(x)) + 3] ?? 0) > 0
    }
    const isIn = (lon: number, lat: number) => {
      const [x = -1, y = -1] = projection([lon, lat]) ?? []
      return x > 2 && x < size.width - 2 && y > 2 && y < size.height - 2
    }
    let checkedCount = 0
    for (const lon of lons)
      for (const lat of [...pole.inside, ...pole.outside].filter((each) => isIn(lon, each))) {
        checkedCount += 1
        expect(isFilled(lon, lat), `${lon} ${lat}`).toBe(pole.inside.includes(lat))
      }
    expect(checkedCount).toBeGreaterThan(2 * lons.length)
  },
)

/** The tile of a position in Web Mercator. */
function computeTile(zoom: number, lon: number, lat: number): [number, number] {
  const y = 0.5 - Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / (2 * Math.PI)
  return [Math.floor((lon / 360 + 0.5) * 2 ** zoom), Math.floor(y * 2 ** zoom)]
}

/** Whether a position is in an area of a tile: edges are straight in degrees, which d3 would bend. */
function planarContains(
  { geometry }: Feature<Polygon | MultiPolygon>,
  [lon = 0, lat = 0]: Position,
): boolean {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  return polygons.some((rings) => {
    let crossings = 0
    for (const ring of rings)
      ring.forEach(([x = 0, y = 0], i) => {
        const [nextX = x, nextY = y] = ring[i + 1] ?? []
        if (y > lat !== nextY > lat && lon < x + ((lat - y) * (nextX - x)) / (nextY - y)) crossings += 1
      })
    return crossings % 2 === 1
  })
}

import { describe, expect, test } from 'vitest'
import { buildDbf, buildShp, buildZip } from '../import/parse/files.testing.ts'
import { readAreas } from './read.ts'
import { countBorderVertices } from './topology.ts'

const corners = 2_000_000
/** Positions of a ring of 2,000,000 corners, as short as they can be, each with an end. */
function* positions(end: string) {
  for (let i = 0; i < corners - 1; i++) yield `${i % 90},${i % 80}${end}`
  yield '0,0'
}
const jsonRing = () => `[[${[...positions('],[')].join('')}]]`
const utf8 = (text: string) => new TextEncoder().encode(text)

async function read(bytes: Uint8Array) {
  const reading = readAreas(bytes)
  let areas = 0
  for await (const _ of reading.areas) areas += 1
  return { areas, reading }
}

const message = 'The geometry has 2,000,000 points; it may have 500,000.'

describe('an area of 2,000,000 corners is counted without being read', () => {
  test.each([
    [
      'GeoJSON',
      () =>
        utf8(
          `{"type":"FeatureCollection","features":[{"type":"Feature","bbox":[0,0,1,1],"properties":{"a":[1]},"geometry":{"type":"Polygon","coordinates":[${jsonRing()}]}}]}`,
        ),
    ],
    [
      'KML',
      () =>
        utf8(
          `<kml><Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>${[...positions(' ')].join('')}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>`,
        ),
    ],
  ])('of %s', async (_, buildBytes) => {
    const bytes = buildBytes()
    expect(bytes.length).toBeLessThan(25_000_000)
    const { areas, reading } = await read(bytes)
    expect(areas).toBe(0)
    expect(reading).toMatchObject({
      unreadVertices: corners,
      vertices: 0,
      findings: [{ number: 1, message }],
    })
  })

  test('of a topology, before its text is parsed', async () => {
    const bytes = utf8(
      `{"type":"Topology","objects":{"a":{"type":"Polygon","properties":{"[":"\\"["},"arcs":[[0]]}},"arcs":[${jsonRing()}]}`,
    )
    expect(countBorderVertices(bytes)).toBe(corners)
    const { areas, reading } = await read(bytes)
    expect([areas, reading.unreadVertices]).toEqual([0, corners])
  })

  test('of a Shapefile', async () => {
    const ring = Array.from({ length: 600_000 }, (_, i): [number, number] => [i % 90, i % 80])
    const shp = buildShp([{ type: 5, parts: [ring] }], [0, 0, 90, 80])
    const zip = buildZip({ 'a.shp': shp, 'a.dbf': buildDbf([{ name: 'N', type: 'C', length: 1 }], [['x']]) })
    expect((await read(zip)).reading).toMatchObject({
      unreadVertices: 600_000,
      findings: [{ kind: 'noted' }, { message: 'The geometry has 600,000 points; it may have 500,000.' }],
    })
  })
})

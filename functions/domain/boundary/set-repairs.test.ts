import type { FeatureCollection, Geometry, MultiPolygon, Position } from 'geojson'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { v1 } from '#functions/v1/index.ts'
import { call } from '#functions/api/call.ts'
import { hasRealPostgres } from '#db/testing.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { computeDoubleSignedArea } from '#functions/engine/region/signed-area.ts'
import { findOverlaps } from './overlaps.ts'
import { box, collection } from './sets.testing.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const tiles = memoryBucket()
const openContext = () => world.as('content_admin', { tiles })
const params = { placeId: 'oakton' }
const { boundarySet } = v1.place

/** A set made of shapes that are named by their keys. */
const create = (shapes: Record<string, Geometry | null>) =>
  call(boundarySet.create, openContext(), {
    params,
    data: {
      name: 'Repaired',
      geojson: collection(
        ...Object.entries(shapes).map(([name, shape]) => [{ name }, shape] as [object, typeof shape]),
      ),
    },
  })
type CreatedSet = Awaited<ReturnType<typeof create>>

const polygon = (...rings: Position[][]): Geometry => ({ type: 'Polygon', coordinates: rings })
const getOuterRing = (shape: Geometry): Position[] =>
  (shape as { coordinates: Position[][] }).coordinates[0] ?? []
const square = (west: number, south: number, size: number) => getOuterRing(box(west, south, size))
const toFindingRows = ({ findings }: CreatedSet) =>
  findings.map(({ kind, number, message }) => [kind, number, message])

/** The areas of a set as its file has them. */
async function readAreas({ id }: CreatedSet) {
  const download = await call(boundarySet['.geojson'], openContext(), {
    params: { ...params, boundarySetId: id },
    options: {},
  })
  const text = await new Response((download as { body: BodyInit }).body).text()
  return (JSON.parse(text) as FeatureCollection).features
}

/** The areas of a set as PostGIS has them, by name: square degrees, and whether they are valid. */
async function measureAreas({ id }: CreatedSet) {
  const { rows } = await sql<{ name: string; size: number; isValid: boolean }>`
    select name, ST_Area(area) as size, ST_IsValid(area) as is_valid
    from boundary_set_area where boundary_set_id = ${id} order by number`.execute(world.as('system').db)
  return rows
}

test('self-intersections, shapes without an area and the antimeridian are repaired or left out, and listed', async () => {
  const set = await create({
    Bow: polygon([
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 2],
      [0, 0],
    ]),
    Point: { type: 'Point', coordinates: [1, 1] },
    None: null,
    Flat: polygon([
      [5, 5],
      [6, 6],
      [5, 5],
      [5, 5],
    ]),
    Fiji: polygon([
      [179, -17],
      [-179, -17],
      [-179, -16],
      [179, -16],
      [179, -17],
    ]),
  })
  expect(toFindingRows(set)).toEqual([
    ['repaired', 1, 'Its outline crosses itself at 1.00000, 1.00000: it was made whole.'],
    ['leftOut', 4, 'Nothing of it has an area.'],
    ['leftOut', 2, 'It is a Point, not an area.'],
    ['leftOut', 3, 'It has no geometry.'],
    ['noted', 5, 'It lies across the antimeridian or a pole.'],
  ])
  expect(set).toMatchObject({ areaCount: 2, bounds: [0, -17, 181, 6] })
  const fiji = (await readAreas(set)).find(({ properties }) => properties?.name === 'Fiji')
  const spans = (fiji?.geometry as MultiPolygon).coordinates.map(([outer = []]) => [
    Math.min(...outer.map(([x = 0]) => x)),
    Math.max(...outer.map(([x = 0]) => x)),
  ])
  expect(spans.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))).toEqual([
    [-180, -179],
    [179, 180],
  ])
})

test('open rings are closed, and holes and parts that are too short are left out of their area', async () => {
  const short: Position[] = [
    [30.2, 0.2],
    [30.4, 0.4],
    [30.2, 0.2],
  ]
  const set = await create({
    Open: polygon(square(0, 0, 1).slice(0, -1)),
    Triangle: polygon(square(10, 0, 1).slice(0, 3)),
    Holes: polygon(square(20, 0, 4), square(21, 1, 1).slice(0, -1), square(22, 2, 1).slice(0, -1)),
    Speck: polygon(square(30, 0, 1), short, []),
    Parts: { type: 'MultiPolygon', coordinates: [[short], [square(40, 0, 1)]] },
    Short: polygon(short),
  })
  expect(toFindingRows(set)).toEqual([
    ['repaired', 1, 'A ring was not closed: it was closed.'],
    ['repaired', 2, 'A ring was not closed: it was closed.'],
    ['repaired', 3, '2 rings were not closed: they were closed.'],
    ['repaired', 4, '2 holes had fewer than four positions: they were left out.'],
    ['repaired', 5, 'A part had fewer than four positions: it was left out.'],
    ['leftOut', 6, 'A ring has fewer than four positions.'],
    ['repaired', null, 'One area had rings that ran the wrong way round: they were turned.'],
  ])
  const measures = await measureAreas(set)
  expect(measures.map(({ name, size, isValid }) => [name, Number(size.toFixed(9)), isValid])).toEqual([
    ['Open', 1, true],
    ['Triangle', 0.5, true],
    ['Holes', 14, true],
    ['Speck', 1, true],
    ['Parts', 1, true],
  ])
})

test('a hole outside of its ring becomes a part of the area, and one that leaves it is cut; both are listed', async () => {
  const set = await create({
    Outside: polygon(square(0, 0, 2), square(5, 5, 1)),
    Across: polygon(square(10, 0, 2), square(11.5, 0.5, 1)),
  })
  expect(toFindingRows(set)).toEqual([
    ['repaired', 1, 'A hole lies outside of the outline at 5.00000, 5.00000: it was made whole.'],
    ['repaired', 2, 'Its outline crosses itself at 12.00000, 0.50000: it was made whole.'],
    ['repaired', null, '2 areas had rings that ran the wrong way round: they were turned.'],
  ])
  const measures = await measureAreas(set)
  expect(measures.map(({ name, size, isValid }) => [name, size, isValid])).toEqual([
    ['Outside', 5, true],
    ['Across', 4, true],
  ])
})

test('areas that overlap an earlier one are listed with the share; neighbours and imprecise borders are not', async () => {
  const set = await create({
    County: polygon(square(0, 0, 4)),
    // Beside it, with a border that is a thousandth of a degree off.
    Neighbour: polygon(square(3.999, 0, 4)),
    Within: polygon(square(1, 1, 1)),
    Across: polygon(square(7.5, 0, 1)),
    Twice: polygon(square(1, 1, 1)),
    Corner: polygon(square(10, 10, 1)),
    Touching: polygon(square(11, 11, 1)),
  })
  expect(toFindingRows(set)).toEqual([
    ['noted', 3, 'All of it lies in number 1 as well: a point in both counts for number 1.'],
    ['noted', 4, '50 % of it lies in number 2 as well: a point in both counts for number 2.'],
    ['noted', 5, 'All of it lies in number 1 as well: a point in both counts for number 1.'],
  ])
  expect(set.findingCount).toBe(3)
})

/** A comb of so many teeth, upright or lying: two of them cross each other in as many places as the product. */
function comb(teeth: number, isLying: boolean): Geometry {
  const top = Array.from({ length: teeth }, (_, i) => [
    [i, 0.1],
    [i, teeth],
    [i + 0.5, teeth],
    [i + 0.5, 0.1],
  ]).flat()
  const ring = [[0, 0], ...top, [teeth, 0.1], [teeth, 0], [0, 0]].map(([x = 0, y = 0]) => [
    (isLying ? y : x) / teeth,
    (isLying ? x : y) / teeth,
  ])
  return polygon(ring)
}

test.runIf(hasRealPostgres)(
  'a comparison that takes too long is stopped and said, and what follows is saved',
  async () => {
    const set = await create({ Upright: comb(200, false), Lying: comb(200, true) })
    const overlapMessage = expect.stringMatching(/^\d+ % of it lies in number 1 as well/)
    expect(toFindingRows(set)[0]).toEqual(['noted', 2, overlapMessage])
    const edition = { boundarySetId: set.id, edition: set.edition }
    const { findings, rows } = await world.as('system').transaction(async (tx) => {
      const slow = await findOverlaps(tx, edition, 10)
      const { rows: after } = await sql<{ one: number }>`select 1 as one`.execute(tx)
      return { findings: slow, rows: after }
    })
    expect(findings.map(({ message }) => message)).toEqual([
      'More areas may overlap than are listed: comparing all of them would take too long.',
    ])
    expect(rows).toEqual([{ one: 1 }])
  },
)

test('rings that run the wrong way round are turned and listed, and every download has them as GeoJSON asks', async () => {
  const back = (ring: Position[]) => [...ring].reverse()
  const rings = [square(0, 0, 4), back(square(1, 1, 1))]
  const set = await create({
    Right: polygon(...rings),
    Outer: polygon(back(square(10, 0, 4))),
    Hole: polygon(square(20, 0, 4), square(21, 1, 1)),
  })
  expect(toFindingRows(set)).toEqual([
    ['repaired', null, '2 areas had rings that ran the wrong way round: they were turned.'],
  ])
  const areas = await readAreas(set)
  const directions = areas.map(({ geometry }) =>
    (geometry as MultiPolygon).coordinates.map((parts) =>
      parts.map((ring) => Math.sign(computeDoubleSignedArea(ring))),
    ),
  )
  expect(directions).toEqual([[[1, -1]], [[1]], [[1, -1]]])
})

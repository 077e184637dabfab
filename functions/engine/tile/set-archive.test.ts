import { VectorTile } from '@mapbox/vector-tile'
import { gunzipSync } from 'node:zlib'
import { PbfReader } from 'pbf'
import { PMTiles } from 'pmtiles'
import { expect, test } from 'vitest'
import { toUnitSquare } from '#functions/engine/region/antimeridian.ts'
import { generateDistricts, toRing } from '#functions/engine/region/districts.testing.ts'
import { NetBuilder } from '#functions/engine/region/border-net.ts'
import { makeSetArchive } from './set-archive.ts'
import { writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

const about = { name: 'wards', attribution: 'City' }

async function buildArchive(areas: Parameters<NetBuilder['add']>[0][]) {
  const builder = new NetBuilder()
  for (const rings of areas) builder.add(rings)
  const names = areas.map((_, i) => ({ gid: `a${i + 1}`, name: `Ward ${i + 1}` }))
  const archiveFile = await makeSetArchive(builder.finish(), names, about)
  const source = {
    getKey: () => 'set',
    getBytes: async (offset: number, length: number) => ({
      data: archiveFile.bytes.slice(offset, offset + length).buffer,
    }),
  }
  const archive = new PMTiles(source, undefined, async (data) => data)
  const tiles = []
  for (let z = archiveFile.minZoom; z <= archiveFile.maxZoom; z++)
    for (const { x, y } of listTiles(areas, z)) {
      const storedTile = await archive.getZxy(z, x, y)
      if (!storedTile) continue
      const { layers } = new VectorTile(new PbfReader(gunzipSync(new Uint8Array(storedTile.data))))
      tiles.push({ z, x, y, layers })
    }
  return { archiveFile, tiles, plain: new PMTiles(source) }
}

/** The tiles of a zoom that the boxes of some areas reach into. */
function listTiles(areas: Parameters<NetBuilder['add']>[0][], zoom: number) {
  const tiles = new Map<string, { x: number; y: number }>()
  const size = 2 ** zoom
  for (const rings of areas)
    for (const { at } of rings) {
      const places = Array.from({ length: at.length / 2 }, (_, i) =>
        toUnitSquare(at[2 * i] ?? 0, at[2 * i + 1] ?? 0),
      )
      const toTileIndexes = (axis: 0 | 1) =>
        places.map((place) => Math.min(size - 1, Math.floor(place[axis] * size)))
      for (let x = Math.min(...toTileIndexes(0)); x <= Math.max(...toTileIndexes(0)); x++)
        for (let y = Math.min(...toTileIndexes(1)); y <= Math.max(...toTileIndexes(1)); y++)
          tiles.set(`${x} ${y}`, { x, y })
    }
  return tiles.values()
}

const collectGids = (tiles: Awaited<ReturnType<typeof buildArchive>>['tiles'], name: string) =>
  new Set(
    tiles.flatMap(({ layers }) =>
      Array.from({ length: layers[name]?.length ?? 0 }, (_, i) => layers[name]?.feature(i).properties.gid),
    ),
  )

test('every area is in the tiles of every zoom, and the reference reader accepts them', async () => {
  // One is much too small to be seen.
  const speck = toRing([
    [0.5, -0.001],
    [0.5001, -0.001],
    [0.5, -0.0011],
  ])
  const areas = [
    ...[...generateDistricts(6, 8, { width: 30, height: 20 })].map((each) => [toRing(each)]),
    [speck],
  ]
  const { archiveFile, tiles, plain } = await buildArchive(areas)
  expect(archiveFile).toMatchObject({ minZoom: 2, maxZoom: 9 })
  expect(archiveFile.bounds[2]).toBeGreaterThan(29)
  expect(await plain.getHeader()).toMatchObject({ specVersion: 3, clustered: true, minZoom: 2, maxZoom: 9 })
  expect(await plain.getMetadata()).toMatchObject(about)
  const all = new Set(areas.map((_, i) => `a${i + 1}`))
  for (let zoom = archiveFile.minZoom; zoom <= archiveFile.maxZoom; zoom++)
    expect(
      collectGids(
        tiles.filter(({ z }) => z === zoom),
        'area',
      ),
      `zoom ${zoom}`,
    ).toEqual(all)
  expect(
    collectGids(
      tiles.filter(({ z }) => z === archiveFile.maxZoom),
      'area_label',
    ),
  ).toEqual(all)
  writeMeasurements('set-archives', {
    areas: all.size,
    zooms: archiveFile.maxZoom - archiveFile.minZoom + 1,
    tiles: tiles.length,
  })
})

test('adjacent tiles and adjacent areas leave no gap', async () => {
  const areas = [...generateDistricts(5, 12, { west: 10, south: 40, width: 20, height: 10 })].map((each) => [
    toRing(each),
  ])
  const { archiveFile, tiles } = await buildArchive(areas)
  for (let zoom = archiveFile.minZoom; zoom <= archiveFile.maxZoom; zoom++) {
    let covered = 0
    for (const { z, layers } of tiles) {
      if (z !== zoom) continue
      const layer = layers.area
      // Of a tile whose centre is within all of them: the areas are as large as the tile with its buffer.
      let sum = 0
      for (let i = 0; i < (layer?.length ?? 0); i++) {
        const feature = layer?.feature(i)
        for (const ring of feature?.loadGeometry() ?? []) sum += computeSignedArea(ring)
      }
      if (Math.abs(sum - (4096 + 128) ** 2) < 4096) covered += 1
      expect(sum).toBeLessThanOrEqual((4096 + 128) ** 2 + 1)
    }
    if (zoom >= archiveFile.minZoom + 3) expect(covered, `zoom ${zoom}`).toBeGreaterThan(3)
  }
})

/** The signed area: clockwise is positive if y increases downward. */
function computeSignedArea(ring: { x: number; y: number }[]): number {
  let twice = 0
  for (let i = 1; i < ring.length; i++) {
    const [a, b] = [ring[i - 1], ring[i]]
    twice += (a?.x ?? 0) * (b?.y ?? 0) - (b?.x ?? 0) * (a?.y ?? 0)
  }
  return twice / 2
}

test('a set across the antimeridian is on both sides, without a line on the seam', async () => {
  const half = (west: number, east: number) =>
    toRing([
      [west, -18],
      [east, -18],
      [east, -16],
      [west, -16],
    ])
  const { archiveFile, tiles } = await buildArchive([[half(177, 180), half(-180, -178)]])
  expect(archiveFile.minZoom).toBe(0)
  const columns = tiles.filter(({ z }) => z === archiveFile.maxZoom).map(({ x }) => x)
  expect([columns.includes(0), columns.includes(2 ** archiveFile.maxZoom - 1)]).toEqual([true, true])
  for (const { layers } of tiles) {
    const lines = layers.area_line
    for (let i = 0; i < (lines?.length ?? 0); i++)
      for (const line of lines?.feature(i).loadGeometry() ?? [])
        line.forEach((point, at) => {
          const before = line[at - 1]
          const isSeam = before?.x === point.x && (point.x === 0 || point.x === 4096)
          expect(isSeam).toBe(false)
        })
  }
})

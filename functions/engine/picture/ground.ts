import { VectorTile } from '@mapbox/vector-tile'
import type { Feature, LineString, MultiLineString, MultiPolygon, Polygon } from 'geojson'
import { PbfReader } from 'pbf'
import type { Ground } from '#functions/engine/map/draw-ground.ts'
import type { GroundArchive } from '#functions/engine/map/ground-layers.ts'
import type { GroundView } from '#functions/engine/map/static-map.ts'
import { readTile, type ArchiveFacts } from '#functions/engine/tile/archives.ts'

/** West, south, east, north in degrees; an east beyond 180 crosses the antimeridian. */
type Box = readonly [number, number, number, number]

/** Tiles that one picture is drawn of at most. */
const maxTiles = 9
/** Towns that are tried for a place in a picture, the largest first. */
const maxTowns = 60

/** The archive for a picture: one of a part of the world where it covers all of the picture, otherwise the one below. */
function archiveFor({ below, ...archive }: GroundArchive, [west, south, east, north]: Box): ArchiveFacts {
  const [left, bottom, right, top] = archive.bounds
  const isCovered = west >= left && east <= right && south >= bottom && north <= top
  return below && !isCovered ? below : archive
}

/**
 * Reads the part of a base map in a box, in a level of detail for a picture of this width. Null where the archive is
 * missing or does not cover it. An invalid tile is passed to `report` and left out.
 */
export async function readGround(
  tiles: R2Bucket,
  base: GroundArchive,
  box: Box,
  width: number,
  report: (error: unknown) => void = () => {},
): Promise<Ground | null> {
  const archive = archiveFor(base, box)
  const zoom = zoomFor(archive, box, width)
  const size = 2 ** zoom
  const [west, north] = tileAt(box[0], box[3], size)
  const [east, south] = tileAt(box[2], box[1], size)
  const { attribution } = archive
  const ground: Ground = { land: [], water: [], borders: [], towns: [], attribution }
  const places: [number, number][] = []
  for (let x = west; x <= east; x++)
    for (let y = Math.max(0, north); y <= Math.min(size - 1, south); y++) places.push([x, y])
  const images = await Promise.all(
    places.map(async ([x, y]) => {
      const column = ((x % size) + size) % size
      const bytes = await readTile(tiles, archive.hash, [zoom, column, y])
      if (bytes === null || bytes === 'empty') return bytes !== null
      const tile = await openTile(bytes).catch((error: unknown) => void report(error))
      if (tile) addTile(ground, tile, [zoom, column, y])
      return Boolean(tile)
    }),
  )
  if (!images.some(Boolean)) return null
  // Deterministic, whatever the order of the tiles.
  ground.towns.sort((a, b) => b.population - a.population || (a.name < b.name ? -1 : 1))
  ground.towns.splice(maxTowns)
  return ground
}

/** Reads the base map in the boxes of a picture and its insets; see `readGround`. */
export async function readGrounds(
  tiles: R2Bucket,
  archive: GroundArchive,
  { insets, ...whole }: GroundView,
  report?: (error: unknown) => void,
): Promise<Ground | null> {
  const [ground, ...others] = await Promise.all(
    [whole, ...insets].map(({ box, width }) => readGround(tiles, archive, box, width, report)),
  )
  return ground ? { ...ground, ...(others.length > 0 && { insets: others }) } : null
}

/** The zoom at which a unit of the picture is about a pixel; lower where it would take too many tiles. */
function zoomFor({ minZoom, maxZoom }: ArchiveFacts, [west, south, east, north]: Box, width: number): number {
  const idealZoom = Math.round(Math.log2((width * 360) / (512 * Math.max(1e-6, east - west))))
  let zoom = Math.min(maxZoom, Math.max(minZoom, idealZoom))
  const count = () => {
    const [left, top] = tileAt(west, north, 2 ** zoom)
    const [right, bottom] = tileAt(east, south, 2 ** zoom)
    return (right - left + 1) * (bottom - top + 1)
  }
  while (zoom > minZoom && count() > maxTiles) zoom--
  return zoom
}

function tileAt(lon: number, lat: number, size: number): [number, number] {
  const bound = Math.min(85, Math.max(-85, lat))
  const y = 0.5 - Math.log(Math.tan(Math.PI / 4 + (bound * Math.PI) / 360)) / (2 * Math.PI)
  return [Math.floor((lon / 360 + 0.5) * size), Math.floor(y * size)]
}

/** Parses a tile; throws for invalid bytes. */
async function openTile(gzipped: ArrayBuffer): Promise<VectorTile> {
  const stream = new Blob([gzipped]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new VectorTile(new PbfReader(new Uint8Array(await new Response(stream).arrayBuffer())))
}

function addTile(ground: Ground, { layers }: VectorTile, [z, x, y]: [number, number, number]): void {
  const getLayerFeatures = (name: string) => {
    const layer = layers[name]
    return Array.from({ length: layer?.length ?? 0 }, (_, i) => layer!.feature(i))
  }
  const areas = (name: string) =>
    getLayerFeatures(name)
      .filter(({ type }) => type === 3)
      .map((feature) => feature.toGeoJSON(x, y, z) as Feature<Polygon | MultiPolygon>)
  ground.land.push(...areas('earth'))
  ground.water.push(...areas('water'))
  for (const feature of getLayerFeatures('boundaries')) {
    const kind = feature.properties['kind']
    if (feature.type !== 2 || (kind !== 'country' && kind !== 'region')) continue
    const { geometry } = feature.toGeoJSON(x, y, z) as Feature<LineString | MultiLineString>
    ground.borders.push({ kind, isDisputed: feature.properties['disputed'] === true, geometry })
  }
  for (const feature of getLayerFeatures('places')) {
    const { kind, name, population } = feature.properties
    if (kind !== 'locality' || typeof name !== 'string') continue
    const [point] = feature.loadGeometry().flat()
    // Names of a tile's neighbours reach into it.
    if (!point || point.x < 0 || point.y < 0 || point.x >= feature.extent || point.y >= feature.extent)
      continue
    const { geometry } = feature.toGeoJSON(x, y, z)
    if (geometry.type !== 'Point') continue
    const [lon = 0, lat = 0] = geometry.coordinates
    const latin = feature.properties['name:en']
    ground.towns.push({
      ...{ name: typeof latin === 'string' ? latin : name, lon, lat },
      population: Number(population ?? 0),
    })
  }
}

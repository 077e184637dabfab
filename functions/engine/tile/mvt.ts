import { PbfWriter } from 'pbf'

/** Width and height of a tile in its own units. */
export const extent = 4096

export type TilePoint = [x: number, y: number]

/**
 * A feature in a tile's units: a point, lines, or rings of polygons (each outer one clockwise on the screen, followed by
 * its holes the other way round).
 */
export interface TileFeature {
  id?: number
  type: 'point' | 'line' | 'polygon'
  geometry: TilePoint[] | TilePoint[][]
  properties: Record<string, string | number | boolean>
}

type Value = TileFeature['properties'][string]

/** Of a layer its keys or values, each written once: features name them by their place. */
class Words<Word> {
  readonly all: Word[] = []
  private readonly places = new Map<Word, number>()

  assignIndex(word: Word): number {
    const index = this.places.get(word)
    if (index !== undefined) return index
    const place = this.all.length
    this.places.set(word, place)
    this.all.push(word)
    return place
  }
}

interface Layer {
  name: string
  features: TileFeature[]
}

interface EncodedFeature {
  feature: TileFeature
  keys: Words<string>
  values: Words<Value>
}

const types = { point: 1, line: 2, polygon: 3 } as const
/** A buffer reused for all tiles: one that grows from nothing is garbage each time it doubles. */
const room = new Uint8Array(65_536)
const [moveTo, lineTo, closePath] = [1, 2, 7]

/**
 * Encodes layers as a Mapbox Vector Tile (specification 2.1, with its field numbers); null without any feature. Empty
 * layers are left out.
 */
export function encodeTile(layers: Record<string, TileFeature[]>): Uint8Array | null {
  const layersWithFeatures = Object.entries(layers).filter(([, features]) => features.length > 0)
  if (layersWithFeatures.length === 0) return null
  const out = new PbfWriter(room)
  for (const [name, features] of layersWithFeatures) out.writeMessage(3, writeLayer, { name, features })
  // A larger tile has a buffer of its own.
  return out.finish().slice()
}

function writeLayer({ name, features }: Layer, out: PbfWriter): void {
  out.writeVarintField(15, 2)
  out.writeStringField(1, name)
  out.writeVarintField(5, extent)
  const [keys, values] = [new Words<string>(), new Words<Value>()]
  for (const feature of features) out.writeMessage(2, writeFeature, { feature, keys, values })
  for (const key of keys.all) out.writeStringField(3, key)
  for (const value of values.all) out.writeMessage(4, writeValue, value)
}

function writeFeature(values: EncodedFeature, out: PbfWriter): void {
  const { id, type } = values.feature
  if (id !== undefined && Number.isSafeInteger(id)) out.writeVarintField(1, id)
  out.writeMessage(2, writeTags, values)
  out.writeVarintField(3, types[type])
  out.writeMessage(4, writeGeometry, values.feature)
}

function writeTags({ feature: { properties }, keys, values }: EncodedFeature, out: PbfWriter): void {
  for (const key in properties) {
    out.writeVarint(keys.assignIndex(key))
    out.writeVarint(values.assignIndex(properties[key] as Value))
  }
}

function writeValue(value: Value, out: PbfWriter): void {
  if (typeof value === 'string') out.writeStringField(1, value)
  else if (typeof value === 'boolean') out.writeBooleanField(7, value)
  else if (!Number.isSafeInteger(value)) out.writeDoubleField(3, value)
  else if (value < 0) out.writeSVarintField(6, value)
  else out.writeVarintField(5, value)
}

/** Commands and relative steps. Each line, and each ring without its last point, starts a new path. */
function writeGeometry({ type, geometry }: TileFeature, out: PbfWriter): void {
  const parts = type === 'point' ? [geometry as TilePoint[]] : (geometry as TilePoint[][])
  let [x, y] = [0, 0]
  for (const points of parts) {
    const length = points.length - (type === 'polygon' && isClosed(points) ? 1 : 0)
    out.writeVarint(command(moveTo, type === 'point' ? length : 1))
    for (let i = 0; i < length; i++) {
      if (i === 1 && type !== 'point') out.writeVarint(command(lineTo, length - 1))
      const [toX, toY] = points[i] as TilePoint
      out.writeSVarint(toX - x)
      out.writeSVarint(toY - y)
      ;[x, y] = [toX, toY]
    }
    if (type === 'polygon') out.writeVarint(command(closePath, 1))
  }
}

const command = (what: number, times: number) => (times << 3) | what

function isClosed(points: TilePoint[]): boolean {
  const [first, last] = [points[0], points.at(-1)]
  return points.length > 1 && first?.[0] === last?.[0] && first?.[1] === last?.[1]
}

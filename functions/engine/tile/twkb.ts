import type { PlainRing } from '#functions/engine/region/border-net.ts'

/** A geometry as lists of [longitude, latitude]: points, lines, or polygons as lists of rings. */
export type Shape =
  | { type: 'point'; points: Position[] }
  | { type: 'line'; lines: Position[][] }
  | { type: 'polygon'; polygons: Position[][][] }

export type Position = [longitude: number, latitude: number]

/** Parses the header of a Tiny WKB and returns readers for the rest. */
function open(bytes: Uint8Array) {
  let at = 0
  const byte = () => bytes[at++] ?? 0
  const unsigned = () => {
    let [value, scale] = [0, 1]
    for (;;) {
      const next = byte()
      value += (next & 127) * scale
      if (next < 128) return value
      scale *= 128
    }
  }
  const unzigzag = (n: number) => (n % 2 === 0 ? n / 2 : -(n + 1) / 2)
  const readSigned = () => unzigzag(unsigned())
  const head = byte()
  const flags = byte()
  const [hasBox, hasSize, hasIds, isExtended, isEmpty] = [1, 2, 4, 8, 16].map((flag) => (flags & flag) !== 0)
  if (isExtended) throw new Error('Only flat geometries are drawn.')
  if (hasSize) unsigned()
  if (hasBox && !isEmpty) for (let i = 0; i < 4; i++) readSigned()
  /** The number of members in a collection; their ids are skipped. */
  const members = () => {
    const count = unsigned()
    if (hasIds) for (let i = 0; i < count; i++) readSigned()
    return count
  }
  return { kind: head & 15, scale: 10 ** unzigzag(head >> 4), isEmpty, unsigned, readSigned, members }
}

/**
 * Reads a flat geometry from Tiny WKB (https://github.com/TWKB/Specification), PostGIS's shortest form: varints of the
 * differences from one position to the next. Throws for anything but (multi)points, lines and polygons.
 */
export function readTwkb(bytes: Uint8Array): Shape | null {
  const { kind, scale, isEmpty, unsigned, readSigned, members } = open(bytes)
  if (isEmpty) return null
  let [x, y] = [0, 0]
  const position = (): Position => {
    x += readSigned()
    y += readSigned()
    return [x / scale, y / scale]
  }
  const readList = <T>(read: () => T): T[] => Array.from({ length: unsigned() }, read)
  const positions = () => readList(position)
  const rings = () => readList(positions)
  const multi = <T>(read: () => T): T[] => Array.from({ length: members() }, read)
  if (kind === 1) return { type: 'point', points: [position()] }
  if (kind === 2) return { type: 'line', lines: [positions()] }
  if (kind === 3) return { type: 'polygon', polygons: [rings()] }
  if (kind === 4) return { type: 'point', points: multi(position) }
  if (kind === 5) return { type: 'line', lines: multi(positions) }
  if (kind === 6) return { type: 'polygon', polygons: multi(rings) }
  throw new Error(`Not a shape that is drawn: TWKB type ${kind}.`)
}

/**
 * Reads the rings of a polygon or multipolygon from Tiny WKB into typed arrays, one after the other. Throws for anything
 * else.
 */
export function* readRings(bytes: Uint8Array): Generator<PlainRing> {
  const { kind, scale, isEmpty, unsigned, readSigned, members } = open(bytes)
  if (kind !== 3 && kind !== 6) throw new Error(`Not an area: TWKB type ${kind}.`)
  if (isEmpty) return
  let [x, y] = [0, 0]
  for (let polygons = kind === 3 ? 1 : members(); polygons > 0; polygons--) {
    const rings = unsigned()
    for (let ring = 0; ring < rings; ring++) {
      const at = new Float64Array(2 * unsigned())
      for (let i = 0; i < at.length; i += 2) {
        x += readSigned()
        y += readSigned()
        at[i] = x / scale
        at[i + 1] = y / scale
      }
      yield { isHole: ring > 0, at }
    }
  }
}

/** The bytes of a text of base64: so the database sends them. */
export function decodeBase64(base64: string): Uint8Array {
  // Postgres breaks base64 into lines.
  const text = atob(base64.replaceAll('\n', ''))
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

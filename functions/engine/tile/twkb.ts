/** A geometry as lists of [longitude, latitude]: points, lines, or polygons as lists of rings. */
export type Shape =
  | { type: 'point'; points: Position[] }
  | { type: 'line'; lines: Position[][] }
  | { type: 'polygon'; polygons: Position[][][] }

export type Position = [longitude: number, latitude: number]

/**
 * Reads a flat geometry from Tiny WKB (https://github.com/TWKB/Specification), PostGIS's shortest form: varints of the
 * differences from one position to the next. Throws for anything but (multi)points, lines and polygons.
 */
export function readTwkb(bytes: Uint8Array): Shape | null {
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
  const signed = () => unzigzag(unsigned())
  const head = byte()
  const kind = head & 15
  const scale = 10 ** unzigzag(head >> 4)
  const flags = byte()
  const [hasBox, hasSize, hasIds, isExtended, isEmpty] = [1, 2, 4, 8, 16].map((flag) => (flags & flag) !== 0)
  if (isExtended) throw new Error('Only flat geometries are drawn.')
  if (hasSize) unsigned()
  if (isEmpty) return null
  if (hasBox) for (let i = 0; i < 4; i++) signed()
  let [x, y] = [0, 0]
  const position = (): Position => {
    x += signed()
    y += signed()
    return [x / scale, y / scale]
  }
  const many = <T>(read: () => T): T[] => Array.from({ length: unsigned() }, read)
  const positions = () => many(position)
  const rings = () => many(positions)
  const multi = <T>(read: () => T): T[] => {
    const count = unsigned()
    if (hasIds) for (let i = 0; i < count; i++) signed()
    return Array.from({ length: count }, read)
  }
  if (kind === 1) return { type: 'point', points: [position()] }
  if (kind === 2) return { type: 'line', lines: [positions()] }
  if (kind === 3) return { type: 'polygon', polygons: [rings()] }
  if (kind === 4) return { type: 'point', points: multi(position) }
  if (kind === 5) return { type: 'line', lines: multi(positions) }
  if (kind === 6) return { type: 'polygon', polygons: multi(rings) }
  throw new Error(`Not a shape that is drawn: TWKB type ${kind}.`)
}

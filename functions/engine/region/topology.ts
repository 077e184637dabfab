import type { Feature, Geometry } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, GeometryObject, Topology } from 'topojson-specification'
import { UnreadableError } from '../import/row.ts'
import { geometryFault } from '../import/parse/geometry.ts'

/** Whether a JSON text declares itself a topology. */
export function isTopology(bytes: Uint8Array): boolean {
  const ends = [bytes.subarray(0, 4096), bytes.subarray(-4096)]
  return ends.some((part) => /"type"\s*:\s*"Topology"/.test(new TextDecoder('latin1').decode(part)))
}

/** The levels of a topology around the positions of its borders: itself, its arcs, the arc. */
const levelsOfBorders = 3
const [quote, backslash, openList, closeList, openObject, closeObject] = [34, 92, 91, 93, 123, 125]

/** The vertices of all borders of a topology, each border once, counted by the brackets of its text. */
export function countBorderVertices(bytes: Uint8Array): number {
  let count = 0
  let depth = 0
  let isInArcs = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === quote) {
      for (i += 1; i < bytes.length && bytes[i] !== quote; i++) if (bytes[i] === backslash) i += 1
    } else if (byte === openList || byte === openObject) {
      // The arcs are a list, the objects are none.
      if (depth === 1) isInArcs = byte === openList
      if (isInArcs && depth === levelsOfBorders) count += 1
      depth += 1
    } else if (byte === closeList || byte === closeObject) depth -= 1
  }
  return count
}

/** Reads the geometries of all objects of a topology, in order, as features. Throws `UnreadableError` for anything else. */
export function* readTopology(
  bytes: Uint8Array,
): Generator<{ number: number; feature: Feature<Geometry | null> }> {
  const topology = parseTopology(bytes)
  let number = 0
  for (const object of Object.values(topology.objects)) {
    const shapes = (
      object.type === 'GeometryCollection' ? (object as GeometryCollection).geometries : [object]
    ) as GeometryObject[]
    for (const shape of shapes) {
      number += 1
      yield { number, feature: toFeature(topology, shape, number) }
    }
  }
}

function toFeature(topology: Topology, shape: GeometryObject, number: number): Feature<Geometry | null> {
  try {
    // Within a list a collection stays a geometry, and does not become a list of features itself.
    const list: GeometryCollection = { type: 'GeometryCollection', geometries: [shape] }
    const { id, ...area } = feature(topology, list).features[0] as Feature<Geometry | null>
    // Atlases store the code of a region as its id.
    const properties = { ...(id === undefined ? {} : { id }), ...area.properties }
    const fault = area.geometry === null ? null : geometryFault(area.geometry, true)
    if (fault) throw new UnreadableError(`Geometry ${number}: ${fault}`)
    return { ...area, properties }
  } catch (error) {
    if (error instanceof UnreadableError) throw error
    throw new UnreadableError(`Geometry ${number} of the topology names borders that are not in it.`)
  }
}

function parseTopology(bytes: Uint8Array): Topology {
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Topology> | null
    if (value?.type === 'Topology' && Array.isArray(value.arcs) && value.objects) return value as Topology
  } catch {
    throw new UnreadableError('The topology is not JSON, or breaks off.')
  }
  throw new UnreadableError('The topology has no arcs or no objects.')
}

import type { GeometryType } from '../field.ts'

/** Messages about the structure of coordinates, in the wording of the GeoJSON lint that clients compare with. */
export const positionMessages = {
  notAList: (kind: string) => `position should be an array, is a ${kind} instead`,
  short: 'position must have 2 or more elements',
  long: 'position should not have more than 3 elements',
  notNumbers: 'each element in a position must be a number',
  shortLine: 'a line needs to have two or more coordinates to be valid',
  shortRing: 'a LinearRing of coordinates needs to have four or more positions',
  openRing: 'the first and last positions in a LinearRing of coordinates must be the same',
  shallow:
    'a number was found where a coordinate array should have been found: this needs to be nested more deeply',
} as const

type Reader = (coordinates: unknown) => string | null

const readers: Record<GeometryType, Reader> = {
  point: positionFault,
  line: lineFault,
  multiline: createListReader(lineFault),
  polygon: createListReader(ringFault),
  multipolygon: createListReader(createListReader(ringFault)),
}

/** The first problem in the nesting and closing of a geometry's positions; null if there is none. */
export function positionsFault(coordinates: unknown, type: GeometryType): string | null {
  return readers[type](coordinates)
}

function positionFault(position: unknown): string | null {
  if (!Array.isArray(position)) return positionMessages.notAList(typeof position)
  if (position.length < 2) return positionMessages.short
  if (position.length > 3) return positionMessages.long
  return position.every((part) => Number.isFinite(part)) ? null : positionMessages.notNumbers
}

function lineFault(line: unknown): string | null {
  if (!Array.isArray(line)) return positionMessages.shallow
  return line.length < 2 ? positionMessages.shortLine : findFirstFault(line, positionFault)
}

function ringFault(ring: unknown): string | null {
  if (!Array.isArray(ring)) return positionMessages.shallow
  const first: unknown = ring[0]
  const last: unknown = ring.at(-1)
  if (!Array.isArray(last)) return positionMessages.shallow
  if (ring.length < 4) return positionMessages.shortRing
  const isClosed =
    Array.isArray(first) && first.length === last.length && last.every((part, index) => first[index] === part)
  return isClosed ? findFirstFault(ring, positionFault) : positionMessages.openRing
}

function createListReader(reader: Reader): Reader {
  return (list) => (Array.isArray(list) ? findFirstFault(list, reader) : positionMessages.shallow)
}

function findFirstFault(list: unknown[], reader: Reader): string | null {
  for (const item of list) {
    const fault = reader(item)
    if (fault !== null) return fault
  }
  return null
}

import { getOwnProperty } from '#functions/shapes/fields/plain.ts'
import { type FileColumn, type FileRow } from './file.ts'
import type { Geometry } from '#functions/shapes/fields/geometry.ts'

/** Positions of a line or ring. */
export type Positions = number[][]

/** The label of a row on a map: its field `name` or `title`, otherwise its first text; null when it has none. */
export function placeName({ data }: FileRow, columns: FileColumn[]): string | null {
  const texts = columns.filter(({ type }) => type === 'text')
  const nameField = texts.find(({ key }) => /^(name|title)$/i.test(key)) ?? texts[0]
  const name = nameField && getOwnProperty(data, nameField.key)
  return typeof name === 'string' && name !== '' ? name : null
}

/** The lines of a geometry, or the rings of areas; empty for a point. */
export function toLines(geometry: Geometry): Positions[] {
  if (geometry.type === 'Point') return []
  if (geometry.type === 'LineString') return [geometry.coordinates]
  if (geometry.type === 'MultiPolygon') return geometry.coordinates.flat()
  return geometry.coordinates
}

/** The box around a geometry: west, south, east, north. Across the antimeridian it is the wide one. */
export function computeBox(geometry: Geometry): [number, number, number, number] {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  const lines = geometry.type === 'Point' ? [[geometry.coordinates]] : toLines(geometry)
  for (const line of lines) {
    for (const [x = NaN, y = NaN] of line) {
      box[0] = Math.min(box[0], x)
      box[1] = Math.min(box[1], y)
      box[2] = Math.max(box[2], x)
      box[3] = Math.max(box[3], y)
    }
  }
  return box
}

/** Twice the signed area of a ring in square degrees; negative for clockwise. */
export function computeDoubleArea(ring: Positions): number {
  let sum = 0
  for (let i = 1; i < ring.length; i++) {
    const [x1 = 0, y1 = 0] = ring[i - 1] ?? []
    const [x2 = 0, y2 = 0] = ring[i] ?? []
    sum += (x1 - (ring[0]?.[0] ?? 0)) * (y2 - y1) - (y1 - (ring[0]?.[1] ?? 0)) * (x2 - x1)
  }
  return sum
}

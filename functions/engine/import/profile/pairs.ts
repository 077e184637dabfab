import { isNoValue } from '../map/reading.ts'
import { readNumber } from '../map/numbers.ts'

/** Two columns that may be longitude and latitude, and the counts of their rows. */
export interface PairCounts {
  latitude: string
  longitude: string
  /** Rows that have both numbers. */
  both: number
  /** Of them: good points. */
  good: number
  /** Of them at 0, 0, which means unknown. */
  zero: number
  /** Of them: a latitude beyond 90 where the other way round it would be a point. */
  swapped: number
}

const latitude = /^(?:lat|latitude|y|y ?coord(?:inate)?|geo ?lat|point ?y)$/
const longitude = /^(?:lon|lng|long|longitude|x|x ?coord(?:inate)?|geo ?lon|point ?x)$/
const normalizeName = (name: string) =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

/** The first two members of a map with names of latitude and longitude; null if there are none. */
export function pairIn(keys: Iterable<string>): { latitude: string; longitude: string } | null {
  const all = [...keys]
  const match = {
    latitude: all.find((key) => latitude.test(normalizeName(key))),
    longitude: all.find((key) => longitude.test(normalizeName(key))),
  }
  return match.latitude !== undefined && match.longitude !== undefined
    ? { latitude: match.latitude, longitude: match.longitude }
    : null
}

/** Counts one row. */
export function countPair(counts: PairCounts, lat: unknown, lon: unknown): void {
  const [y, x] = [toNumber(lat), toNumber(lon)]
  if (y === null || x === null) return
  counts.both += 1
  if (x === 0 && y === 0) counts.zero += 1
  else if (Math.abs(y) <= 90 && Math.abs(x) <= 180) counts.good += 1
  else if (Math.abs(y) <= 180 && Math.abs(x) <= 90) counts.swapped += 1
}

function toNumber(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (text === '' || isNoValue(text)) return null
  const withPoint = readNumber(text)
  const number = typeof withPoint === 'number' ? withPoint : readNumber(text, { decimal: ',' })
  return typeof number === 'number' ? number : null
}

import type { Bounds } from './map-data.ts'

/** What of a map an address says: where it looks, and which thing is chosen. */
interface MapState {
  bounds?: Bounds
  selected?: string
}

/** The part of an address behind `#` that says a map's state, with four decimals of a degree (about 10 m). */
export function mapHash({ bounds, selected }: MapState): string {
  const params = new URLSearchParams()
  if (bounds) params.set('bbox', bounds.map((degrees) => Number(degrees.toFixed(4))).join(','))
  if (selected !== undefined) params.set('sel', selected)
  const text = params.toString().replaceAll('%2C', ',')
  return text === '' ? '' : `#${text}`
}

/** The state that the part behind `#` says; null when it says none. What is no box on the earth is left out. */
export function mapState(hash: string): MapState | null {
  const params = new URLSearchParams(hash.replace(/^#/, ''))
  const selected = params.get('sel')
  const bounds = boundsIn(params.get('bbox'))
  if (!bounds && !selected) return null
  return { ...(bounds ? { bounds } : {}), ...(selected ? { selected } : {}) }
}

function boundsIn(text: string | null): Bounds | null {
  const numbers = (text ?? '').split(',').map((part) => (part.trim() === '' ? NaN : Number(part)))
  const [west = NaN, south = NaN, east = NaN, north = NaN] = numbers
  const isBox = numbers.length === 4 && west < east && south < north
  return isBox && west >= -360 && east <= 360 && south >= -90 && north <= 90
    ? [west, south, east, north]
    : null
}

/** Whether a box and a point, or a box and a box, have something in common. */
export function isWithin([west, south, east, north]: Bounds, thing: [number, number] | Bounds): boolean {
  const [left, bottom, right = left, top = bottom] = thing
  return left <= east && right >= west && bottom <= north && top >= south
}

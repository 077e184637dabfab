import type { Bounds } from './map-data.ts'

/** What of a map an address says: where it looks, which thing is chosen, which switches are on, and which classes of its legend are off. */
interface MapState {
  bounds?: Bounds
  selected?: string
  /** The keys of the switches that are on; without it they are as the page has them. */
  layers?: string[]
  /** Places of classes, the least first; the one behind them is "no data". */
  off?: number[]
  /** The first and the last period that is shown, by their ISO names. */
  time?: [from: string, to: string]
}

const keys = ['bbox', 'sel', 'layers', 'off', 'time']

/**
 * The part of an address behind `#` that says a map's state, with four decimals of a degree (about 10 m). What else stood there `before`, as the state of a
 * figure does in its frame, stays.
 */
export function mapHash({ bounds, selected, layers, off, time }: MapState, before = ''): string {
  const params = new URLSearchParams(before.replace(/^#/, ''))
  // The name of a part of the page is no state.
  for (const [key, value] of [...params]) if (value === '' || keys.includes(key)) params.delete(key)
  if (bounds) params.set('bbox', bounds.map((degrees) => Number(degrees.toFixed(4))).join(','))
  if (selected !== undefined) params.set('sel', selected)
  if (layers) params.set('layers', layers.join(','))
  if (off && off.length > 0) params.set('off', [...off].sort((a, b) => a - b).join(','))
  if (time) params.set('time', time.join('..'))
  // A comma within a key or a list of them needs no escape.
  const text = params.toString().replaceAll('%2C', ',')
  return text === '' ? '' : `#${text}`
}

/** The state that the part behind `#` says; null when it says none. What is no box on the earth is left out. */
export function mapState(hash: string): MapState | null {
  const params = new URLSearchParams(hash.replace(/^#/, ''))
  const selected = params.get('sel')
  const bounds = boundsIn(params.get('bbox'))
  const layers = params.get('layers')?.split(',').filter(Boolean)
  const off = placesIn(params.get('off'))
  const time = timeIn(params.get('time'))
  if (!bounds && !selected && !layers && off.length === 0 && !time) return null
  return {
    ...(bounds ? { bounds } : {}),
    ...(selected ? { selected } : {}),
    ...(layers ? { layers } : {}),
    ...(off.length > 0 ? { off } : {}),
    ...(time ? { time } : {}),
  }
}

function timeIn(text: string | null): [string, string] | null {
  const [, from, to] = /^(\d{4}(?:-\d\d){0,2})\.\.(\d{4}(?:-\d\d){0,2})$/.exec(text ?? '') ?? []
  return from !== undefined && to !== undefined && from <= to ? [from, to] : null
}

/** A legend has this many signs at most. */
const mostSigns = 8

function placesIn(text: string | null): number[] {
  const places = (text ?? '').split(',').filter((part) => /^\d$/.test(part))
  return [...new Set(places.map(Number))].filter((place) => place < mostSigns)
}

function boundsIn(text: string | null): Bounds | null {
  const numbers = (text ?? '').split(',').map((part) => (part.trim() === '' ? NaN : Number(part)))
  const [west = NaN, south = NaN, east = NaN, north = NaN] = numbers
  const isBox = numbers.length === 4 && west < east && south < north
  return isBox && west >= -360 && east <= 360 && south >= -90 && north <= 90
    ? [west, south, east, north]
    : null
}

import type { Bounds } from './map-data.ts'

/** The state of a map in the URL: view, selection, switches, and disabled classes. */
export interface MapState {
  bounds?: Bounds
  selected?: string
  /** The keys of the enabled switches; absent for the defaults. */
  layers?: string[]
  /** Indexes of disabled classes in ascending order; the one after the last is "no data". */
  off?: number[]
  /** The first and last shown period, by ISO name. */
  time?: [from: string, to: string]
}

const keys = ['bbox', 'sel', 'layers', 'off', 'time']

/**
 * The fragment for a map's state, with four decimals of a degree (about 10 m). Other parts of the previous fragment, such as the state
 * of a figure in its embed, are kept.
 */
export function mapHash({ bounds, selected, layers, off, time }: MapState, before = ''): string {
  const params = new URLSearchParams(before.replace(/^#/, ''))
  // A plain fragment is no state.
  for (const [key, value] of [...params]) if (value === '' || keys.includes(key)) params.delete(key)
  if (bounds) params.set('bbox', bounds.map((degrees) => Number(degrees.toFixed(4))).join(','))
  if (selected !== undefined) params.set('sel', selected)
  if (layers) params.set('layers', layers.join(','))
  if (off && off.length > 0) params.set('off', [...off].sort((a, b) => a - b).join(','))
  if (time) params.set('time', time.join('..'))
  // Commas need no escape here.
  const text = params.toString().replaceAll('%2C', ',')
  return text === '' ? '' : `#${text}`
}

/** Parses the state in a fragment; null if there is none. Invalid boxes are dropped. */
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

/** Maximum number of legend entries. */
const maxSigns = 8

function placesIn(text: string | null): number[] {
  const places = (text ?? '').split(',').filter((part) => /^\d$/.test(part))
  return [...new Set(places.map(Number))].filter((place) => place < maxSigns)
}

function boundsIn(text: string | null): Bounds | null {
  const numbers = (text ?? '').split(',').map((part) => (part.trim() === '' ? NaN : Number(part)))
  const [west = NaN, south = NaN, east = NaN, north = NaN] = numbers
  const isBox = numbers.length === 4 && west < east && south < north
  return isBox && west >= -360 && east <= 360 && south >= -90 && north <= 90
    ? [west, south, east, north]
    : null
}

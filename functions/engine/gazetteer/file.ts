import { placeKey } from './name-key.ts'

/** The kinds of places in the gazetteer. */
export const placeKinds = ['town', 'region', 'country', 'postalCode'] as const
export type PlaceKind = (typeof placeKinds)[number]

/** A place in the gazetteer. */
export interface NamedPlace {
  kind: PlaceKind
  names: string[]
  /** Indices into the lists of countries and of regions; -1: none. */
  country: number
  region: number
  population: number
  lon: number
  lat: number
}

interface Head {
  attribution: string
  /** ISO 3166-1 codes and display names. */
  countries: { code: string; name: string }[]
  regions: { code: string; name: string; country: number }[]
  places: number
  keys: number
  links: number
  /** Bytes of all keys together. */
  text: number
}

/** A gazetteer in memory: typed arrays and one text of all keys, so that reading it creates no objects. */
export interface Gazetteer {
  head: Head
  kind: Uint8Array
  country: Int16Array
  region: Int16Array
  population: Uint32Array
  /** Degrees × 100,000. */
  lon: Int32Array
  lat: Int32Array
  /** The offset in `text` and the first link of key `i`; with one entry more than there are keys. */
  keyStart: Uint32Array
  keyLinks: Uint32Array
  /** Places, key by key. */
  links: Uint32Array
  text: Uint8Array
}

const scale = 100_000

/** The sections of the file after its header, in order: each is aligned to its element size. */
const getSections = (head: Head) =>
  [
    ['population', Uint32Array, head.places],
    ['lon', Int32Array, head.places],
    ['lat', Int32Array, head.places],
    ['keyStart', Uint32Array, head.keys + 1],
    ['keyLinks', Uint32Array, head.keys + 1],
    ['links', Uint32Array, head.links],
    ['country', Int16Array, head.places],
    ['region', Int16Array, head.places],
    ['kind', Uint8Array, head.places],
    ['text', Uint8Array, head.text],
  ] as const

/** Serialises a gazetteer of places. Deterministic for the same places in the same order. */
export function gazetteerBytes(
  places: readonly NamedPlace[],
  about: Pick<Head, 'attribution' | 'countries' | 'regions'>,
): Uint8Array<ArrayBuffer> {
  const byKey = new Map<string, Set<number>>()
  places.forEach(({ names }, i) => {
    for (const key of new Set(names.map(placeKey))) {
      if (key === '') continue
      const entry = byKey.get(key)
      if (entry) entry.add(i)
      else byKey.set(key, new Set([i]))
    }
  })
  const encoder = new TextEncoder()
  const keys = [...byKey].map(([key, links]) => ({ bytes: encoder.encode(key), links: [...links] }))
  keys.sort((a, b) => compareBytes(a.bytes, b.bytes))
  const head: Head = {
    ...about,
    places: places.length,
    keys: keys.length,
    links: keys.reduce((sum, { links }) => sum + links.length, 0),
    text: keys.reduce((sum, { bytes }) => sum + bytes.length, 0),
  }
  const headBytes = encoder.encode(JSON.stringify(head))
  const start = 4 * Math.ceil((4 + headBytes.length) / 4)
  const size = getSections(head).reduce((sum, [, Kind, count]) => sum + Kind.BYTES_PER_ELEMENT * count, start)
  const buffer = new Uint8Array(size)
  new DataView(buffer.buffer).setUint32(0, headBytes.length, true)
  buffer.set(headBytes, 4)
  const into = openGazetteer(buffer)
  places.forEach((place, i) => {
    into.kind[i] = placeKinds.indexOf(place.kind)
    into.country[i] = place.country
    into.region[i] = place.region
    into.population[i] = place.population
    into.lon[i] = Math.round(place.lon * scale)
    into.lat[i] = Math.round(place.lat * scale)
  })
  let [text, link] = [0, 0]
  keys.forEach(({ bytes, links }, i) => {
    into.keyStart[i] = text
    into.keyLinks[i] = link
    into.text.set(bytes, text)
    into.links.set(links, link)
    text += bytes.length
    link += links.length
  })
  into.keyStart[keys.length] = text
  into.keyLinks[keys.length] = link
  return buffer
}

/** Opens a gazetteer as views of its bytes, without copying. Throws for invalid bytes. */
export function openGazetteer(bytes: Uint8Array<ArrayBuffer>): Gazetteer {
  const { buffer, byteOffset } = bytes
  const length = new DataView(buffer, byteOffset).getUint32(0, true)
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as Head
  let at = byteOffset + 4 * Math.ceil((4 + length) / 4)
  const parts = getSections(head).map(([name, Kind, count]) => {
    const part = new Kind(buffer, at, count)
    at += part.byteLength
    return [name, part] as const
  })
  return { head, ...(Object.fromEntries(parts) as Omit<Gazetteer, 'head'>) }
}

/** The numbers of the places with a name; empty for an unknown one. */
export function placesNamed(gazetteer: Gazetteer, name: string): Uint32Array {
  const { keyStart, keyLinks, links, text, head } = gazetteer
  const key = new TextEncoder().encode(placeKey(name))
  let [low, high] = [0, head.keys]
  while (low < high) {
    const middle = (low + high) >> 1
    const order = compareBytes(text.subarray(keyStart[middle], keyStart[middle + 1]), key)
    if (order === 0) return links.subarray(keyLinks[middle], keyLinks[middle + 1])
    if (order < 0) low = middle + 1
    else high = middle
  }
  return links.subarray(0, 0)
}

/** Longitude and latitude of a place. */
export function pointOfPlace({ lon, lat }: Gazetteer, place: number): [number, number] {
  return [(lon[place] ?? 0) / scale, (lat[place] ?? 0) / scale]
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = (a[i] as number) - (b[i] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

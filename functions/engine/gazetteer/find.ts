import { placeKinds, placesNamed, pointOfPlace, type Gazetteer, type PlaceKind } from './file.ts'

export { placeKinds, type PlaceKind } from './file.ts'

/** A place query. Null and undefined do not restrict it. */
interface PlaceQuestion {
  kind: PlaceKind
  /** The name or code of the first-level region that contains the place. */
  region?: string | null | undefined
  /** The name or code of the country that contains the place. */
  country?: string | null | undefined
  /** Take the most populous of several matches; otherwise several are ambiguous. */
  isLargest?: boolean
}

/**
 * The result for a name: one point, or a sentence that says why there is none. `kind`: whether there were too many
 * matches or none.
 */
export type PlaceAnswer = { point: [number, number] } | { kind: 'ambiguous' | 'unknown'; message: string }

/** Candidates that a sentence names. */
const maxNamed = 4
const kindWords: Record<PlaceKind, string> = {
  town: 'town',
  region: 'region',
  country: 'country',
  postalCode: 'postal code',
}

/**
 * Returns a function from a name to the point of its place. Names are compared without case and accents. Several places
 * of a name are ambiguous and never chosen silently; two at the same point count as one.
 */
export function placeFinder(gazetteer: Gazetteer): (name: string, question: PlaceQuestion) => PlaceAnswer {
  return (name, question) => {
    const noun = kindWords[question.kind]
    const country = narrow(gazetteer, 'country', question.country)
    if (country?.size === 0) return createUnknownAnswer(`“${question.country}” is no country that is known.`)
    const region = narrow(gazetteer, 'region', question.region, country)
    if (region?.size === 0) return createUnknownAnswer(`“${question.region}” is no region that is known.`)
    const kind = placeKinds.indexOf(question.kind)
    const matches = [...placesNamed(gazetteer, toLookupName(question.kind, name))].filter(
      (place) =>
        gazetteer.kind[place] === kind &&
        (!country || country.has(gazetteer.country[place] as number)) &&
        (!region || region.has(gazetteer.region[place] as number)),
    )
    if (matches.length === 0) {
      const where = region ? ` in “${question.region}”` : country ? ` in “${question.country}”` : ''
      return createUnknownAnswer(`No ${noun} “${name}”${where} is known.`)
    }
    matches.sort((a, b) => (gazetteer.population[b] as number) - (gazetteer.population[a] as number))
    const [first = 0, second] = matches
    const isOne =
      matches.every((place) => isSamePoint(gazetteer, place, first)) ||
      (question.isLargest === true &&
        second !== undefined &&
        (gazetteer.population[first] as number) > (gazetteer.population[second] as number))
    if (isOne) return { point: pointOfPlace(gazetteer, first) }
    const descriptions = matches.slice(0, maxNamed).map((place) => describePlace(gazetteer, place))
    const others = matches.length > maxNamed ? `; and ${matches.length - maxNamed} more` : ''
    return {
      kind: 'ambiguous',
      message: `“${name}” is the name of ${matches.length} places: ${descriptions.join('; ')}${others}.`,
    }
  }
}

const createUnknownAnswer = (message: string): PlaceAnswer => ({ kind: 'unknown', message })

/** A postal code of the United States with its last four digits is that of its first five; spreadsheets drop a zero in front. */
function toLookupName(kind: PlaceKind, name: string): string {
  if (kind !== 'postalCode') return name
  const [, five] = /^(\d{3,5})(?:-\d{4})?$/.exec(name.trim()) ?? []
  return five === undefined ? name : five.padStart(5, '0')
}

const isSamePoint = ({ lon, lat }: Gazetteer, a: number, b: number) => lon[a] === lon[b] && lat[a] === lat[b]

/** The numbers of countries or regions that match a text; null without a text. Regions only within the given countries. */
function narrow(
  gazetteer: Gazetteer,
  kind: 'country' | 'region',
  text: string | null | undefined,
  within?: Set<number> | null,
): Set<number> | null {
  if (text === null || text === undefined || text.trim() === '') return null
  const kindIndex = placeKinds.indexOf(kind)
  const matches = [...placesNamed(gazetteer, text)].filter(
    (place) =>
      gazetteer.kind[place] === kindIndex && (!within || within.has(gazetteer.country[place] as number)),
  )
  return new Set(matches.map((place) => gazetteer[kind][place] as number))
}

/** The location and population of a place, which distinguish it from others of its name. */
function describePlace({ head, country, region, population }: Gazetteer, place: number): string {
  const land = head.countries[country[place] as number]?.code
  const part = head.regions[region[place] as number]?.name
  const people = population[place] as number
  const where = [part, land].filter(Boolean).join(', ') || 'somewhere'
  return people > 0 ? `${where} (${people.toLocaleString('en')} people)` : where
}

import type { CodedValue } from '#functions/shapes/field.ts'
import { countryCodes, stateCodes as states } from '#functions/shapes/regionCodes.ts'
import type { RegionSet } from '#functions/shapes/regionSets.ts'

/** How the regions of a set are written: by name, or by one kind of code, whose names are then known. */
export interface RegionWriting {
  set: RegionSet
  /** As a sentence says it: "postal codes of states of the United States". */
  words: string
  /** The name of each code as it is written, null where regions are written by name. */
  names: ReadonlyMap<string, string> | null
  /** What is in it, in lower case. */
  known: ReadonlySet<string>
  /** The words of a header that say it. */
  header: RegExp
  /** A code of two letters or digits is many things: without a word of the header it is none of these. */
  needsHeader: boolean
}

export const stateNumbers: ReadonlySet<string> = new Set(states.map(([, number]) => number))

let writings: readonly RegionWriting[] | undefined

/** All ways of writing regions that are known here. Names of countries are those that the platform has in English. */
export function regionWritings(): readonly RegionWriting[] {
  return (writings ??= makeWritings())
}

function makeWritings(): RegionWriting[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region' })
  const countries = countryCodes().map(([three, two]) => [three, two, names.of(two) ?? two] as const)
  const lower = (texts: Iterable<string>) => new Set([...texts].map((text) => text.toLowerCase()))
  const coded = (pairs: [string, string][]) => ({
    names: new Map(pairs),
    known: lower(pairs.map(([code]) => code)),
  })
  const state = { set: 'us-states', header: /\b(?:state|states|st|statefp|fips)\b/ } as const
  const country = {
    set: 'world-countries',
    header: /\b(?:country|countries|nation|iso|iso ?[23]|land|pays|pais)\b/,
  } as const
  return [
    {
      ...{ ...state, words: 'names of states of the United States', names: null, needsHeader: false },
      known: lower(states.map(([, , name]) => name)),
    },
    {
      ...{ ...state, words: 'postal codes of states of the United States', needsHeader: true },
      ...coded(states.map(([code, , name]) => [code, name])),
    },
    {
      ...{ ...state, words: 'FIPS codes of states of the United States', needsHeader: true },
      ...coded(states.map(([, number, name]) => [number, name])),
    },
    {
      ...{ ...country, words: 'names of countries', names: null, needsHeader: false },
      known: lower(countries.map(([, , name]) => name)),
    },
    {
      ...{ ...country, words: 'ISO codes of countries, of three letters', needsHeader: false },
      ...coded(countries.map(([three, , name]) => [three, name])),
    },
    {
      ...{ ...country, words: 'ISO codes of countries, of two letters', needsHeader: true },
      ...coded(countries.map(([, two, name]) => [two, name])),
    },
  ]
}

/** The codes of a writing with their names, as a field knows them. */
export const namedCodes = ({ names }: RegionWriting): CodedValue[] | undefined =>
  names === null ? undefined : [...names].map(([value, name]) => ({ value, name }))

/** The states and territories by their postal codes, as a field knows them. */
export const stateCodes = (): CodedValue[] => states.map(([value, , name]) => ({ value, name }))

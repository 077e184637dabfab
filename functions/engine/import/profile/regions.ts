import type { CodedValue } from '#functions/shapes/field.ts'
import { countryCodes, stateCodes as states } from '#functions/shapes/region-codes.ts'
import type { RegionSet } from '#functions/shapes/region-sets.ts'

/** A notation of a set's regions: by name, or by one kind of code with known names. */
export interface RegionWriting {
  set: RegionSet
  /** As part of a sentence: "postal codes of states of the United States". */
  words: string
  /** The name of each code, null where regions are written by name. */
  names: ReadonlyMap<string, string> | null
  /** All values, in lower case. */
  knownCodes: ReadonlySet<string>
  /** Matching words of a header. */
  header: RegExp
  /** A code of two letters or digits is ambiguous: the header has to match. */
  needsHeader: boolean
}

export const stateNumbers: ReadonlySet<string> = new Set(states.map(([, number]) => number))

let writings: readonly RegionWriting[] | undefined

/** All known notations of regions. English names of countries come from the platform. */
export function regionWritings(): readonly RegionWriting[] {
  return (writings ??= makeWritings())
}

function makeWritings(): RegionWriting[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region' })
  const countries = countryCodes().map(([three, two]) => [three, two, names.of(two) ?? two] as const)
  const lower = (texts: Iterable<string>) => new Set([...texts].map((text) => text.toLowerCase()))
  const coded = (pairs: [string, string][]) => ({
    names: new Map(pairs),
    knownCodes: lower(pairs.map(([code]) => code)),
  })
  const state = { set: 'us-states', header: /\b(?:state|states|st|statefp|fips)\b/ } as const
  const country = {
    set: 'world-countries',
    header: /\b(?:country|countries|nation|iso|iso ?[23]|land|pays|pais)\b/,
  } as const
  return [
    {
      ...{ ...state, words: 'names of states of the United States', names: null, needsHeader: false },
      knownCodes: lower(states.map(([, , name]) => name)),
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
      knownCodes: lower(countries.map(([, , name]) => name)),
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

/** The codes of a notation with their names, as values of a field. */
export const toCodedValues = ({ names }: RegionWriting): CodedValue[] | undefined =>
  names === null ? undefined : [...names].map(([value, name]) => ({ value, name }))

/** The states and territories by their postal codes, as values of a field. */
export const stateCodes = (): CodedValue[] => states.map(([value, , name]) => ({ value, name }))

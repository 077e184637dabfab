import { countryCodes } from '../map/countries.ts'
import type { CodedValue, RegionSet } from '#functions/shapes/field.ts'

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

/** Postal code, number of FIPS 5-2 and name of the states, of the District of Columbia and of the territories. */
const states = (
  'AL01Alabama AK02Alaska AZ04Arizona AR05Arkansas CA06California CO08Colorado CT09Connecticut DE10Delaware ' +
  'DC11District_of_Columbia FL12Florida GA13Georgia HI15Hawaii ID16Idaho IL17Illinois IN18Indiana IA19Iowa KS20Kansas ' +
  'KY21Kentucky LA22Louisiana ME23Maine MD24Maryland MA25Massachusetts MI26Michigan MN27Minnesota MS28Mississippi ' +
  'MO29Missouri MT30Montana NE31Nebraska NV32Nevada NH33New_Hampshire NJ34New_Jersey NM35New_Mexico NY36New_York ' +
  'NC37North_Carolina ND38North_Dakota OH39Ohio OK40Oklahoma OR41Oregon PA42Pennsylvania RI44Rhode_Island ' +
  'SC45South_Carolina SD46South_Dakota TN47Tennessee TX48Texas UT49Utah VT50Vermont VA51Virginia WA53Washington ' +
  'WV54West_Virginia WI55Wisconsin WY56Wyoming AS60American_Samoa GU66Guam MP69Northern_Mariana_Islands PR72Puerto_Rico ' +
  'VI78U.S._Virgin_Islands'
)
  .split(' ')
  .map((each) => [each.slice(0, 2), each.slice(2, 4), each.slice(4).replaceAll('_', ' ')] as const)

export const stateNumbers: ReadonlySet<string> = new Set(states.map(([, number]) => number))

let made: readonly RegionWriting[] | undefined

/** All ways of writing regions that are known here. Names of countries are those that the platform has in English. */
export function regionWritings(): readonly RegionWriting[] {
  return (made ??= makeWritings())
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

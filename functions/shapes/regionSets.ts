/** Built-in region sets other than the first-level regions of one country, by id. */
export const generalSets = {
  'us-states': 'States of the United States',
  'us-counties': 'Counties of the United States',
  'world-countries': 'Countries of the world',
} as const

/** A built-in region set: a general one, or `regions-` with an alpha-2 code in lower case. */
export type RegionSet = keyof typeof generalSets | `regions-${string}`

const prefix = 'regions-'

/** The id of the set of a country's first-level regions, by alpha-2 code. */
export const regionsOfCountry = (country: string): RegionSet => `${prefix}${country.toLowerCase()}`

/** The alpha-2 code of the country of such a set; null for any other set. */
export function countryOfSet(setId: string): string | null {
  const letters = setId.startsWith(prefix) ? setId.slice(prefix.length) : ''
  if (!/^[a-z]{2}$/.test(letters)) return null
  const country = letters.toUpperCase()
  return countriesWithRegions.includes(country) ? country : null
}

/** Whether a set is built in. */
export const isBuiltInSet = (setId: string): setId is RegionSet =>
  Object.hasOwn(generalSets, setId) || countryOfSet(setId) !== null

/** The name of a built-in set; the id of any other. */
export function nameOfSet(setId: string): string {
  const country = countryOfSet(setId)
  if (country !== null) return `Regions of ${countryName(country)}`
  return Object.hasOwn(generalSets, setId) ? generalSets[setId as keyof typeof generalSets] : setId
}

/** The English name of a country, by alpha-2 code. */
export const countryName = (country: string): string =>
  new Intl.DisplayNames(['en'], { type: 'region' }).of(country) ?? country

/** The ids of all built-in sets, the general ones first. */
export const builtInSets = (): RegionSet[] => [
  ...(Object.keys(generalSets) as (keyof typeof generalSets)[]),
  ...countriesWithRegions.map(regionsOfCountry),
]

/**
 * The countries with more than one known first-level region, by alpha-2 code; `scripts/tiles/regions.test.ts` checks that outlines
 * exist. The United States have sets of their own.
 */
export const countriesWithRegions: readonly string[] = (
  'AE AF AG AL AM AO AR AS AT AU AX AZ BA BD BE BF BG BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL ' +
  'CM CN CO CR CU CY CZ DE DJ DK DZ EC EE EG ER ES ET FI FJ FR GA GB GE GH GL GM GN GQ GR GT GW GY HN ' +
  'HR HT HU ID IE IL IN IQ IR IS IT JO JP KE KG KH KP KR KW KZ LA LB LK LR LS LT LU LV LY MA MG ML MM ' +
  'MN MR MW MX MY MZ NA NC NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PS PT PY QA RO RS RU RW SA SB ' +
  'SD SE SK SL SN SO SR SS SY SZ TD TG TH TJ TL TM TN TR TW TZ UA UG UY UZ VE VN VU WF WS YE ZA ZM ZW'
).split(' ')

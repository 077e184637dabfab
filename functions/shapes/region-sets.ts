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
const countryName = (country: string): string =>
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
  'AD AE AF AG AI AL AM AO AR AS AT AU AX AZ BA BB BD BE BF BG BH BI BJ BM BN BO BR BS BT BW BY BZ ' +
  'CA CD CF CG CH CI CK CL CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR ' +
  'GA GB GD GE GH GL GM GN GQ GR GT GW GY HK HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH ' +
  'KI KM KN KP KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MD ME MG MH MK ML MM MN MP MR MS MT MU ' +
  'MV MW MX MY MZ NA NC NE NG NI NL NO NP NR NZ OM PA PE PF PG PH PK PL PM PS PT PW PY QA RO RS RU ' +
  'RW SA SB SC SD SE SG SH SI SK SL SM SN SO SR SS ST SV SY SZ TC TD TF TG TH TJ TL TM TN TO TR TT ' +
  'TW TZ UA UG UY UZ VC VE VI VN VU WF WS XK YE ZA ZM ZW'
).split(' ')

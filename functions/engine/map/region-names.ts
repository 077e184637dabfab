import type { Feature } from 'geojson'
import { toLocale, locales } from '#functions/shapes/locale.ts'
import { countryCodes, stateCodes } from '#functions/shapes/region-codes.ts'

// Names of regions besides the name and the code in their boundary sets.

/** Countries of the atlas by ISO 3166-1: number and two letters. */
const countries = (
  '004AF 008AL 010AQ 012DZ 016AS 020AD 024AO 028AG 031AZ 032AR 036AU ' +
  '040AT 044BS 048BH 050BD 051AM 052BB 056BE 060BM 064BT 068BO 070BA ' +
  '072BW 076BR 084BZ 086IO 090SB 092VG 096BN 100BG 104MM 108BI 112BY ' +
  '116KH 120CM 124CA 132CV 136KY 140CF 144LK 148TD 152CL 156CN 158TW ' +
  '170CO 174KM 178CG 180CD 184CK 188CR 191HR 192CU 196CY 203CZ 204BJ ' +
  '208DK 212DM 214DO 218EC 222SV 226GQ 231ET 232ER 233EE 234FO 238FK ' +
  '239GS 242FJ 246FI 248AX 250FR 258PF 260TF 262DJ 266GA 268GE 270GM ' +
  '275PS 276DE 288GH 296KI 300GR 304GL 308GD 316GU 320GT 324GN 328GY ' +
  '332HT 334HM 336VA 340HN 344HK 348HU 352IS 356IN 360ID 364IR 368IQ ' +
  '372IE 376IL 380IT 384CI 388JM 392JP 398KZ 400JO 404KE 408KP 410KR ' +
  '414KW 417KG 418LA 422LB 426LS 428LV 430LR 434LY 438LI 440LT 442LU ' +
  '446MO 450MG 454MW 458MY 462MV 466ML 470MT 478MR 480MU 484MX 492MC ' +
  '496MN 498MD 499ME 500MS 504MA 508MZ 512OM 516NA 520NR 524NP 528NL ' +
  '531CW 533AW 534SX 540NC 548VU 554NZ 558NI 562NE 566NG 570NU 574NF ' +
  '578NO 580MP 583FM 584MH 585PW 586PK 591PA 598PG 600PY 604PE 608PH ' +
  '612PN 616PL 620PT 624GW 626TL 630PR 634QA 642RO 643RU 646RW 652BL ' +
  '654SH 659KN 660AI 662LC 663MF 666PM 670VC 674SM 678ST 682SA 686SN ' +
  '688RS 690SC 694SL 702SG 703SK 704VN 705SI 706SO 710ZA 716ZW 724ES ' +
  '728SS 729SD 732EH 740SR 748SZ 752SE 756CH 760SY 762TJ 764TH 768TG ' +
  '776TO 780TT 784AE 788TN 792TR 795TM 796TC 800UG 804UA 807MK 818EG ' +
  '826GB 831GG 832JE 833IM 834TZ 840US 850VI 854BF 858UY 860UZ 862VE ' +
  '876WF 882WS 887YE 894ZM'
).split(' ')

/** The atlas has no number for it; the letters are those in use. */
const kosovo = ['kosovo', 'XK', 'XKX'] as const

/**
 * Spellings in data sets (mostly of the World Bank and the United Nations) that the platform does not have,
 * by two-letter code.
 */
const spellings: Record<string, readonly string[]> = {
  BA: ['Bosnia-Herzegovina'],
  BN: ['Brunei Darussalam'],
  BO: ['Bolivia (Plurinational State of)'],
  BS: ['Bahamas, The'],
  CD: [
    ...['Democratic Republic of the Congo', 'Congo, Dem. Rep.', 'Congo, Democratic Republic of the'],
    ...['DR Congo', 'DRC'],
  ],
  CG: ['Republic of the Congo', 'Congo, Rep.', 'Congo, Republic of the'],
  CI: ["Cote d'Ivoire", 'Ivory Coast'],
  CV: ['Cape Verde', 'Cabo Verde'],
  CZ: ['Czech Republic', 'Czechia'],
  EG: ['Egypt, Arab Rep.'],
  FK: ['Falkland Islands (Malvinas)'],
  FM: ['Micronesia, Fed. Sts.', 'Micronesia (Federated States of)'],
  GB: ['UK', 'U.K.', 'Great Britain', 'United Kingdom of Great Britain and Northern Ireland'],
  GM: ['Gambia, The'],
  HK: ['Hong Kong', 'Hong Kong SAR, China'],
  IR: ['Iran, Islamic Rep.', 'Iran (Islamic Republic of)', 'Iran, Islamic Republic of'],
  KG: ['Kyrgyz Republic'],
  KN: ['Saint Kitts and Nevis', 'St. Kitts and Nevis'],
  KP: [
    ...["Korea, Dem. People's Rep.", "Democratic People's Republic of Korea"],
    ...["Korea, Democratic People's Republic of", 'Korea, North'],
  ],
  KR: ['Korea, Rep.', 'Republic of Korea', 'Korea, Republic of', 'Korea, South'],
  LA: ['Lao PDR', "Lao People's Democratic Republic"],
  MD: ['Republic of Moldova', 'Moldova, Republic of'],
  MK: ['Macedonia', 'North Macedonia', 'The former Yugoslav Republic of Macedonia'],
  MM: ['Burma', 'Myanmar'],
  MO: ['Macau', 'Macao SAR, China'],
  PS: ['Palestine', 'State of Palestine', 'Palestine, State of', 'West Bank and Gaza'],
  RU: ['Russian Federation'],
  SK: ['Slovak Republic'],
  ST: ['Sao Tome and Principe'],
  SY: ['Syrian Arab Republic'],
  SZ: ['Swaziland', 'Eswatini'],
  TL: ['East Timor', 'Timor-Leste'],
  TR: ['Turkey', 'Türkiye'],
  TW: ['Taiwan, Province of China'],
  TZ: ['United Republic of Tanzania', 'Tanzania, United Republic of'],
  US: ['USA', 'U.S.A.', 'U.S.', 'United States', 'United States of America'],
  VA: ['Holy See', 'Vatican City'],
  VE: ['Venezuela, RB', 'Venezuela (Bolivarian Republic of)'],
  VN: ['Viet Nam'],
  YE: ['Yemen, Rep.'],
}

const stateSpellings: Record<string, readonly string[]> = {
  DC: ['Washington, D.C.', 'Washington DC', 'D.C.'],
  MP: ['Commonwealth of the Northern Mariana Islands'],
  VI: ['US Virgin Islands', 'Virgin Islands', 'United States Virgin Islands'],
}

let cachedKeys: Map<string, readonly string[]> | undefined

/**
 * Alternative names of a region, by its `gid`: the postal code of a state; the ISO codes of a country, its names in hub
 * languages and common spellings. None for other regions.
 */
export function listAlternativeNames(gid: string): readonly string[] {
  return (cachedKeys ??= collect()).get(gid) ?? []
}

/** The names of countries, by their two-letter codes: both codes, names in hub languages, common spellings. */
export function countryNames(): Map<string, readonly string[]> {
  const speakers = locales.map(({ code }) => new Intl.DisplayNames([code], { type: 'region' }))
  const listCountryNames = (two: string, three: string) => [
    ...[two, three],
    ...speakers.map((speaker) => speaker.of(two) ?? two),
    ...(spellings[two] ?? []),
  ]
  const [, letters, threeLetters] = kosovo
  return new Map([
    ...countryCodes().map(([three, two]) => [two, listCountryNames(two, three)] as const),
    [letters, listCountryNames(letters, threeLetters)] as const,
  ])
}

/**
 * The name of a region in the language of a tag, where its set has one (`nameTags` of its file), else its own; '' for one
 * without a name.
 */
export function nameOfRegion({ properties }: Pick<Feature, 'properties'>, locale: string): string {
  const name: unknown = properties?.[`name:${toLocale(locale)}`] ?? properties?.['name']
  return typeof name === 'string' ? name : ''
}

/** Several names in one line, in the given order. */
export const namesOfRegions = (regions: readonly Feature[], locale: string): string =>
  regions.map((region) => nameOfRegion(region, locale)).join(', ')

/** The two-letter code of the country that a `gid` of the atlas stands for; null for any other region. */
export function countryOfRegion(gid: string): string | null {
  const [, code] = /^country-(\d{3})$/.exec(gid) ?? []
  if (gid === `country-${kosovo[0]}`) return kosovo[1]
  return (code && countries.find((each) => each.startsWith(code))?.slice(3)) ?? null
}

function collect(): Map<string, readonly string[]> {
  const names = countryNames()
  const codePairs = countries.map((each) => [each.slice(0, 3), each.slice(3)] as const)
  return new Map([
    ...stateCodes.map(([letters, fips]): [string, readonly string[]] => [
      `us-state-${fips}`,
      [letters, ...(stateSpellings[letters] ?? [])],
    ]),
    ...[...codePairs, [kosovo[0], kosovo[1]] as const].map(([code, two]): [string, readonly string[]] => [
      `country-${code}`,
      names.get(two) ?? [two],
    ]),
  ])
}

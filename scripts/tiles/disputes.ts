/** A dispute about regions of countries that have a set. */
interface RegionDispute {
  /** The countries whose sets it concerns, by alpha-2 code. */
  countries: string[]
  /** A sentence about how it is drawn. */
  text: string
  /** Points in the places it names, each with the countries whose sets have an area there. */
  points: { at: [lon: number, lat: number]; drawnIn: string[] }[]
}

const dispute = (
  countries: string,
  text: string,
  ...points: [lon: number, lat: number, drawnIn: string][]
) => ({
  ...{ countries: countries.split(' '), text },
  points: points.map(([lon, lat, drawnIn]) => ({
    at: [lon, lat] as [number, number],
    drawnIn: drawnIn.split(' ').filter(Boolean),
  })),
})

/**
 * The larger disputes, described by hand; `regions.test.ts` checks where they are drawn. Disputes about small
 * islands are left out, because outlines of this scale hardly have them.
 */
export const regionDisputes: readonly RegionDispute[] = [
  dispute('RU UA', 'Crimea and Sevastopol, held by Russia and claimed by Ukraine, are in the sets of both.', [
    34.1,
    45.2,
    'RU UA',
  ]),
  dispute(
    'RU UA',
    'Donetsk, Luhansk, Kherson and Zaporizhzhia, drawn in Ukraine, are claimed and partly held by Russia.',
    [38, 48, 'UA'],
  ),
  dispute('JP RU', 'The southern Kuril Islands, drawn in Russia, are claimed by Japan.', [147.9, 45, 'RU']),
  dispute(
    'IN PK',
    'Kashmir is divided along the Line of Control: Jammu and Kashmir and Ladakh are drawn in India, the rest in Pakistan.',
    [74.8, 34.08, 'IN'],
    [77.58, 34.16, 'IN'],
    [74.3, 35.9, 'PK'],
    [73.47, 34.37, 'PK'],
  ),
  dispute(
    'CN IN',
    'Arunachal Pradesh, drawn in India, is claimed by China, and Aksai Chin, drawn in China, by India.',
    [93.6, 27.8, 'IN'],
    [79.5, 35.2, 'CN'],
  ),
  dispute('CN TW', 'Taiwan, which has a set of its own, is claimed by China.', [121, 24, 'TW']),
  dispute('IL SY', 'The Golan Heights, drawn in Israel, are claimed by Syria.', [35.8, 33, 'IL']),
  dispute(
    'IL PS',
    'East Jerusalem is drawn in Israel, and the rest of the West Bank in the Palestinian Territories.',
    [35.25, 31.79, 'IL'],
    [35.2, 32.2, 'PS'],
  ),
  dispute(
    'GE',
    'Abkhazia and South Ossetia, which Georgia does not hold, are drawn in Georgia.',
    [41.3, 42.9, 'GE'],
    [43.97, 42.3, 'GE'],
  ),
  dispute('MD', 'Transnistria, which Moldova does not hold, is drawn in Moldova.', [29.6, 46.87, 'MD']),
  dispute('CY', 'Northern Cyprus, which Cyprus does not hold, is not in the set.', [33.4, 35.3, '']),
  dispute('SO', 'Somaliland, which Somalia does not hold, is not in the set.', [44.06, 9.56, '']),
  dispute(
    'MA',
    'The part of Western Sahara that Morocco holds is drawn in Morocco; the rest is not in the set.',
    [-13.1, 27.1, 'MA'],
    [-10.5, 26.5, ''],
  ),
  dispute('RS XK', 'Kosovo, which has a set of its own, is claimed by Serbia.', [21, 42.5, 'XK']),
  dispute('GY VE', 'Guyana west of the Essequibo is claimed by Venezuela.', [-59.5, 6, 'GY']),
  dispute('SD SS', 'Abyei, drawn in Sudan, is claimed by South Sudan.', [28.4, 9.6, 'SD']),
  dispute('EG SD', 'The Halaib Triangle, drawn in Egypt, is claimed by Sudan.', [35.5, 22.3, 'EG']),
  dispute('KE SS', 'The Ilemi Triangle, drawn in South Sudan, is claimed by Kenya.', [35.3, 5, 'SS']),
  dispute('BZ GT', 'The south of Belize is claimed by Guatemala.', [-88.7, 16.5, 'BZ']),
  dispute('FR KM', 'Mayotte, drawn in France, is claimed by the Comoros.', [45.15, -12.8, 'FR']),
  dispute(
    'ES MA',
    'Ceuta and Melilla, drawn in Spain, are claimed by Morocco.',
    [-5.33, 35.885, 'ES'],
    [-2.945, 35.285, 'ES'],
  ),
]

/** Sentences about the disputed parts of a country's set; empty where none are known. */
export const listDisputes = (country: string): string[] =>
  regionDisputes.filter(({ countries }) => countries.includes(country)).map(({ text }) => text)

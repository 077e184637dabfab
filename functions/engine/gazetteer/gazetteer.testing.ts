import { gazetteerBytes, type NamedPlace } from './file.ts'

export const sampleCountries = [
  { code: 'US', name: 'United States' },
  { code: 'DE', name: 'Germany' },
  { code: 'AU', name: 'Australia' },
  { code: 'SN', name: 'Senegal' },
]
export const sampleRegions = [
  { code: 'US-IL', name: 'Illinois', country: 0 },
  { code: 'US-MO', name: 'Missouri', country: 0 },
  { code: 'DE-BY', name: 'Bayern', country: 1 },
  { code: 'AU-QLD', name: 'Queensland', country: 2 },
]

/** A few real places that share their names with others. */
export function gazetteerSample(): Uint8Array<ArrayBuffer> {
  const town = (
    names: string[],
    region: number,
    country: number,
    of: [number, number, number],
  ): NamedPlace => {
    const [population, lon, lat] = of
    return { kind: 'town', names, region, country, population, lon, lat }
  }
  const land = (i: number, names: string[], lon: number, lat: number): NamedPlace => ({
    ...{ kind: 'country', names, country: i, region: -1, population: 0, lon, lat },
  })
  const places = [
    ...sampleRegions.map(({ code, name, country }, region): NamedPlace => ({
      ...{ kind: 'region', names: [name, code, code.slice(3)], country, region, population: 0 },
      ...{ lon: 0, lat: 0 },
    })),
    land(0, ['United States', 'US', 'USA'], -98, 39),
    land(1, ['Germany', 'Deutschland', 'DE'], 9.93556, 51.69689),
    land(2, ['Australia', 'AU'], 134, -25),
    land(3, ['Senegal', 'SN'], -14, 14),
    town(['Springfield'], 0, 0, [116_565, -89.64371, 39.80172]),
    town(['Springfield'], 1, 0, [166_810, -93.29824, 37.21533]),
    town(['Springfield'], 3, 2, [6_705, 152.91667, -27.67836]),
    town(['St. Louis'], 1, 0, [315_685, -90.19789, 38.62727]),
    town(['Saint-Louis'], -1, 3, [176_000, -16.48962, 16.01793]),
    town(['Munich', 'München'], 2, 1, [1_260_391, 11.57549, 48.13743]),
    town(['Twin'], 0, 0, [1000, -89, 40]),
    town(['Twin'], 1, 0, [1000, -93, 37]),
    { ...town(['02134'], -1, 0, [0, -71.112646, 42.357169]), kind: 'postalCode' as const },
  ]
  return gazetteerBytes(places, {
    ...{ attribution: 'GeoNames', countries: sampleCountries, regions: sampleRegions },
  })
}

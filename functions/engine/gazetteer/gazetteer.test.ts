import { expect, test } from 'vitest'
import { gazetteerBytes, openGazetteer, type NamedPlace } from './file.ts'
import { placeFinder } from './find.ts'
import { gazetteerSample, sampleCountries, sampleRegions } from './gazetteer.testing.ts'

const find = placeFinder(openGazetteer(gazetteerSample()))

test('finds a point by name in any of its languages, ignoring case, accents and punctuation', () => {
  for (const name of ['Saint Louis', 'ST. LOUIS', ' st  louis '])
    expect(find(name, { kind: 'town', country: 'us' })).toEqual({ point: [-90.19789, 38.62727] })
  for (const name of ['Munich', 'München', 'munchen', 'MÜNCHEN'])
    expect(find(name, { kind: 'town' })).toEqual({ point: [11.57549, 48.13743] })
  expect(find('Deutschland', { kind: 'country' })).toEqual({ point: [9.93556, 51.69689] })
  // Spreadsheets drop the zero, forms add four digits.
  for (const code of ['2134', '02134', '02134-1001'])
    expect(find(code, { kind: 'postalCode' })).toEqual({ point: [-71.11265, 42.35717] })
})

test('an ambiguous name is an error, unless a region, a country or the largest is requested', () => {
  expect(find('Springfield', { kind: 'town' })).toEqual({
    kind: 'ambiguous',
    message:
      '“Springfield” is the name of 3 places: Missouri, US (166,810 people); Illinois, US (116,565 people); Queensland, AU (6,705 people).',
  })
  for (const region of ['Illinois', 'IL', 'US-IL', 'us-il'])
    expect(find('Springfield', { kind: 'town', region })).toEqual({ point: [-89.64371, 39.80172] })
  expect(find('Springfield', { kind: 'town', country: 'Australia' })).toEqual({
    point: [152.91667, -27.67836],
  })
  expect(find('Springfield', { kind: 'town', isLargest: true })).toEqual({ point: [-93.29824, 37.21533] })
  // Of two places with the same population neither is the largest.
  expect(find('Twin', { kind: 'town', isLargest: true })).toMatchObject({ kind: 'ambiguous' })
})

test('reports unknown names, regions and countries', () => {
  expect(find('Springfeld', { kind: 'town' })).toMatchObject({ message: 'No town “Springfeld” is known.' })
  expect(find('Springfield', { kind: 'town', region: 'Missouri', country: 'Australia' })).toMatchObject({
    message: '“Missouri” is no region that is known.',
  })
  expect(find('Munich', { kind: 'town', region: 'Illinois' })).toMatchObject({
    message: 'No town “Munich” in “Illinois” is known.',
  })
  expect(find('Munich', { kind: 'region' })).toMatchObject({ kind: 'unknown' })
  expect(find('', { kind: 'town' })).toMatchObject({ kind: 'unknown' })
})

test('each of ten thousand names finds exactly the places with that name', () => {
  const letters = 'abcdeéføß 日本'
  let state = 5
  const generateNumber = (n: number) => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) % n
  const places = Array.from({ length: 10_000 }, (_, i): NamedPlace => {
    const name = Array.from(
      { length: 3 + generateNumber(3) },
      () => [...letters][generateNumber(letters.length)],
    ).join('')
    const at = { lon: generateNumber(360) - 180, lat: generateNumber(180) - 90 }
    return { kind: 'town', names: [`x${name}`], country: 0, region: i % 2, population: i, ...at }
  })
  const bytes = gazetteerBytes(places, {
    ...{ attribution: '', countries: sampleCountries, regions: sampleRegions },
  })
  const search = placeFinder(openGazetteer(bytes))
  const spelled = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replaceAll('ß', 'ss')
      .replaceAll('ø', 'o')
      .replace(/ +/g, ' ')
      .trim()
  const groups = new Map<string, NamedPlace[]>()
  for (const place of places) {
    const key = spelled(place.names[0] ?? '')
    groups.set(key, [...(groups.get(key) ?? []), place])
  }
  for (const [key, group] of groups) {
    const answer = search(key, { kind: 'town' })
    const points = new Set(group.map(({ lon, lat }) => `${lon} ${lat}`))
    if (points.size === 1) expect(answer).toEqual({ point: [group[0]?.lon, group[0]?.lat] })
    else
      expect(answer).toMatchObject({
        message: expect.stringContaining(`of ${group.length} places`) as string,
      })
  }
  expect(groups.size).toBeGreaterThan(1000)
})

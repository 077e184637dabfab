import { expect, test } from 'vitest'
import { createAreaFinder, type AreaKey, type NamedArea } from './areas.ts'

const area = (code: string | null, ...names: string[]): NamedArea => ({
  ...{ names, code },
  point: [names.join().length, (code ?? '').length],
})
/** Areas whose points are their positions in the list. */
const finder = (...areas: NamedArea[]) => {
  const find = createAreaFinder({
    title: 'Wards 2024',
    areas: areas.map((each, i) => ({ ...each, point: [i, 0] as [number, number] })),
  })
  return (text: string, by?: AreaKey) => {
    const answer = find(text, by)
    return 'point' in answer ? answer.point[0] : answer.kind
  }
}

test('finds an area by its name like other places, and by its code as a text', () => {
  const find = finder(area('A1', 'Sainte-Anne (Süd)'), area('02', 'St. Mary'), area('a1', 'Third'))
  for (const name of ['sainte anne süd', 'Ste. Anne Sud', ' SAINTE-ANNE (SÜD) ']) expect(find(name)).toBe(0)
  expect(find('Saint Mary')).toBe(1)
  // The same letter case goes first.
  expect([find('A1'), find('a1'), find(' 02 ')]).toEqual([0, 2, 1])
  expect(finder(area('B-7', 'x'))('b-7')).toBe(0)
  expect([find(''), find('Fourth'), find('A1', 'name'), find('Third', 'code')]).toEqual(
    Array.from({ length: 4 }, () => 'unknown'),
  )
})

test('digits that lost zeros in a spreadsheet are a code with zeros only where they can be no other', () => {
  const padded = finder(area('001', 'Harbour'), area('012', 'Hill'), area('000', 'Sea'))
  expect([padded('1'), padded('12'), padded('0'), padded('001')]).toEqual([0, 1, 2, 0])
  // A zero in front was written on purpose: another number of them is another code.
  expect([padded('01'), padded('0012'), padded('1.0')]).toEqual(['unknown', 'unknown', 'unknown'])
  const mixed = finder(area('1', 'One'), area('01', 'Zero one'), area('02', 'Two'))
  expect([mixed('1'), mixed('01'), mixed('2')]).toEqual(['ambiguous', 1, 2])
  // Codes that are a set's names, as of postal codes.
  expect(finder(area(null, '02134'), area(null, '10001'))('2134')).toBe(0)
})

test('several areas are ambiguous, and the sentence names the set and the areas', () => {
  const areas = [area('1', 'Oak'), area('2', 'Oak'), area('Oak', 'Elm'), area('3', 'Ash')]
  const find = createAreaFinder({ title: 'Wards 2024', areas })
  expect(find('oak', 'name')).toEqual({
    kind: 'ambiguous',
    message: '“oak” may be 2 areas of “Wards 2024”: “Oak” (1); “Oak” (2).',
  })
  // One by its code, two by their names.
  expect(find('Oak')).toMatchObject({
    kind: 'ambiguous',
    message: expect.stringContaining('3 areas') as string,
  })
  expect(find('Oak', 'code')).toMatchObject({ point: areas[2]?.point })
  expect(find('Nowhere')).toEqual({
    kind: 'unknown',
    message: 'No area “Nowhere” of “Wards 2024” is known.',
  })
  const parks = createAreaFinder({
    title: 'Parks',
    areas: Array.from({ length: 50_000 }, () => area(null, 'Park')),
  })
  expect(parks('park')).toMatchObject({
    message: expect.stringContaining('“Park”; and 49996 more.') as string,
  })
  // An area that is both is one area.
  expect(finder(area('North', 'North'))('north')).toBe(0)
})

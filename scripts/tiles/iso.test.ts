import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { areaFinder } from '#functions/engine/region/inside.ts'
import { vintages } from './atlas.ts'
import { listDisputes, regionDisputes } from './disputes.ts'
import { compareWithIso, readComparison } from './iso.ts'
import { countrySets } from './regions.ts'

const sets = countrySets()
const { sets: differences } = readComparison()

test('the stored differences are those of the regions and of the installed package', () => {
  // Otherwise: node --import tsx scripts/tiles/iso.cli.ts
  expect(readComparison()).toEqual(compareWithIso(sets))
})

test('regions of ISO’s are missing unless the set has them, parts of them, or what they are part of', () => {
  for (const id of ['regions-de', 'regions-fj', 'regions-br']) expect(differences[id], id).toBeUndefined()
  const missing = (id: string) => differences[id]?.missing.map(({ code }) => code) ?? []
  // Its regions, by their departments.
  expect(missing('regions-fr')).not.toContain('FR-BRE')
  expect(missing('regions-pa')).toEqual(['PA-10', 'PA-NT'])
  expect(missing('regions-no')).toContain('NO-30')
})

test('no set has a code of Natural Earth’s that looks like one of ISO’s', () => {
  const codes = sets.flatMap(({ areas }) => areas.features.map(({ properties }) => properties.code))
  expect(codes.filter((code) => /-X\d/.test(code) && !code.includes('~'))).toEqual([])
})

test('regions with an outdated code are found by their names', () => {
  expect(differences['regions-no']?.own).toContainEqual({ code: 'NO-02', name: 'Akershus' })
  expect(differences['regions-cz']?.recoded).toContainEqual({
    ...{ code: 'CZ-KA', name: 'Karlovarský', iso: 'CZ-41' },
  })
  const codes = differences['regions-cz']?.missing.map(({ code }) => code) ?? []
  expect(codes.filter((code) => code.startsWith('CZ-41'))).toEqual([])
})

test('disputed places are drawn in the sets that the sentences about them name', () => {
  const finders = sets.map(({ country, areas }) => {
    const find = areaFinder(
      areas.features.map(({ geometry, properties }) => ({
        key: properties.code,
        rings: geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat(),
      })),
    )
    return { country, find }
  })
  for (const { text, countries, points } of regionDisputes) {
    expect(sets.map(({ country }) => country)).toEqual(expect.arrayContaining(countries))
    for (const { at, drawnIn } of points) {
      const holders = finders.filter(({ find }) => find(...at).length > 0)
      expect(holders.map(({ country }) => country).sort(), text).toEqual(drawnIn)
    }
  }
})

test('each region that is in the sets of two countries is in a sentence of both', () => {
  const countriesByRegion = new Map<string, string[]>()
  for (const { country, areas } of sets)
    for (const { properties } of areas.features)
      countriesByRegion.set(properties.code, [...(countriesByRegion.get(properties.code) ?? []), country])
  const shared = [...countriesByRegion].filter(([, countries]) => countries.length > 1)
  expect(shared.map(([code]) => code).sort()).toEqual(['UA-40', 'UA-43'])
  for (const country of ['RU', 'UA']) expect(listDisputes(country).join()).toMatch('Crimea and Sevastopol')
})

test('the vintages of the atlases are those of their packages', () => {
  const readme = (name: string) =>
    readFileSync(
      join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'README.md'),
      'utf8',
    )
  expect(readme('us-atlas')).toMatch(`county boundaries, ${vintages.us} edition`)
  const [, version] = /version (\d+\.\d+\.\d+) as TopoJSON/.exec(readme('world-atlas')) ?? []
  expect(vintages.world).toMatch(`Version ${version},`)
})

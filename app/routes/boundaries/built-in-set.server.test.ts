import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { boundaryKey, manifestKey, regionIndexKey } from '#functions/engine/tile/manifest.ts'
import { regionFiles } from '#scripts/tiles/region-files.ts'
import { builtInSetScreen } from './built-in-set.server.ts'

let world: TestWorld
const tiles = memoryBucket()
beforeAll(async () => {
  world = await openWorld(city)
  const { index, files } = await regionFiles()
  const regions = { inputHash: '', hash: '0123456789ab', bytes: 1 }
  await tiles.put(manifestKey, JSON.stringify({ sets: [], boundaries: [], regions }))
  await tiles.put(regionIndexKey(regions.hash), JSON.stringify(index))
  const key = boundaryKey('regions-fr')
  await tiles.put(key, files.find((file) => file.key === key)?.bytes ?? '')
}, 120_000)
afterAll(() => world.close())

function loadScreen(builtInSetId: string) {
  const ctx = world.as('viewer', { placeId: 'oakton', tiles })
  const request = new Request(`${ctx.site.origin}/boundaries/everyone/${builtInSetId}`)
  return builtInSetScreen({ request, params: { builtInSetId }, context: { ctx } } as never)
}

test('a set of everyone has its picture, its areas and all differences from ISO 3166-2', async () => {
  const { set, svg, areas, areaCount } = await loadScreen('regions-fr')
  expect(set).toMatchObject({ name: 'Regions of France', placeId: null, areaCount })
  expect(areas).toHaveLength(areaCount)
  expect(svg).toContain('French Guiana')
  const { missing, own, recoded } = set.iso ?? {}
  for (const regions of [missing, own, recoded]) expect(regions?.first).toHaveLength(regions?.count ?? -1)
  expect(missing?.count).toBeGreaterThan(5)
  expect(recoded?.first).toContainEqual({ code: 'FR-GF', name: 'Guyane française', iso: 'FR-973' })
})

test.each(['regions-xx', 'nowhere', '../../etc'])('there is no set %s', async (id) => {
  await expect(loadScreen(id)).rejects.toMatchObject({ status: 404 })
})

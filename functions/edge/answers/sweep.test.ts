import { expect, test } from 'vitest'
import { largeFrom, storeTier } from './tiers.ts'
import { sweepStore } from './sweep.ts'
import { basis, oakton } from './testing.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { writePlaceState } from '#functions/edge/hub/place-state.ts'

test('only entries that no query finds any more are deleted', async () => {
  const hubs = memoryBucket()
  await writePlaceState(hubs, oakton())
  const storeEntry = async (placeId: string, name: string, answerBasis: Record<string, number | string>) => {
    const about = { headers: {}, next: null, basis: answerBasis, at: 0, until: null }
    const entry = { body: new Uint8Array(largeFrom), about, checkedBy: null }
    await storeTier(hubs, placeId, async () => name).put(name, entry)
  }
  await storeEntry('oakton', 'good', basis)
  await storeEntry('oakton', 'old', { ...basis, 'source:open': 6 })
  await storeEntry('oakton', 'closed', { ...basis, 'source:secret': 1 })
  await storeEntry('nowhere', 'gone', basis)
  await hubs.put('site/other', 'x')
  expect(await sweepStore(hubs, new Date())).toBe(3)
  const left = (await hubs.list()).objects.map(({ key }) => key)
  expect(left).toContain('answers/oakton/good')
  expect(left.filter((key) => key.startsWith('answers/'))).toHaveLength(1)
  expect(left).toContain('site/other')
  expect(await sweepStore(hubs, new Date(Date.now() + 8 * 86_400_000))).toBe(1)
})

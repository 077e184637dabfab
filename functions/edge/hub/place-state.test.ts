import { expect, test, vi } from 'vitest'
import { placeOfSource, readPlaceState, writePlaceState } from './place-state.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import type { PlaceState } from '#functions/shapes/place-state.ts'

const state = (placeId: string, at: number, ...sources: string[]): PlaceState => ({
  placeId,
  at,
  timeZone: 'UTC',
  dataTypes: { call: 1 },
  sources: Object.fromEntries(sources.map((id) => [id, { version: 1, dataType: 'call' }])),
  insights: {},
})
const readSourceIds = async (hubs: R2Bucket, placeId: string) =>
  Object.keys((await readPlaceState(hubs, placeId))?.sources ?? {})

test('of concurrent writers the one that read the database last wins, in any order of writes', async () => {
  const hubs = memoryBucket()
  await writePlaceState(hubs, state('order', 20, 'new'))
  await writePlaceState(hubs, state('order', 10, 'old'))
  expect(await readSourceIds(hubs, 'order')).toEqual(['new'])
  const times = [25, 23, 30, 21, 28]
  await Promise.all(times.map((at) => writePlaceState(hubs, state('order', at, `s${at}`))))
  expect(await readSourceIds(hubs, 'order')).toEqual(['s30'])
})

test('a cached state is revalidated after two seconds, and read again only if it changed', async () => {
  vi.useFakeTimers()
  try {
    const hubs = memoryBucket()
    await writePlaceState(hubs, state('memo', 1, 'a'))
    const first = await readPlaceState(hubs, 'memo')
    expect(await readPlaceState(hubs, 'memo')).toBe(first)
    const spread = { ...hubs, get: vi.fn(hubs.get.bind(hubs)) } as unknown as R2Bucket
    vi.advanceTimersByTime(1999)
    expect(await readPlaceState(spread, 'memo')).toBe(first)
    expect(spread.get).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(await readPlaceState(spread, 'memo')).toBe(first)
    expect(spread.get).toHaveBeenCalledOnce()
    await hubs.put('site/places/memo.json', JSON.stringify(state('memo', 2)))
    vi.advanceTimersByTime(2000)
    expect(await readSourceIds(hubs, 'memo')).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

test('the place of a source is known once it was public', async () => {
  const hubs = memoryBucket()
  await writePlaceState(hubs, state('places', 1, 'public-once'))
  await writePlaceState(hubs, state('places', 2))
  expect(await placeOfSource(hubs, 'public-once')).toBe('places')
  expect(await placeOfSource(hubs, 'never-public')).toBeNull()
})

test('a state that was never written is null', async () => {
  expect(await readPlaceState(memoryBucket(), 'nowhere')).toBeNull()
})

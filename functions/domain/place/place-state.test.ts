import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeState } from './place-state.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

test('contains only what is public, with its versions', async () => {
  const system = world.as('system')
  const state = await placeState(system, 'oakton')
  expect(state).toMatchObject({ placeId: 'oakton', timeZone: expect.any(String) as string })
  expect(Object.keys(state?.sources ?? {})).toEqual(['open'])
  expect(state?.sources.open).toEqual({ version: expect.any(Number) as number, dataType: 'call' })
  expect(Object.keys(state?.insights ?? {})).toEqual(['calls'])
  expect(state?.insights.calls).toMatchObject({ dataType: 'call', source: null })
  expect(Object.keys(state?.dataTypes ?? {})).toEqual(['call'])
})

test('a later state has a later time', async () => {
  const system = world.as('system')
  const [one, other] = [await placeState(system, 'oakton'), await placeState(system, 'oakton')]
  expect(other?.at).toBeGreaterThan(one?.at ?? Infinity)
})

test('is empty for a deleted place, and missing for an unknown one', async () => {
  const system = world.as('system')
  expect(await placeState(system, 'nowhere')).toBeNull()
  const deleted = { deletedAt: new Date() }
  await system.db.updateTable('source').set(deleted).where('id', '=', 'far-open').execute()
  expect(await placeState(system, 'elmsford')).toMatchObject({ sources: {}, insights: {}, dataTypes: {} })
  await system.db.updateTable('place').set(deleted).where('id', '=', 'oakton').execute()
  expect(await placeState(system, 'oakton')).toMatchObject({ sources: {}, insights: {}, dataTypes: {} })
})

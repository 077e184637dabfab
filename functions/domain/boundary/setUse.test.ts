import { afterAll, beforeAll, expect, test } from 'vitest'
import { v1 } from '#functions/v1/index.ts'
import { call } from '#functions/api/call.ts'
import { readShapes } from '#functions/engine/picture/shapes.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type Opened } from '#db/worlds/world.ts'
import { box, collection } from './sets.testing.ts'

let world: Opened
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const { boundarySet } = v1.place
const tiles = memoryBucket()
const as = () => world.as('organization_admin', { tiles })
const params = { placeId: 'oakton' }

test('an insight is seen by no more people than the set it is drawn with, and keeps a public set public', async () => {
  const geojson = collection([{ NAME: 'North' }, box(0, 1)])
  const set = await call(boundarySet.create, as(), { params, data: { name: 'Districts', geojson } })
  const one = { params: { ...params, boundarySetId: set.id } }
  const insight = (visibility: string) => ({
    ...{ name: 'Calls by district', placeId: 'oakton', dataTypeId: 'call', visibility },
    visualization: { type: 'map', settings: { region: 'district', boundarySetId: set.id } },
    query: {
      groupings: [{ field: 'district' }],
      aggregations: [
        { alias: 'district', value: { field: 'data.type' } },
        { alias: 'calls', value: { function: 'count' } },
      ],
    },
  })
  const refusal = {
    kind: 'invalid',
    issues: [{ path: ['visualization', 'settings', 'boundarySetId'], value: set.id }],
  }
  await expect(call(v1.insight.create, as(), { data: insight('public') })).rejects.toMatchObject(refusal)
  const { id: insightId } = await call(v1.insight.create, as(), { data: insight('private') })
  const show = (visibility: string) =>
    call(v1.insight.updateById, as(), { params: { insightId }, data: { visibility } })
  await expect(show('public')).rejects.toMatchObject(refusal)

  const change = (data: object) => call(boundarySet.updateById, as(), { ...one, data })
  await change({ visibility: 'public' })
  await show('public')
  const message = 'Public insights are drawn with this set: Calls by district.'
  const used = { kind: 'conflict', issues: [{ validator: 'used', message }] }
  await expect(change({ visibility: 'place' })).rejects.toMatchObject(used)
  await expect(call(boundarySet.deleteById, as(), one)).rejects.toMatchObject(used)
  expect((await readShapes(tiles, set.id)).features).toHaveLength(1)
  await show('place')
  await change({ visibility: 'place' })
})

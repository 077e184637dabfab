import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSourceScreen } from './source-create.server.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type Opened } from '#db/worlds/world.ts'

const schema = { species: { name: 'Species', type: 'text' } }
let world: Opened
beforeAll(async () => {
  world = await openWorld(city)
  const official = { id: 'sycamore', name: 'Sycamore', schema: JSON.stringify(schema), ownerPlaceId: null }
  await world.as('system').db.insertInto('dataType').values(official).execute()
})
afterAll(() => world.close())

const screen = async (search: string) => {
  const args = {
    request: new Request(`http://localhost:8787/sources/create${search}`),
    params: {},
    context: { ctx: world.as('organization_admin') },
  }
  const { dataTypes, wantedTypeId } = await createSourceScreen(
    args as unknown as Parameters<typeof createSourceScreen>[0],
  )
  return { ids: dataTypes.map(({ id }) => id), wantedTypeId }
}

test('the data type of the address is offered first, though the place has no source of it yet', async () => {
  const { ids: own, wantedTypeId } = await screen('')
  expect(wantedTypeId).toBeNull()
  expect(own).not.toContain('sycamore')
  expect(await screen('?dataType=sycamore')).toEqual({ ids: ['sycamore', ...own], wantedTypeId: 'sycamore' })
})

test('one of the place is chosen and listed once, one that is none is left out', async () => {
  const { ids: own } = await screen('')
  const [first = ''] = own
  expect(await screen(`?dataType=${first}`)).toEqual({ ids: own, wantedTypeId: first })
  expect(await screen('?dataType=gone')).toEqual({ ids: own, wantedTypeId: null })
})

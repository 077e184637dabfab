import { afterAll, beforeAll, expect, test } from 'vitest'
import { loader } from './catalog.tsx'
import { loader as readType } from './type.tsx'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

/** The arguments of a loader for an organization admin of both organizations who works in Oakton. */
function argsAt(path: string) {
  const { actor } = world.as('organization_admin')
  const memberships = ['oakton', 'elmsford'].map((placeId) => ({ placeId, role: 'organization_admin' }))
  const ctx = world.as('organization_admin', { placeId: 'oakton', actor: { ...actor, memberships } })
  const request = new Request(`http://localhost:8787${path}`)
  return { request, params: {}, context: { ctx } } as unknown as Parameters<typeof loader>[0]
}

test('offers for sources the data types that the organization may use, not those of another organization of the person', async () => {
  const { rows } = await loader(argsAt('/types/catalog'))
  const usable = Object.fromEntries(rows.map(({ id, isUsable }) => [id, isUsable]))
  expect(usable).toEqual({ call: true, tree: true, lamp: false })
})

test('describes every listed data type, even without records of the organization', async () => {
  const { rows } = await loader(argsAt('/types/catalog'))
  for (const { id } of rows) {
    const args = { ...argsAt(`/types/${id}`), params: { dataTypeId: id } }
    const { dataType, fields, isAskable, maySource } = await readType(args)
    expect([dataType.id, fields.length > 0]).toEqual([id, true])
    // A data type without access to its records is offered neither for export nor for sources.
    expect([isAskable, maySource]).toEqual([id !== 'lamp', id !== 'lamp'])
  }
})

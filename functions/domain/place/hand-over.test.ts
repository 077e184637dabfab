import { afterAll, beforeAll, expect, test } from 'vitest'
import { v1 } from '#functions/v1/index.ts'
import { call } from '#functions/api/call.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const { user } = v1.place
const handOver = (person: Person, userId: string, role: string | null = null) =>
  call(user.handOver, world.as(person), { params: { placeId: 'oakton', userId }, data: { role } }).then(
    () => 'done',
    (error: { kind: string; message: string }) => `${error.kind}: ${error.message}`,
  )
const admins = async () => {
  const { db } = world.as('system')
  const rows = await db
    .selectFrom('placeUser')
    .select('userId')
    .where('placeId', '=', 'oakton')
    .where('role', '=', 'organization_admin')
    .execute()
  return rows.map(({ userId }) => userId)
}
const findRole = async (userId: string) => {
  const { db } = world.as('system')
  const rows = db.selectFrom('placeUser').select('role').where('placeId', '=', 'oakton')
  return (await rows.where('userId', '=', userId).executeTakeFirst())?.role
}

test('the last administrator can leave only by handing over, and gets the chosen role', async () => {
  expect(await admins()).toEqual(['organization_admin'])
  const leaving = call(user.deleteById, world.as('organization_admin'), {
    params: { placeId: 'oakton', userId: 'organization_admin' },
  })
  await expect(leaving).rejects.toMatchObject({
    kind: 'conflict',
    message: 'The organization needs an organization admin: hand it over first.',
  })
  for (const person of ['viewer', 'member', 'content_admin'] as const)
    expect(await handOver(person, 'member')).toMatch(/^forbidden/)
  expect(await handOver('super_admin', 'member')).toMatch(/^conflict: Only an administrator/)
  expect(await handOver('organization_admin', 'organization_admin')).toMatch(/^conflict: Choose someone/)
  expect(await handOver('organization_admin', 'stranger')).toMatch(/^notFound/)
  expect(await handOver('organization_admin', 'member', 'super_admin')).toMatch(/^invalid/)
  expect(await admins()).toEqual(['organization_admin'])

  expect(await handOver('organization_admin', 'member', 'viewer')).toBe('done')
  expect(await admins()).toEqual(['member'])
  expect(await findRole('organization_admin')).toBe('viewer')
  expect(world.mailbox.letters.find(({ to }) => to === 'member@example.com')?.text).toContain('Oakton')
})

test('a person who hands over and leaves is gone; two mutual hand-overs at once leave one administrator', async () => {
  const { db } = world.as('system')
  const make = (userId: string, role: string) =>
    db
      .insertInto('placeUser')
      .values({ placeId: 'oakton', userId, role })
      .onConflict((conflict) => conflict.columns(['placeId', 'userId']).doUpdateSet({ role }))
      .execute()
  await make('organization_admin', 'organization_admin')
  await make('content_admin', 'organization_admin')
  await db.deleteFrom('placeUser').where('placeId', '=', 'oakton').where('userId', '=', 'member').execute()
  const content = world.as('content_admin').actor
  const asAdmin = {
    ...content,
    memberships: [{ placeId: 'oakton', role: 'organization_admin' }],
  }
  const other = world.as('content_admin', { actor: asAdmin })
  const results = await Promise.allSettled([
    call(user.handOver, world.as('organization_admin'), {
      params: { placeId: 'oakton', userId: 'content_admin' },
      data: { role: null },
    }),
    call(user.handOver, other, {
      params: { placeId: 'oakton', userId: 'organization_admin' },
      data: { role: null },
    }),
  ])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await admins()).toHaveLength(1)
})

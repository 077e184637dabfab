import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import { seedRoles } from '#functions/domain/access/seed.ts'
import { call } from '#functions/api/call.ts'
import { v1 } from '#functions/v1/index.ts'
import { login } from './accounts.ts'
import { createAccount } from './create-account.ts'
import { expectFailure, visitor } from './testing.ts'

const password = 'correct horse battery'
let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
  const { transaction, end } = database.connect(asSystem)
  await transaction(async (tx) => {
    await seedRoles(tx)
    const defaults = { theme: '{}', mapConfiguration: '{}', createdBy: null }
    await tx
      .insertInto('place')
      .values({ id: 'oakton', name: 'Oakton', displayName: 'Oakton', ...defaults })
      .execute()
    const plan = { name: 'Sue', email: 'sue@example.org', password, verified: true }
    await createAccount(tx, { ...plan, globalRole: 'support', memberships: [] })
  })
  await end()
})
afterAll(() => database.close())

const params = { placeId: 'oakton' }

test('a reason is valid for its session, from the next request until sign-out', async () => {
  const [desk, train] = [visitor(database), visitor(database)]
  for (const browser of [desk, train])
    await browser.ask((ctx) => login(ctx, { data: { email: 'sue@example.org', password } }))
  const read = (browser: typeof desk) => browser.ask((ctx) => call(v1.place.activity.find, ctx, { params }))
  expect(await expectFailure(read(desk))).toMatchObject({ kind: 'forbidden', reason: 'reason' })
  await desk.ask((ctx) => call(v1.place.access.create, ctx, { params, data: { reason: 'A ticket' } }))
  expect((await read(desk)).results).toMatchObject([{ verb: 'accessOpened', actorName: 'Sue' }])
  expect(await expectFailure(read(train))).toMatchObject({ kind: 'forbidden', reason: 'reason' })
  await desk.ask((ctx) => call(v1.core.auth.logout, ctx))
  await desk.ask((ctx) => login(ctx, { data: { email: 'sue@example.org', password } }))
  expect(await expectFailure(read(desk))).toMatchObject({ kind: 'forbidden', reason: 'reason' })
})

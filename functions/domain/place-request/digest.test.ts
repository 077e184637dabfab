import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { city } from '#db/worlds/city.ts'
import { openWorld, settings, type Person, type TestWorld } from '#db/worlds/world.ts'
import { call } from '#functions/api/call.ts'
import { v1 } from '#functions/v1/index.ts'
import { emailRequestDigest } from './digest.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  const { db } = world.as('system')
  // An admin whose address is not confirmed gets no email.
  const unconfirmed = { placeId: 'elmsford', userId: 'member', role: 'organization_admin' }
  await db.insertInto('placeUser').values(unconfirmed).execute()
  await db.updateTable('user').set({ emailVerified: false }).where('id', '=', 'member').execute()
})
afterAll(() => world.close())

const sendDigest = () => emailRequestDigest(world.as('system'))
const join = (person: Person, note: string, placeId = 'oakton') =>
  call(v1.place.joinRequest.create, world.as(person), { params: { placeId }, data: { note } })
const anHourLater = () =>
  sql`update place_request set told_at = told_at - interval '61 minutes'`.execute(world.as('system').db)

/** The emails since the last look, by recipient. */
async function letters() {
  const { db } = world.as('system')
  const rows = await db.selectFrom('mail').select(['to', 'subject', 'text', 'html']).orderBy('to').execute()
  await db.deleteFrom('mail').execute()
  return rows
}

test('those who let people in are told at most once an hour, of all who asked since', async () => {
  const { id } = await join('stranger', 'I count trees: https://evil.test/?token={token}\n<b>')
  expect(await Promise.all([sendDigest(), sendDigest()])).toContain(0)
  const [email, ...others] = await letters()
  expect(others).toEqual([])
  expect(email).toMatchObject({
    to: 'organization_admin@example.com',
    subject: 'Someone asks to join Oakton',
  })
  expect(email?.text).toContain(
    '• stranger, stranger@example.com — “I count trees: https: //evil.test/?token: (token) <b>”',
  )
  expect(email?.text).toContain('/team?placeId=oakton')
  expect(email?.html).not.toContain('<b>')

  // Within the hour nothing more is sent; another organization has an hour of its own.
  await join('none', '')
  await join('viewer', 'From the county.', 'elmsford')
  expect(await sendDigest()).toBe(1)
  expect(await letters()).toMatchObject([
    { to: 'stranger@example.com', subject: 'Someone asks to join Elmsford' },
  ])
  await join('support', 'Me too.')
  await anHourLater()
  expect(await sendDigest()).toBe(1)
  const [later] = await letters()
  expect(later).toMatchObject({ subject: '2 people ask to join Oakton' })
  expect(later?.text).toContain('• none, none@example.com\n')
  expect(later?.text).toContain('• support, support@example.com — “Me too.”')
  expect(later?.text).not.toContain('I count trees')

  // What was taken back or answered before the email is no request any more.
  await call(v1.placeRequest.withdraw, world.as('stranger'), { params: { placeRequestId: id } })
  const again = await join('stranger', 'Again.')
  await call(v1.placeRequest.withdraw, world.as('stranger'), { params: { placeRequestId: again.id } })
  await anHourLater()
  expect(await sendDigest()).toBe(0)
  expect(await letters()).toEqual([])
})

test('super admins are told who asks for an organization', async () => {
  const rule = { settings: { ...settings, organizations: { by: 'approval' as const, domains: [] } } }
  const ask = (person: Person, name: string) =>
    call(v1.placeRequest.create, world.as(person, rule), {
      data: { id: `the-${name.toLowerCase()}`, name, note: 'For our parks.' },
    })
  await ask('none', 'Riverton')
  expect(await sendDigest()).toBe(1)
  const [email] = await letters()
  expect(email).toMatchObject({ to: 'super_admin@example.com', subject: 'Someone asks for an organization' })
  expect(email?.text).toContain('• Riverton: none, none@example.com — “For our parks.”')
  expect(email?.text).toContain('/admin/requests?status=pending')
  await ask('stranger', 'Laketon')
  expect(await sendDigest()).toBe(0)
  await anHourLater()
  expect(await sendDigest()).toBe(1)
  expect((await letters())[0]?.text).toContain('• Laketon: stranger')
})

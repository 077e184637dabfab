import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { inviteCity } from './testing/invites.testing.ts'
import { ask } from './testing/wire.testing.ts'
import { invitation } from '#app/routes/account/invite.server.ts'
import type { TestContext } from '#db/worlds/world.ts'

const { openContext, someone, invited } = inviteCity()

interface FieldIssue {
  validator?: string
  message?: string
  path?: (string | number)[]
}
const refusal = async (route: string, body: unknown) => {
  const answer = await ask(openContext('organization_admin'), route, body)
  return { status: answer.status, fields: (answer.body as { fields?: FieldIssue[] }).fields ?? [] }
}

const importer = {
  name: 'Calls',
  sources: [{ url: 'https://data.example.com/calls.csv', parser: 'csv' }],
}
const observer = { name: 'Noise', dataTypeId: 'call', condition: { operator: 'each' } }
const never = 'This schedule never comes true.'
const noSchedule = 'Not a valid schedule: five fields, as in "0 6 * * 1".'
const tooOften = 'Must not run more often than every 5 minutes.'

describe.each([
  ['POST /sources/inner/importers', importer],
  ['POST /sources/inner/importers/validate', importer],
  ['POST /places/oakton/observers', observer],
  ['POST /places/oakton/observers/validate', observer],
])('%s', (route, body) => {
  test.each([
    ['every morning', noSchedule],
    ['0 25 * * *', noSchedule],
    ['0 6 * *', noSchedule],
    ['0 0 31 2 *', never],
    ['* * * * *', tooOften],
  ])('rejects the schedule %j and explains the syntax', async (schedule, message) => {
    const { status, fields } = await refusal(route, { ...body, schedule })
    expect([status, fields]).toMatchObject([400, [{ path: ['schedule'], message }]])
    expect(fields[0]?.validator).toEqual(expect.any(String))
  })
})

test.each(['Mars/Phobos', 'CET+1 ', '', '+25:00'])(
  'rejects the time zone %j of an organization',
  async (timeZone) => {
    const { status, fields } = await refusal('PATCH /places/oakton', { timeZone })
    const message = 'Must be a time zone such as America/New_York.'
    expect([status, fields]).toMatchObject([400, [{ path: ['timeZone'], message }]])
    expect(fields[0]?.validator).toEqual(expect.any(String))
  },
)

test('an unknown coordinate system of a boundary set is named, with advice', async () => {
  const area = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    ],
  }
  const geojson = {
    type: 'FeatureCollection',
    crs: { type: 'name', properties: { name: 'EPSG:99999' } },
    features: [{ type: 'Feature', properties: {}, geometry: area }],
  }
  const { status, fields } = await refusal('POST /places/oakton/boundarySets', { name: 'Wards', geojson })
  expect([status, fields]).toMatchObject([
    400,
    [
      {
        validator: expect.any(String) as string,
        message:
          'The coordinates are in EPSG:99999, which is not known here. Save the file in longitude and latitude (WGS 84, EPSG:4326) and bring that one.',
      },
    ],
  ])
})

describe('an invalid invitation explains why and what to do', () => {
  const screen = (ctx: TestContext, id: string, token: string) =>
    invitation({
      request: new Request(`${ctx.site.origin}/invite/${id}?token=${token}`),
      params: { inviteId: id },
      context: { ctx },
    } as unknown as Parameters<typeof invitation>[0])
  const accept = async (ctx: TestContext, id: string, token: string) => {
    const { status, body } = await ask(ctx, `POST /invites/${id}/accept`, { token })
    return [status, (body as { message?: string }).message ?? body.error?.message]
  }
  const shut = (why: string, isSettled = true) => ({ kind: 'shut', why, isSettled })

  test('used, withdrawn and expired invitations', async () => {
    const used = await invited()
    expect((await accept(someone('guest'), used.id, used.token))[0]).toBe(200)
    const usedWords = 'This invitation has been accepted already: whoever did so works there by signing in.'
    expect(await accept(someone('guest'), used.id, used.token)).toEqual([409, usedWords])
    expect(await screen(openContext('anonymous'), used.id, used.token)).toEqual(shut(usedWords))
    const { id, token } = await invited('twin@example.org')
    await ask(openContext('organization_admin'), `DELETE /invites/${id}`)
    const backWords = 'This invitation has been taken back. Ask who invited you for a new one.'
    expect(await accept(someone('twin'), id, token)).toEqual([409, backWords])
    expect(await screen(openContext('anonymous'), id, token)).toEqual(shut(backWords))
    const late = await invited('twin@example.org')
    await sql`update invite set expires_at = now() - interval '1 second' where id = ${late.id}`.execute(
      openContext('system').db,
    )
    expect(await accept(someone('twin'), late.id, late.token)).toEqual([
      409,
      'This invitation is too old. Ask for a new one.',
    ])
  })

  test('an invitation for another address', async () => {
    const { id, token } = await invited()
    expect(await accept(someone('twin'), id, token)).toEqual([
      403,
      'This invitation is for another address. Sign in with that one.',
    ])
    // The screen shows it and offers to sign out, as the link proves the address.
    expect(await screen(someone('twin'), id, token)).toMatchObject({
      kind: 'open',
      invite: { email: 'guest@example.org' },
    })
  })

  test('an invitation of a closed organization reveals nothing about it', async () => {
    const { id, token } = await invited()
    const { db } = openContext('system')
    await sql`update place set deleted_at = now() where id = 'oakton'`.execute(db)
    await sql`insert into closed_place (place_id, closed_at) values ('oakton', now())`.execute(db)
    try {
      expect((await accept(someone('guest'), id, token))[0]).toBe(404)
      const words =
        'This link opens no invitation any more: a newer email may have replaced it, or the organization has been closed. Look for the newest email, or ask who invited you for a new one.'
      for (const ctx of [openContext('anonymous'), someone('guest')])
        expect(await screen(ctx, id, token)).toEqual(shut(words, false))
    } finally {
      await sql`update closed_place set reopened_at = now() where place_id = 'oakton'`.execute(db)
      await sql`update place set deleted_at = null where id = 'oakton'`.execute(db)
    }
    expect((await accept(someone('guest'), id, token))[0]).toBe(200)
  })
})

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { inviteCity } from './testing/invites.testing.ts'
import { ask } from './testing/wire.testing.ts'
import { readState } from '#functions/domain/identity/state.ts'
import type { TestContext } from '#db/worlds/world.ts'

const { world, openContext, someone, newcomer, tokenIn, invited } = inviteCity()

const memberships = () =>
  openContext('system').db.selectFrom('placeUser').selectAll().where('userId', '=', 'guest').execute()
const change = (id: string, set: ReturnType<typeof sql>) =>
  sql`update invite set ${set} where id = ${id}`.execute(openContext('system').db)

describe('inviting', () => {
  test('sends one email with a link to the app, and shows the token to nobody else', async () => {
    const admin = world().as('organization_admin')
    const { id, token, body } = await invited('Guest@EXAMPLE.org', 'member', admin)
    expect(body).toMatchObject({ email: 'guest@example.org', status: 'pending', placeId: 'oakton' })
    expect(body).toMatchObject({ invitedBy: 'organization_admin', inviterName: 'organization_admin' })
    expect(admin.sent).toHaveLength(1)
    expect(admin.sent[0]?.to).toBe('guest@example.org')
    expect(admin.sent[0]?.text).toContain(`http://localhost:8787/invite/${id}?token=${token}`)
    expect(token).toHaveLength(43)
    // The organization's display name, which must not be turned into a link by mail programs.
    const { displayName } = await admin.db
      .selectFrom('place')
      .select('displayName')
      .where('id', '=', 'oakton')
      .executeTakeFirstOrThrow()
    expect(displayName).not.toBe('oakton')
    expect(admin.sent[0]?.subject).toBe(`Invitation to ${displayName} on Commonplace`)
    await sql`update place set display_name = 'See https://evil.test/?token=1' where id = 'oakton'`.execute(
      openContext('system').db,
    )
    await invited('other@example.org', 'member', admin)
    expect(admin.sent[1]?.subject).toBe('Invitation to See https: //evil.test/?token: 1 on Commonplace')
    await sql`update place set display_name = ${displayName} where id = 'oakton'`.execute(
      openContext('system').db,
    )
    const { body: list } = await ask(admin, 'GET /places/oakton/invites')
    const row = await admin.db.selectFrom('invite').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(JSON.stringify([body, list, row])).not.toContain(token)
    const { tokenHash } = await openContext('system')
      .db.selectFrom('emailToken')
      .select('tokenHash')
      .where('subjectId', '=', id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify([body, list])).not.toContain(tokenHash)
    const days = (row.expiresAt.getTime() - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.99)
    expect(days).toBeLessThan(7.01)
  })

  test('an address is normalized first, so its variants are one', async () => {
    await invited('guest@example.org')
    const admin = openContext('organization_admin')
    for (const email of ['GUEST@example.org', '\uff47uest@example.org', ' guest@example.org '])
      expect([email, (await ask(admin, 'POST /invites', { email, role: 'viewer' })).status]).toEqual([
        email,
        409,
      ])
    for (const email of [
      'guest@example',
      'gue\u0455t@example.org',
      'a@b.org,c@d.org',
      'a@b.org\nBcc: c@d.org',
    ])
      expect([email, (await ask(admin, 'POST /invites', { email, role: 'viewer' })).status]).toEqual([
        email,
        400,
      ])
  })

  test('a member is not invited again', async () => {
    const about = { email: 'viewer@example.com', role: 'member' }
    expect((await ask(openContext('organization_admin'), 'POST /places/oakton/invites', about)).status).toBe(
      409,
    )
    const far = { ...about, placeId: 'elmsford' }
    expect((await ask(openContext('stranger'), 'POST /invites', far)).status).toBe(201)
  })

  test('gives no global role, no unknown one, and none above the inviter’s own', async () => {
    const admin = openContext('organization_admin')
    for (const role of ['super_admin', 'support', 'constructor', ''])
      expect(
        await ask(admin, 'POST /places/oakton/invites', { email: 'guest@example.org', role }),
      ).toMatchObject({
        status: 400,
        body: { fields: [{ path: ['role'] }] },
      })
    await world()
      .as('system')
      .db.insertInto('roleOperation')
      .values({ roleId: 'content_admin', operationId: 'invite.create' })
      .execute()
    const lesser = openContext('content_admin')
    const asks = (role: string) =>
      ask(lesser, 'POST /places/oakton/invites', { email: 'twin@example.org', role })
    expect((await asks('organization_admin')).status).toBe(403)
    expect((await asks('content_admin')).status).toBe(201)
    await world()
      .as('system')
      .db.deleteFrom('roleOperation')
      .where('roleId', '=', 'content_admin')
      .where('operationId', '=', 'invite.create')
      .execute()
  })

  test('ignores columns that are not for the client to set', async () => {
    for (const extra of ['status', 'tokenHash', 'invitedBy', 'acceptedBy', 'expiresAt', 'id']) {
      const body = { email: 'guest@example.org', role: 'viewer', [extra]: 'accepted' }
      expect((await ask(openContext('organization_admin'), 'POST /places/oakton/invites', body)).status).toBe(
        400,
      )
    }
    const { id } = await invited()
    for (const changes of [{ email: 'a@b.org' }, { status: 'accepted' }, { placeId: 'elmsford' }])
      expect((await ask(openContext('organization_admin'), `PATCH /invites/${id}`, changes)).status).toBe(400)
  })

  test('an unknown place is an error of the body', async () => {
    const body = { email: 'guest@example.org', role: 'viewer', placeId: 'nowhere' }
    expect(await ask(openContext('super_admin'), 'POST /invites', body)).toMatchObject({
      status: 400,
      body: { fields: [{ path: ['placeId'] }] },
    })
    expect((await ask(openContext('organization_admin'), 'POST /invites', body)).status).toBe(404)
  })

  test('the same address gets at most five emails an hour', async () => {
    const admin = openContext('organization_admin')
    for (let i = 0; i < 5; i++) {
      const { id } = await invited('guest@example.org', 'viewer', admin)
      expect((await ask(admin, `DELETE /invites/${id}`)).status).toBe(200)
    }
    const again = await ask(admin, 'POST /invites', { email: 'guest@example.org', role: 'viewer' })
    expect(again.status).toBe(429)
    expect(again.headers.get('retry-after')).toMatch(/^\d+$/)
  })
})

describe('the lists', () => {
  test('of all places shows invitations of places where one may read them', async () => {
    const ids = async (ctx: TestContext, path: string) => {
      const { status, body } = await ask(ctx, `GET ${path}`)
      return status === 200 ? (body.results as { id: string }[]).map(({ id }) => id).sort() : status
    }
    expect(await ids(openContext('organization_admin'), '/invites')).toEqual(['asked'])
    expect(await ids(openContext('stranger'), '/invites')).toEqual(['far-asked'])
    expect(await ids(openContext('super_admin'), '/invites')).toEqual(['asked', 'far-asked'])
    expect(await ids(openContext('organization_admin'), '/invites?filters[placeId]=elmsford')).toEqual([])
    expect(await ids(openContext('content_admin'), '/invites')).toBe(403)
    expect(await ids(openContext('support'), '/invites')).toBe(403)
    expect(await ids(openContext('none'), '/invites')).toBe(403)
    expect(await ids(openContext('organization_admin'), '/places/elmsford/invites')).toBe(404)
    expect(await ids(openContext('super_admin'), '/places/elmsford/invites')).toEqual(['far-asked'])
  })

  test('can be filtered by status, which depends on the current time', async () => {
    const { id } = await invited()
    await change(id, sql`expires_at = now() - interval '1 second'`)
    const { body } = await ask(openContext('organization_admin'), 'GET /invites?filters[status]=expired')
    expect(body).toMatchObject({ results: [{ id, status: 'expired' }], meta: { results: 1, total: 1 } })
  })

  test('an invitation of another place is not found, by either path', async () => {
    const admin = openContext('organization_admin')
    for (const path of ['/invites/far-asked', '/places/oakton/invites/far-asked']) {
      expect((await ask(admin, `PATCH ${path}`, { role: 'viewer' })).status).toBe(404)
      expect((await ask(admin, `DELETE ${path}`)).status).toBe(404)
      expect((await ask(admin, `POST ${path}/resend`)).status).toBe(404)
    }
  })
})

describe('sending again', () => {
  test('at most once a minute, with a new link; the previous one becomes invalid', async () => {
    const { id, token } = await invited()
    const admin = world().as('organization_admin')
    const early = await ask(admin, `POST /invites/${id}/resend`)
    expect(early.status).toBe(429)
    const wait = Number(early.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    expect(admin.sent).toEqual([])
    await change(id, sql`sent_at = now() - interval '61 seconds', expires_at = now() - interval '1 second'`)
    const { status, body } = await ask(admin, `POST /places/oakton/invites/${id}/resend`)
    expect([status, body.status]).toEqual([200, 'pending'])
    expect(admin.sent).toHaveLength(1)
    const nobody = openContext('anonymous')
    expect((await ask(nobody, `POST /invites/${id}/confirm`, { token })).status).toBe(404)
    expect((await ask(nobody, `POST /invites/${id}/confirm`, { token: tokenIn(admin) })).status).toBe(200)
  })
})

describe('confirming', () => {
  test('shows place and inviter to the holder of the token, and nothing to others', async () => {
    const { id, token } = await invited()
    const nobody = openContext('anonymous')
    expect(await ask(nobody, `POST /invites/${id}/confirm`, { token })).toMatchObject({
      status: 200,
      body: {
        email: 'guest@example.org',
        role: 'member',
        roleName: 'Member',
        place: { id: 'oakton', displayName: 'Oakton' },
        inviter: { name: 'organization_admin' },
      },
    })
    for (const wrong of ['x', `${token}x`])
      expect((await ask(nobody, `POST /invites/${id}/confirm`, { token: wrong })).status).toBe(404)
    expect((await ask(nobody, 'POST /invites/asked/confirm', { token })).status).toBe(404)
    expect((await ask(nobody, 'POST /invites/nowhere/confirm', { token })).status).toBe(404)
    // Not even for the confirmed address it was sent to: the token is what proves the email.
    for (const ctx of [nobody, someone('guest'), someone('twin')])
      expect(await ask(ctx, `POST /invites/${id}/confirm`, {})).toMatchObject({
        status: 400,
        body: { fields: [{ path: ['token'] }] },
      })
    expect((await ask(someone('guest'), `POST /invites/${id}/confirm`, { token })).status).toBe(200)
    expect(await memberships()).toEqual([])
  })
})

describe('accepting', () => {
  const accept = (ctx: TestContext, id: string, token?: string) =>
    ask(ctx, `POST /invites/${id}/accept`, token === undefined ? {} : { token })

  test('creates a membership once, logs it, and is used up', async () => {
    const { id, token } = await invited()
    expect(await accept(someone('guest'), id, token)).toMatchObject({
      status: 200,
      body: { id, placeId: 'oakton', role: 'member', status: 'accepted' },
    })
    expect(await memberships()).toMatchObject([{ placeId: 'oakton', role: 'member' }])
    expect((await accept(someone('guest'), id, token)).status).toBe(409)
    const trail = await world()
      .as('system')
      .db.selectFrom('activity')
      .select(['verb', 'targetType', 'targetId', 'actorId', 'placeId'])
      .where('targetId', 'in', [id, 'guest'])
      .orderBy('verb')
      .execute()
    expect(trail).toEqual([
      {
        verb: 'invited',
        targetType: 'invite',
        targetId: id,
        actorId: 'organization_admin',
        placeId: 'oakton',
      },
      { verb: 'joined', targetType: 'user', targetId: 'guest', actorId: 'guest', placeId: 'oakton' },
    ])
    const row = await world()
      .as('system')
      .db.selectFrom('invite')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ status: 'accepted', acceptedBy: 'guest' })
  })

  test('thirty concurrent requests create one membership', async () => {
    const { id, token } = await invited()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => accept(newcomer('guest', true), id, token)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(29).fill(409)])
    expect(await memberships()).toHaveLength(1)
  })

  test('requires a session, the same address, and that it is confirmed', async () => {
    const { id, token } = await invited()
    expect((await accept(openContext('anonymous'), id, token)).status).toBe(401)
    expect((await accept(someone('twin'), id, token)).status).toBe(403)
    expect((await accept(someone('guest', false), id, token)).status).toBe(403)
    for (const ctx of [someone('guest', false), someone('guest')])
      expect(await accept(ctx, id)).toMatchObject({ status: 400, body: { fields: [{ path: ['token'] }] } })
    expect((await accept(someone('guest'), id, 'made up')).status).toBe(404)
    expect(await memberships()).toEqual([])
    expect((await accept(someone('guest'), id, token)).status).toBe(200)
  })

  test('is rejected after withdrawal or expiry', async () => {
    const first = await invited()
    expect((await ask(openContext('organization_admin'), `DELETE /invites/${first.id}`)).status).toBe(200)
    expect((await accept(someone('guest'), first.id, first.token)).status).toBe(409)
    const second = await invited()
    await change(second.id, sql`expires_at = now() - interval '1 second'`)
    expect((await accept(someone('guest'), second.id, second.token)).status).toBe(409)
    expect(await memberships()).toEqual([])
    // An expired invitation makes room for a new one.
    const third = await invited()
    expect((await accept(someone('guest'), third.id, third.token)).status).toBe(200)
    expect((await ask(openContext('organization_admin'), `DELETE /invites/${third.id}`)).status).toBe(409)
    expect(
      (await ask(openContext('organization_admin'), `PATCH /invites/${third.id}`, { role: 'viewer' })).status,
    ).toBe(409)
    expect((await ask(openContext('organization_admin'), `POST /invites/${third.id}/resend`)).status).toBe(
      409,
    )
  })

  test('gives the invitation’s current role, if its inviter may still assign it', async () => {
    const system = openContext('system').db
    const setInviter = (role: string | null) =>
      system
        .updateTable('placeUser')
        .set({ role })
        .where('userId', '=', 'organization_admin')
        .where('placeId', '=', 'oakton')
        .execute()
    const { id, token } = await invited('guest@example.org', 'organization_admin')
    try {
      for (const role of ['content_admin', 'viewer', null]) {
        await setInviter(role)
        expect([role, (await accept(someone('guest'), id, token)).status]).toEqual([role, 409])
      }
    } finally {
      await setInviter('organization_admin')
    }
    const inviter = { invitedBy: 'someone who is gone' }
    await system.updateTable('invite').set(inviter).where('id', '=', id).execute()
    expect((await accept(someone('guest'), id, token)).status).toBe(409)
    expect(await memberships()).toEqual([])
    expect(
      (await ask(openContext('organization_admin'), `PATCH /invites/${id}`, { role: 'viewer' })).status,
    ).toBe(200)
    expect((await accept(someone('guest'), id, token)).body).toMatchObject({ role: 'viewer' })
  })

  test('does not change the role of a member', async () => {
    const { id, token } = await invited('guest@example.org', 'organization_admin')
    const member = { placeId: 'oakton', userId: 'guest', role: 'viewer' }
    await openContext('system').db.insertInto('placeUser').values(member).execute()
    expect((await accept(someone('guest'), id, token)).status).toBe(409)
    expect(await memberships()).toMatchObject([{ role: 'viewer' }])
  })
})

test('the session state names the invitation pending for the confirmed address, and only that', async () => {
  const findPendingInviteId = async (ctx: TestContext) => {
    const user = ctx.actor.user
    await world()
      .as('system')
      .db.updateTable('user')
      .set({ emailVerified: user?.verified === true })
      .where('id', '=', user?.id ?? '')
      .execute()
    return (await readState(ctx, { data: undefined })).session?.user.inviteId
  }
  expect(await findPendingInviteId(someone('guest'))).toBeNull()
  const { id } = await invited()
  expect(await findPendingInviteId(someone('guest', false))).toBeNull()
  expect(await findPendingInviteId(someone('guest'))).toBe(id)
  expect(await findPendingInviteId(someone('twin'))).toBeNull()
  await change(id, sql`status = 'revoked'`)
  expect(await findPendingInviteId(someone('guest'))).toBeNull()
})

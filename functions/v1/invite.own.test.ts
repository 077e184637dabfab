import { sql } from 'kysely'
import { momentInWords } from '#functions/domain/email/email.ts'
import { describe, expect, test } from 'vitest'
import { inviteCity } from './testing/invites.testing.ts'
import { ask } from './testing/wire.testing.ts'
import type { TestContext } from '#db/worlds/world.ts'

const { world, openContext, someone, newcomer, tokenIn, invited } = inviteCity()

const change = (id: string, set: ReturnType<typeof sql>) =>
  sql`update invite set ${set} where id = ${id}`.execute(openContext('system').db)

const accept = (ctx: TestContext, id: string, token: string) =>
  ask(ctx, `POST /invites/${id}/accept`, { token })

/** Sets whether a person's address is confirmed. */
const verify = (id: string, emailVerified: boolean) =>
  openContext('system').db.updateTable('user').set({ emailVerified }).where('id', '=', id).execute()

describe('an invited person without the token', () => {
  const asks = (ctx: TestContext, id: string, what: 'waiting' | 'resendToMe') =>
    ask(ctx, `POST /invites/${id}/${what}`)

  test('sees that an invitation is pending and for which place, and nobody else does', async () => {
    const { id, token } = await invited('guest@example.org', 'organization_admin')
    const { status, body } = await asks(someone('guest'), id, 'waiting')
    expect([status, body]).toEqual([
      200,
      {
        ...{ id, email: 'guest@example.org', expiresAt: expect.any(String) as string },
        place: { id: 'oakton', name: 'Oakton', displayName: 'Oakton' },
      },
    ])
    expect((await asks(openContext('anonymous'), id, 'waiting')).status).toBe(401)
    for (const ctx of [someone('twin'), openContext('organization_admin'), openContext('super_admin')])
      expect((await asks(ctx, id, 'waiting')).status).toBe(404)
    expect((await asks(someone('guest'), 'asked', 'waiting')).status).toBe(404)
    await verify('guest', false)
    expect((await asks(someone('guest', false), id, 'waiting')).status).toBe(404)
    await verify('guest', true)
    await change(id, sql`expires_at = now() - interval '1 second'`)
    expect((await asks(someone('guest'), id, 'waiting')).status).toBe(404)
    await change(id, sql`expires_at = now() + interval '1 day'`)
    await ask(someone('guest'), `POST /invites/${id}/accept`, { token })
    expect((await asks(someone('guest'), id, 'waiting')).status).toBe(404)
  })

  test('can have the email sent again once a minute: a new link, same role, inviter and expiry', async () => {
    const { id, token } = await invited()
    const guest = newcomer('guest', true)
    const read = () =>
      openContext('system')
        .db.selectFrom('invite')
        .select(['role', 'invitedBy', 'expiresAt', 'status'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    const early = await asks(guest, id, 'resendToMe')
    expect(early.status).toBe(429)
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(early.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(guest.sent).toEqual([])
    await change(id, sql`sent_at = now() - interval '61 seconds'`)
    const before = await read()
    const others = [someone('twin'), openContext('organization_admin')]
    for (const ctx of others) expect((await asks(ctx, id, 'resendToMe')).status).toBe(404)
    expect(await read()).toEqual(before)
    expect(await asks(guest, id, 'resendToMe')).toMatchObject({ status: 200, body: { ok: true } })
    expect(await read()).toEqual(before)
    expect(guest.sent).toHaveLength(1)
    expect(guest.sent[0]?.to).toBe('guest@example.org')
    expect(guest.sent[0]?.text).toContain(`until ${momentInWords(before.expiresAt)}`)
    expect((await asks(guest, id, 'resendToMe')).status).toBe(429)
    const fresh = tokenIn(guest)
    for (const [linkToken, status] of [
      [token, 404],
      [fresh, 200],
    ] as const)
      expect((await ask(guest, `POST /invites/${id}/accept`, { token: linkToken })).status).toBe(status)
  })

  test('cannot bypass row security by the address: the database shows and changes an invitation only with its token', async () => {
    const { id, token } = await invited()
    for (const user of ['guest', 'twin', '']) {
      const connection = world().database.connect({ user, places: [], global: '' })
      const { db } = connection
      const isMine = sql<boolean>`email = 'guest@example.org' or id = ${id}`
      expect(await db.selectFrom('invite').selectAll().where(isMine).execute()).toEqual([])
      const updateResult = await db
        .updateTable('invite')
        .set({ status: 'accepted', acceptedBy: user, role: 'organization_admin' })
        .where(isMine)
        .executeTakeFirstOrThrow()
      const removed = await db.deleteFrom('invite').where(isMine).executeTakeFirstOrThrow()
      expect([user, updateResult.numUpdatedRows, removed.numDeletedRows]).toEqual([user, 0n, 0n])
      // What is readable without the token includes neither the token nor the role.
      const { rows } = await sql<Record<string, unknown>>`select * from waiting_invites()`.execute(db)
      expect(rows.map((row) => Object.keys(row).sort())).toEqual(
        user === 'guest' ? [['email', 'expiresAt', 'id', 'placeDisplayName', 'placeId', 'placeName']] : [],
      )
      const { rows: renewed } = await sql<{ wait: number | null }>`
        select renew_waiting_invite('asked') as wait`.execute(db)
      expect(renewed).toEqual([{ wait: null }])
      await connection.end()
    }
    const row = await openContext('system')
      .db.selectFrom('invite')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ status: 'pending', role: 'member' })
    expect((await accept(someone('guest'), id, token)).status).toBe(200)
  })
})

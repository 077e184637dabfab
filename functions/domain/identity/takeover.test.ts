import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '#db/schema.ts'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import { seedRoles } from '#functions/domain/access/seed.ts'
import { call } from '#functions/api/call.ts'
import type { Context } from '#functions/context.ts'
import { asFailure } from '#functions/errors.ts'
import { v1 } from '#functions/v1/index.ts'
import { createAccount } from './create-account.ts'
import { emailsTo, tokenIn, visitor } from './testing.ts'

/**
 * Someone signs up with the address of a person who has been invited. In any order of events the attacker
 * gets no session, no membership and no key, and the person does.
 */
let database: TestDatabase
let db: Db
let end: () => Promise<void>
beforeAll(async () => {
  database = await freshDatabase()
  ;({ db, end } = database.connect(asSystem))
  const defaults = { createdBy: null, theme: '{}', mapConfiguration: '{}' }
  const { transaction, end: done } = database.connect(asSystem)
  await transaction(async (tx) => {
    await seedRoles(tx)
    await tx
      .insertInto('place')
      .values({ id: 'oakton', name: 'Oakton', displayName: 'Oakton', ...defaults })
      .execute()
    const memberships = [{ placeId: 'oakton', role: 'organization_admin' }]
    const admin = { email: 'admin@example.org', name: 'Admin', password: 'the password of an admin' }
    await createAccount(tx, { ...admin, verified: true, globalRole: null, memberships })
  })
  await done()
})
afterAll(async () => {
  await end()
  await database.close()
})

type Browser = ReturnType<typeof visitor>
const victimPassword = 'the password of the victim'
const theirs = 'the password of the attacker'

const listEmailsBySubject = async (email: string, subject: RegExp) =>
  (await emailsTo(database, email)).filter((mail) => subject.test(mail.subject))
const signUp = (browser: Browser, email: string, password: string) =>
  browser.ask((ctx) => call(v1.core.auth.signup, ctx, { data: { name: 'Vic', email, password } }))
const confirm = (browser: Browser, data: { token: string; password?: string }) =>
  outcome(browser.ask((ctx) => call(v1.core.auth.confirm, ctx, { data })))
const signIn = (browser: Browser, email: string, password: string) =>
  outcome(browser.ask((ctx) => call(v1.core.auth.login, ctx, { data: { email, password } })))

/** 'done', or the kind of the refusal with the paths of its issues. */
async function outcome(run: Promise<unknown>): Promise<string> {
  try {
    await run
    return 'done'
  } catch (error) {
    const { kind, issues } = asFailure(error)
    return [kind, ...issues.map(({ path }) => path.join('.'))].join(' ')
  }
}

/** Invites an address as organization admin; gives the id and the token of the email. */
async function invite(email: string) {
  const browser = visitor(database)
  await signIn(browser, 'admin@example.org', 'the password of an admin')
  const { id } = await browser.ask((ctx) =>
    call(v1.invite.create, ctx, { data: { email, role: 'organization_admin', placeId: 'oakton' } }),
  )
  return { id, token: tokenIn((await listEmailsBySubject(email, /Invitation/))[0]) }
}

/**
 * Tries everything that a person with a password of the account can reach: signing in, accepting the
 * invitation, creating a key.
 */
async function reach(browser: Browser, email: string, password: string, inviteId: string) {
  const session = await signIn(browser, email, password)
  const accepted = await outcome(
    browser.ask((ctx) => call(v1.invite.accept, ctx, { params: { inviteId }, data: {} })),
  )
  const { userId, key } = await browser.ask(async (ctx: Context) => {
    const userId = ctx.actor.user?.id ?? 'nobody'
    const keyCreation = call(v1.user.key.create, ctx, { params: { userId }, data: { name: 'mine' } })
    return { userId, key: await outcome(keyCreation) }
  })
  return { session, accepted, key, isIn: userId !== 'nobody' }
}

const members = async (email: string) =>
  db
    .selectFrom('placeUser')
    .innerJoin('user', 'user.id', 'placeUser.userId')
    .select('placeUser.role')
    .where('user.email', '=', email)
    .execute()

describe('an account cannot be taken over before it is confirmed', () => {
  test('by signing up after its owner: the first link confirms nothing of the second sign-up', async () => {
    const email = 'first@example.org'
    const invited = await invite(email)
    const [victim, attacker] = [visitor(database), visitor(database)]
    await signUp(victim, email, victimPassword)
    const first = tokenIn((await listEmailsBySubject(email, /Confirm/))[0])
    await signUp(attacker, email, theirs)
    const second = tokenIn((await listEmailsBySubject(email, /Confirm/))[0])
    expect(await confirm(victim, { token: first })).toBe('invalid token')
    expect(await reach(attacker, email, theirs, invited.id)).toEqual({
      ...{ session: 'forbidden', accepted: 'unauthenticated', key: 'unauthenticated', isIn: false },
    })
    // The newest link is in the victim's own email, and yet it confirms only what its follower can prove to have chosen.
    expect(await confirm(victim, { token: second })).toBe('invalid password')
    expect(await confirm(victim, { token: second, password: victimPassword })).toBe('invalid password')
    expect(victim.session()).toBeNull()
    expect((await reach(attacker, email, theirs, invited.id)).isIn).toBe(false)
    // "Forgot password" proves the address too.
    await victim.ask((ctx) => call(v1.core.auth.forgot, ctx, { data: { email } }))
    const token = tokenIn((await listEmailsBySubject(email, /Choose a new password/))[0])
    await victim.ask((ctx) => call(v1.core.auth.reset, ctx, { data: { token, password: victimPassword } }))
    expect(await confirm(attacker, { token: second })).toBe('invalid token')
    expect(await signIn(attacker, email, theirs)).toBe('unauthenticated')
    expect(await signIn(victim, email, victimPassword)).toBe('done')
    const accept = (data: object) =>
      outcome(victim.ask((ctx) => call(v1.invite.accept, ctx, { params: { inviteId: invited.id }, data })))
    expect(await accept({})).toBe('invalid token')
    expect(await members(email)).toEqual([])
    expect(await accept({ token: invited.token })).toBe('done')
    expect(await members(email)).toEqual([{ role: 'organization_admin' }])
  })

  test('by signing up before its owner: the person who signs up last in their own browser confirms their own password', async () => {
    const email = 'last@example.org'
    const invited = await invite(email)
    const [victim, attacker] = [visitor(database), visitor(database)]
    await signUp(attacker, email, theirs)
    await signUp(victim, email, victimPassword)
    const [second, first] = (await listEmailsBySubject(email, /Confirm/)).map(tokenIn)
    expect(await confirm(victim, { token: first ?? '' })).toBe('invalid token')
    expect(await confirm(victim, { token: second ?? '' })).toBe('done')
    expect((await reach(attacker, email, theirs, invited.id)).isIn).toBe(false)
    expect(await members(email)).toEqual([])
  })

  test('by a key or a session from before the address was confirmed', async () => {
    const email = 'early@example.org'
    const plan = { name: 'Early', password: theirs, verified: false, globalRole: null, memberships: [] }
    const account = await createAccount(db, { ...plan, email, keyName: 'of an earlier time' })
    const early = { id: 'early', userId: account.userId, token: 'of an earlier time' }
    await db
      .insertInto('session')
      .values({ ...early, expiresAt: new Date('2100-01-01') })
      .execute()
    const victim = visitor(database)
    await signUp(victim, email, victimPassword)
    expect(await confirm(victim, { token: tokenIn((await listEmailsBySubject(email, /Confirm/))[0]) })).toBe(
      'done',
    )
    const program = visitor(database)
    program.key = account.key
    expect(await outcome(program.ask(async (ctx) => ctx.actor))).toBe('unauthenticated')
    const sessions = await db
      .selectFrom('session')
      .select('id')
      .where('userId', '=', account.userId)
      .execute()
    expect(sessions).toHaveLength(1)
    expect(sessions[0]?.id).not.toBe('early')
  })
})

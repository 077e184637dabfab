import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { ask } from './wire.testing.ts'
import { anonymous, type Actor } from '#functions/context.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person, type TestContext } from '#db/worlds/world.ts'

/** A city for tests of invitations, opened and closed around the tests of a file: its people, and two without a place. */
export function inviteCity() {
  let currentWorld: TestWorld | undefined
  const world = () => {
    if (!currentWorld) throw new Error('The city is not open yet.')
    return currentWorld
  }
  beforeAll(async () => {
    currentWorld = await openWorld(city)
    const { db } = openContext('system')
    await db
      .insertInto('user')
      .values(
        ['guest', 'twin'].map((id) => ({
          id,
          email: `${id}@example.org`,
          name: id,
          image: null,
          emailVerified: true,
          onboarding: '{}',
        })),
      )
      .execute()
  })
  afterAll(() => world().close())
  beforeEach(async () => {
    const { db } = openContext('system')
    await db.deleteFrom('invite').where('id', 'not in', ['asked', 'far-asked']).execute()
    await db.deleteFrom('placeUser').where('userId', 'in', ['guest', 'twin']).execute()
    await sql`delete from attempt`.execute(db)
  })

  const contexts = new Map<string, TestContext>()
  /** Reuses the connection of a person, as the number of connections is limited. */
  function reuseContext(name: string, open: () => TestContext): TestContext {
    const ctx = contexts.get(name) ?? open()
    contexts.set(name, ctx)
    return ctx
  }
  const openContext = (person: Person) => reuseContext(person, () => world().as(person))

  /** A person without a place, with an address of their own. */
  const someone = (id: string, verified = true) =>
    reuseContext(`${id} ${verified}`, () => newcomer(id, verified))

  function newcomer(id: string, verified: boolean): TestContext {
    const user = {
      id,
      email: `${id}@example.org`,
      name: id,
      image: null,
      verified,
      welcomed: true,
      role: null,
    }
    const session = {
      id: `session-of-${id}`,
      token: 'token',
      expiresAt: new Date('2100-01-01'),
      provedAt: null,
      ssoPlaceId: null,
    }
    const actor: Actor = { ...anonymous, kind: 'user', user, session }
    return world().as('none', { actor })
  }

  const tokenIn = (ctx: TestContext) => /token=([\w-]+)/.exec(ctx.sent.at(-1)?.text ?? '')?.[1] ?? ''

  async function invited(
    email = 'guest@example.org',
    role = 'member',
    by = openContext('organization_admin'),
  ) {
    const { status, body } = await ask(by, 'POST /places/oakton/invites', { email, role })
    expect(status).toBe(201)
    return { id: body.id as string, token: tokenIn(by), body }
  }

  return { world, openContext, someone, newcomer, tokenIn, invited }
}

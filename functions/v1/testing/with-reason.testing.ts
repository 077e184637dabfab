import type { TestWorld, Person, TestContext } from '#db/worlds/world.ts'
import { call } from '#functions/api/call.ts'
import type { Actor, Context } from '#functions/context.ts'
import { openPlaces, placesOpenIn } from '#functions/domain/identity/place-access.ts'
import { v1 } from '#functions/v1/index.ts'
import { sql } from 'kysely'

/** The actor of support staff who have opened places through the endpoint, as in the next request of the session. */
export async function actorWithReason(
  world: Pick<TestWorld, 'as'>,
  person: Person,
  places: readonly string[],
  reason = 'A ticket of a test',
): Promise<Actor> {
  const ctx = world.as(person)
  const { actor } = ctx
  if (!actor.session || !actor.user) throw new Error('Only who is signed in gives a reason.')
  const system = world.as('system')
  await system.db
    .insertInto('session')
    .values({
      ...actor.session,
      token: `token of ${actor.user.id}`,
      userId: actor.user.id,
      ipAddress: null,
      userAgent: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  for (const placeId of places)
    await call(v1.place.access.create, ctx, { params: { placeId }, data: { reason } })
  const { rows } = await sql<{ opened: Parameters<typeof placesOpenIn>[0] }>`
    select ${openPlaces} as opened from session s where s.id = ${actor.session.id}`.execute(system.db)
  return { ...actor, opened: placesOpenIn(rows[0]?.opened ?? null) }
}

/** A context of that actor, with Oakton opened unless other places are given. */
export async function asWithReason(
  world: Pick<TestWorld, 'as'>,
  person: Person,
  changes: Partial<Context> = {},
  places: readonly string[] = ['oakton'],
): Promise<TestContext> {
  return world.as(person, { ...changes, actor: await actorWithReason(world, person, places) })
}

/** A context of anyone who reads Oakton; support staff give a reason first. */
export async function asReader(
  world: Pick<TestWorld, 'as'>,
  person: Person,
  changes: Partial<Context> = {},
): Promise<TestContext> {
  return person === 'support' ? asWithReason(world, person, changes) : world.as(person, changes)
}

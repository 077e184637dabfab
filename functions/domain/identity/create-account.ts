import { hashPassword } from 'better-auth/crypto'
import * as v from 'valibot'
import { Failure } from '#functions/errors.ts'
import { PersonName } from '#functions/shapes/options.ts'
import type { Db } from '#db/schema.ts'
import { createAccountKey } from './keys.ts'
import { getOrganizationNames, requireFreshPassword } from './refused-passwords.ts'

interface AccountPlan {
  email: string
  name: string
  password: string
  verified: boolean
  /** super_admin, support or null. */
  globalRole: 'super_admin' | 'support' | null
  memberships: { placeId: string; role: string | null }[]
  /** Name of an account key to create; none without it. */
  keyName?: string
  welcomed?: boolean
}

/**
 * Creates a person without sign-up, for seeds and operators. The password is hashed as the auth library does,
 * so it works for signing in. `key`: the account key, shown only here, or null. Failure `conflict` for an
 * existing address, `invalid` (path `password`) for a stolen or easily guessed password. Pass a transaction
 * for all or nothing.
 */
export async function createAccount(
  db: Db,
  plan: AccountPlan,
): Promise<{ userId: string; key: string | null }> {
  const [userId, email] = [crypto.randomUUID(), plan.email.trim().normalize('NFKC').toLowerCase()]
  const places = plan.memberships.map(({ placeId }) => placeId)
  const organizations = places.length
    ? await db.selectFrom('place').select(['id', 'name', 'displayName']).where('id', 'in', places).execute()
    : []
  await requireFreshPassword(plan.password, {
    name: plan.name,
    email,
    organizations: organizations.flatMap(getOrganizationNames),
  })
  const row = await db
    .insertInto('user')
    .values({
      id: userId,
      email,
      name: v.parse(PersonName, plan.name),
      emailVerified: plan.verified,
      role: plan.globalRole,
      onboarding: JSON.stringify({ welcomed: plan.welcomed ?? false }),
      image: null,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) throw new Failure('conflict', { message: 'This address has an account.' })
  await db
    .insertInto('account')
    .values({
      id: crypto.randomUUID(),
      accountId: userId,
      providerId: 'credential',
      userId,
      password: await hashPassword(plan.password),
    })
    .execute()
  if (plan.memberships.length) {
    await db
      .insertInto('placeUser')
      .values(plan.memberships.map((membership) => ({ ...membership, userId })))
      .execute()
  }
  const key = plan.keyName === undefined ? null : (await createAccountKey(db, userId, plan.keyName)).key
  return { userId, key }
}

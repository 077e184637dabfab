import { randomBytes } from 'node:crypto'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { createAccount } from '#functions/domain/identity/create-account.ts'
import type { Demo } from './demo.ts'

const adminEmail = 'organization-admin@demo.example'

type GlobalRole = 'super_admin' | 'support'
interface AccountPlan {
  role: string
  name: string
  placeId: string | null
}

/**
 * One account per role. `no_role` is in a place without a role, `none` belongs to no place, `unverified`
 * never confirmed the email address.
 */
const accountPlans: AccountPlan[] = [
  { role: 'super_admin', name: 'Sasha Super', placeId: null },
  { role: 'support', name: 'Sunny Support', placeId: null },
  { role: 'organization_admin', name: 'Olive Admin', placeId: 'seattle-wa' },
  { role: 'content_admin', name: 'Connie Editor', placeId: 'seattle-wa' },
  { role: 'member', name: 'Max Member', placeId: 'seattle-wa' },
  { role: 'viewer', name: 'Vera Viewer', placeId: 'seattle-wa' },
  { role: 'no_role', name: 'Nora Newcomer', placeId: 'seattle-wa' },
  { role: 'none', name: 'Nils Nowhere', placeId: null },
  { role: 'unverified', name: 'Una Unverified', placeId: null },
]

/**
 * Creates the demo's accounts, each with a random password (so that a publicly reachable demo is not open to
 * all) and API keys, in one transaction. `storeAccounts` stores them before it commits. Does nothing when they exist:
 * the stored credentials are theirs.
 */
export async function seedAccounts(
  ctx: Context,
  log: (line: string) => void,
  storeAccounts: (accounts: Demo['accounts']) => void,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const some = await tx.selectFrom('user').select('id').where('email', '=', adminEmail).executeTakeFirst()
    if (!some) storeAccounts(await makeAccounts(tx))
  })
  log(`  ${accountPlans.length} accounts`)
}

async function makeAccounts(tx: Tx): Promise<Demo['accounts']> {
  const accounts: Demo['accounts'] = []
  for (const { role, name, placeId } of accountPlans) {
    const isGlobal = role === 'super_admin' || role === 'support'
    const isInPlace = placeId !== null
    const email = `${role.replace('_', '-')}@demo.example`
    const password = randomBytes(9).toString('base64url')
    const isVerified = role !== 'unverified'
    const { key } = await createAccount(tx, {
      email,
      name,
      password,
      verified: isVerified,
      globalRole: isGlobal ? (role as GlobalRole) : null,
      memberships: isInPlace ? [{ placeId, role: role === 'no_role' ? null : role }] : [],
      welcomed: true,
      ...(isVerified ? { keyName: 'Demo key' } : {}),
    })
    accounts.push({ role, email, password, key, placeId })
  }
  // The organization admin also administers the other two places, to be able to switch.
  const olive = await tx
    .selectFrom('user')
    .select('id')
    .where('email', '=', adminEmail)
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('placeUser')
    .values(['usa', 'world'].map((placeId) => ({ placeId, userId: olive.id, role: 'organization_admin' })))
    .execute()
  return accounts
}

import { composeEmail, type Draft } from './email.ts'
import { storeMail } from './email-outbox.ts'
import type { Settings } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'

/** Writes to every organization admin of a place, in the transaction that has the reason. Needs the product's own identity. */
export async function writeToAdmins(
  tx: Tx,
  settings: Settings,
  placeId: string,
  draft: Draft,
): Promise<void> {
  const admins = await tx
    .selectFrom('placeUser')
    .innerJoin('user', 'user.id', 'placeUser.userId')
    .select('user.email')
    .where('placeUser.placeId', '=', placeId)
    .where('placeUser.role', '=', 'organization_admin')
    .execute()
  for (const { email } of admins) await storeMail(tx, composeEmail(email, settings, draft))
}

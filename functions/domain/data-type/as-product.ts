import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import type { Context } from '#functions/context.ts'

/**
 * Runs as the product until the end of the transaction, or until `asActor`: dependents of a data type must be updated in
 * all places, including closed ones, whoever the owner is.
 */
export async function asProduct(tx: Tx): Promise<void> {
  await sql`select set_config('app.global', 'system', true), set_config('app.closed', 'on', true)`.execute(tx)
}

/** Switches the identity back to that of the actor until the end of the transaction. */
export async function asActor(tx: Tx, ctx: Context): Promise<void> {
  const { global } = toIdentity(ctx.actor)
  await sql`select set_config('app.global', ${global}, true), set_config('app.closed', '', true)`.execute(tx)
}

import type { Context } from '#functions/context.ts'
import type { Db, Tx } from '#db/schema.ts'

/** Feature flags of the whole product. `importersHalted`: no importer starts, and running ones stop. */
export const flagNames = ['importersHalted'] as const
type FlagName = (typeof flagNames)[number]

/** Whether a flag is on; off by default. Anyone may read it. */
export async function isOn(db: Db | Tx, name: FlagName): Promise<boolean> {
  const row = await db.selectFrom('flag').select('isOn').where('name', '=', name).executeTakeFirst()
  return row?.isOn ?? false
}

/** Sets a switch; true when that changed it. Only super admins and the product itself may. */
export async function setFlag(tx: Tx, ctx: Context, name: FlagName, isOn: boolean): Promise<boolean> {
  const setting = { isOn, updatedBy: ctx.actor.user?.id ?? null, updatedAt: ctx.now() }
  const before = await tx
    .selectFrom('flag')
    .select('isOn')
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
  await tx
    .insertInto('flag')
    .values({ name, ...setting })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(setting))
    .execute()
  return (before?.isOn ?? false) !== isOn
}

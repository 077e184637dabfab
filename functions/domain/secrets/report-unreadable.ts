import type { Context } from '#functions/context.ts'
import { findOthers } from './encrypt-again.ts'

/**
 * Reports encrypted values that no configured secret decrypts to the operators: users only notice when they need one.
 * Does nothing where all can be decrypted. Called by cron; must run as the system actor, in one database.
 */
export async function reportUnreadableSecrets(ctx: Context): Promise<void> {
  const rows = (await findOthers(ctx.db, ctx.settings)).filter(({ unreadable }) => unreadable.length > 0)
  if (rows.length === 0) return
  const counts = rows.map(({ name, unreadable }) => `${name}: ${unreadable.length}`).join(', ')
  const message = `Encrypted texts can be decrypted neither with AUTH_SECRET nor with AUTH_SECRET_PREVIOUS (${counts}). The secret that they are encrypted with may have been removed too early: set it as AUTH_SECRET_PREVIOUS, and run "npm run rotate-secret".`
  ctx.report(new Error(message), { during: 'reportUnreadableSecrets' })
}

import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { decryptSecret } from './library-secrets.ts'

/**
 * The Failure where neither of the product's secrets decrypts a person's app secret; null: it can be
 * decrypted, or there is none. Reports it to operators, since nobody else can help.
 */
export async function unreadableApp(ctx: Context, userId: string, cause: unknown): Promise<Failure | null> {
  const factor = await ctx.accounts.db
    .selectFrom('twoFactor')
    .select('secret')
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (!factor?.secret || (await decryptSecret(ctx.settings, factor.secret)) !== null) return null
  return unreadable(ctx, 'The codes of your app cannot be checked at the moment', cause)
}

/** The same for recovery codes whose key cannot be decrypted. */
export function unreadableCodes(ctx: Context): Failure {
  return unreadable(ctx, 'Your recovery codes cannot be checked at the moment')
}

function unreadable(ctx: Context, what: string, cause?: unknown): Failure {
  const failure = new Failure('unavailable', {
    message: `${what}: what they were stored with is not set on this server. Its operators have been told.`,
    cause,
  })
  ctx.report(failure, { during: 'secondFactor', setting: 'AUTH_SECRET_PREVIOUS' })
  return failure
}

import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { call } from '#functions/api/call.ts'
import type { ResultOf } from '#functions/api/endpoint.ts'
import { asFailure } from '#functions/errors.ts'
import { signUpSecretFrom } from '#functions/domain/identity/cookie.ts'
import { v1 } from '#functions/v1/index.ts'
import { responseOf } from '#app/server/load.server.ts'

/** Whether someone signed up in this browser. It may be another sign-up than the one that is confirmed. */
export const hasSignedUp = ({ request, context }: Pick<LoaderFunctionArgs, 'request' | 'context'>): boolean =>
  signUpSecretFrom(request.headers, context.ctx.settings) !== null

/** The keys that a new password would end, read by the token of the email, which that does not spend; null: it is void. */
export async function keysOfReset(
  args: LoaderFunctionArgs,
  token: string,
): Promise<ResultOf<typeof v1.core.auth.resetKeys>['keys'] | null> {
  try {
    const { keys } = await call(v1.core.auth.resetKeys, args.context.ctx, { data: { token } })
    return keys
  } catch (error) {
    if (asFailure(error).kind !== 'invalid') throw responseOf(error, args)
    return null
  }
}

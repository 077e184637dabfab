import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { call } from '#functions/api/call.ts'
import type { EndpointResult } from '#functions/api/endpoint.ts'
import { asFailure } from '#functions/errors.ts'
import { signUpSecretFrom } from '#functions/domain/identity/cookie.ts'
import { v1 } from '#functions/v1/index.ts'
import { toErrorResponse } from '#app/server/load.server.ts'

/** Whether someone signed up in this browser, possibly with another account than the one to confirm. */
export const hasSignedUp = ({ request, context }: Pick<LoaderFunctionArgs, 'request' | 'context'>): boolean =>
  signUpSecretFrom(request.headers, context.ctx.settings) !== null

/** The keys that a new password would revoke, read by the email's token without using it up; null if it is invalid. */
export async function keysOfReset(
  args: LoaderFunctionArgs,
  token: string,
): Promise<EndpointResult<typeof v1.core.auth.resetKeys>['keys'] | null> {
  try {
    const { keys } = await call(v1.core.auth.resetKeys, args.context.ctx, { data: { token } })
    return keys
  } catch (error) {
    if (asFailure(error).kind !== 'invalid') throw toErrorResponse(error, args)
    return null
  }
}

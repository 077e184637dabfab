import { redirect, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { call } from '#functions/api/call.ts'
import { asFailure } from '#functions/errors.ts'
import { v1 } from '#functions/v1/index.ts'
import { guard } from '#app/server/session.server.ts'

/** Why a single sign-on could not continue, for its screen. */
interface SignInStop {
  message: string
}

/**
 * Redirects to the provider of the place in `place`; with `again` to that of the session's place, for re-authentication. Returns the
 * reason if that is impossible.
 */
export async function sendToProvider(args: LoaderFunctionArgs): Promise<SignInStop> {
  const { ctx } = args.context
  const { searchParams } = new URL(args.request.url)
  const isAgain = searchParams.has('again')
  guard(args, isAgain ? 'signedIn' : 'signedOut')
  const placeId = isAgain ? (ctx.actor.session?.ssoPlaceId ?? '') : (searchParams.get('place') ?? '')
  const redirectTo = searchParams.get('redirectTo') ?? undefined
  return catchStop(async () => {
    const { url } = await call(v1.core.sso.start, ctx, { data: { placeId, isAgain, redirectTo } })
    throw redirect(url, { headers: ctx.responseHeaders })
  })
}

/** Handles the provider's redirect, and redirects on, so that its parameters stay in no visible URL. */
export async function handleSsoCallback(args: LoaderFunctionArgs): Promise<SignInStop> {
  const { ctx } = args.context
  guard(args, 'anyone')
  const query = new URL(args.request.url).search.slice(1)
  return catchStop(async () => {
    const { outcome, redirectTo } = await call(v1.core.sso.finish, ctx, { data: { query } })
    throw redirect(outcome === 'link' ? '/account/connect' : redirectTo, { headers: ctx.responseHeaders })
  })
}

async function catchStop(work: () => Promise<never>): Promise<SignInStop> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Response) throw error
    const { kind, message } = asFailure(error)
    const isGone = kind === 'notFound' || kind === 'invalid'
    return { message: isGone ? 'This organization has no sign-in of its own (any more).' : message }
  }
}

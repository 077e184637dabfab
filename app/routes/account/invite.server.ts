import { redirect, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { call } from '#functions/api/call.ts'
import type { EndpointResult } from '#functions/api/endpoint.ts'
import { asFailure } from '#functions/errors.ts'
import { isInvitation } from '#functions/domain/identity/redirect.ts'
import { readState } from '#functions/domain/identity/state.ts'
import { v1 } from '#functions/v1/index.ts'
import { toErrorResponse } from '#app/server/load.server.ts'
import { redirectTarget } from '#app/server/session.server.ts'

type Args = Pick<LoaderFunctionArgs, 'request' | 'context' | 'params'>

/**
 * The state of an invitation's screen. `open`: the token is valid. `waiting`: it is missing or invalid, but an invitation for the
 * signed-in person's address is pending. `shut`: why it cannot be accepted, in a sentence; `isSettled`: by anyone.
 */
export type Invitation =
  | { kind: 'open'; invite: EndpointResult<typeof v1.invite.confirm> }
  | { kind: 'waiting'; invite: EndpointResult<typeof v1.invite.waiting>; isReplaced: boolean }
  | { kind: 'shut'; why: string; isSettled: boolean }

/** The invitation in the URL: for the holder of its token; signed-in people also see that it is pending. */
export async function invitation(args: LoaderFunctionArgs): Promise<Invitation> {
  const { inviteId = '' } = args.params
  const { ctx } = args.context
  const token = new URL(args.request.url).searchParams.get('token')
  const request = { params: { inviteId } }
  try {
    if (token)
      return { kind: 'open', invite: await call(v1.invite.confirm, ctx, { ...request, data: { token } }) }
  } catch (error) {
    const { kind, message } = asFailure(error)
    if (kind === 'conflict') return { kind: 'shut', why: message, isSettled: true }
    if (kind !== 'notFound' && kind !== 'invalid') throw toErrorResponse(error, args)
  }
  if (ctx.actor.session) {
    const invite = await call(v1.invite.waiting, ctx, request).catch((error: unknown) => {
      if (asFailure(error).kind !== 'notFound') throw toErrorResponse(error, args)
      return null
    })
    if (invite) return { kind: 'waiting', invite, isReplaced: token !== null }
  }
  const why = token
    ? 'This link opens no invitation any more: a newer email may have replaced it, or the organization has been closed. Look for the newest email, or ask who invited you for a new one.'
    : 'An invitation opens by the link in its email. Please follow that link.'
  return { kind: 'shut', why, isSettled: false }
}

/**
 * "Signed-in user on login, signup, forgot or reset pages goes to / (or to the invite)": to the invitation if one is pending or the
 * person comes from its email.
 */
export async function sendToInvite(args: Args): Promise<void> {
  const { ctx } = args.context
  if (!ctx.actor.session) return
  const target = redirectTarget(args)
  if (isInvitation(target)) throw redirect(target)
  const { session } = await readState(ctx, { data: undefined })
  const id = session?.user.inviteId
  if (id) throw redirect(`/invite/${id}`)
}

/**
 * The first screen after signing in: the invitation whose email was followed; else a pending one, which continues to the requested
 * page; else that page.
 */
export function chooseFirstScreen(session: { user: { inviteId: string | null } }, target: string): string {
  const { inviteId } = session.user
  if (!inviteId || isInvitation(target)) return target
  return `/invite/${inviteId}${target === '/' ? '' : `?redirectTo=${encodeURIComponent(target)}`}`
}

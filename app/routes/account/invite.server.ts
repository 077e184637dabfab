import { redirect, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { call } from '#functions/api/call.ts'
import type { ResultOf } from '#functions/api/endpoint.ts'
import { asFailure } from '#functions/errors.ts'
import { isInvitation } from '#functions/domain/identity/redirect.ts'
import { readState } from '#functions/domain/identity/state.ts'
import { v1 } from '#functions/v1/index.ts'
import { responseOf } from '#app/server/load.server.ts'
import { goOnTo } from '#app/server/session.server.ts'

type Args = Pick<LoaderFunctionArgs, 'request' | 'context' | 'params'>

/**
 * What the screen of an invitation shows. `open`: the token is right. `waiting`: it is not there or void, and an invitation
 * waits for the address of who is signed in. `shut`: why it cannot be accepted, in a sentence;
 * `isSettled`: by nobody any more.
 */
export type Invitation =
  | { kind: 'open'; invite: ResultOf<typeof v1.invite.confirm> }
  | { kind: 'waiting'; invite: ResultOf<typeof v1.invite.waiting>; isReplaced: boolean }
  | { kind: 'shut'; why: string; isSettled: boolean }

/** The invitation of the address: for who holds the token of its email; for who is signed in also that it waits. */
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
    if (kind !== 'notFound' && kind !== 'invalid') throw responseOf(error, args)
  }
  if (ctx.actor.session) {
    const invite = await call(v1.invite.waiting, ctx, request).catch((error: unknown) => {
      if (asFailure(error).kind !== 'notFound') throw responseOf(error, args)
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
 * "Signed-in user on login, signup, forgot or reset pages goes to / (or to the invite)": the latter, where one waits or the
 * person comes from its email.
 */
export async function sendToInvite(args: Args): Promise<void> {
  const { ctx } = args.context
  if (!ctx.actor.session) return
  const wanted = goOnTo(args)
  if (isInvitation(wanted)) throw redirect(wanted)
  const { session } = await readState(ctx, { data: undefined })
  const id = session?.user.inviteId
  if (id) throw redirect(`/invite/${id}`)
}

/**
 * Where someone goes first who has just signed in: back to the invitation whose email they followed; else to the one that
 * waits, which leads on to the page they wanted; else to that page.
 */
export function firstScreen(session: { user: { inviteId: string | null } }, wanted: string): string {
  const { inviteId } = session.user
  if (!inviteId || isInvitation(wanted)) return wanted
  return `/invite/${inviteId}${wanted === '/' ? '' : `?redirectTo=${encodeURIComponent(wanted)}`}`
}
